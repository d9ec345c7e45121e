// SPDX-License-Identifier: GPL-3.0-or-later
// A label is known by its inode: what renames, mounts, spoofed paths, lost disks and reused inodes do to the index.
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "label_fixture.h"
#include "lookup/label_scan.h"
#include "lookup/path_lookup.h"

namespace tacet {
namespace {

class LabelsOfInodes : public Labels {
protected:
    std::vector<std::string> paths(const Caller& caller = user)
    {
        std::vector<std::string> found;
        for (const LabelledFile& file : list(caller).files)
            found.push_back(file.path);
        return found;
    }

    Question service_asks_about(const std::string& path)
    {
        Question question = make_question(++asked_);
        question.uid = 33;
        question.origin = identity(path);
        question.file = path;
        world.kernel.ask(question);
        return question;
    }

    void lose_notices()
    {
        Notice lost;
        lost.kind = NoticeKind::Lost;
        lost.id = 3;
        world.kernel.on_event(lost);
    }

private:
    QuestionId asked_ = 0;
};

// A file system of its own that can be taken away and brought back.
class Disk {
public:
    explicit Disk(std::string point) : point_(std::move(point))
    {
        std::filesystem::create_directory(point_);
        EXPECT_EQ(mount("tmpfs", point_.c_str(), "tmpfs", 0, "mode=755"), 0);
    }
    ~Disk() { umount2(point_.c_str(), MNT_DETACH); }
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;

    void take_away()
    {
        tree_ = UniqueFd(static_cast<int>(syscall(SYS_open_tree, AT_FDCWD, point_.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC)));
        EXPECT_TRUE(tree_);
        EXPECT_EQ(umount2(point_.c_str(), MNT_DETACH), 0);
    }
    void bring_back()
    {
        EXPECT_EQ(syscall(SYS_move_mount, tree_.get(), "", AT_FDCWD, point_.c_str(), MOVE_MOUNT_F_EMPTY_PATH), 0);
        tree_ = UniqueFd();
    }
    std::string operator/(const std::string& name) const { return point_ + "/" + name; }

private:
    std::string point_;
    UniqueFd tree_;
};

TEST_F(LabelsOfInodes, PathThatAnotherUserNamesChangesNothingOfTheOwnersEntry)
{
    world.agents.users = {1000, 1001};
    const std::string path = label_file("salaries");
    const std::string hers = make_file("hers", "x", 1001);
    world.kernel.put_label(hers, make_label({category_id("finance", 1000)}));
    derive(identity(hers), path, 1001);
    EXPECT_THAT(paths(user), ElementsAre(path));
    EXPECT_THAT(paths(other), ElementsAre(hers));
    service_asks_about(path);
    ASSERT_THAT(world.agents.asked, SizeIs(1));
    EXPECT_EQ(world.agents.asked[0].owner, 1000U);
    ASSERT_TRUE(world.authority.allowed.contains("org.tacet.tacet1.label-remove"));
    EXPECT_EQ(remove({path}, other)[0].error.code, ErrorCode::NotOwner);
    EXPECT_THAT(paths(user), ElementsAre(path));
}

TEST_F(LabelsOfInodes, FileThatNobodySawBelongsToWhoseDataItIs)
{
    world.agents.users = {1000, 1001};
    label_file("salaries");
    const FileIdentity nowhere{7, 4711};
    derive(nowhere, "/home/other/evil", 1001);
    EXPECT_THAT(paths(other), IsEmpty());
    Question question = make_question(1);
    question.uid = 33;
    question.origin = nowhere;
    world.kernel.ask(question);
    ASSERT_THAT(world.agents.asked, SizeIs(1));
    EXPECT_EQ(world.agents.asked[0].owner, 1000U);
}

TEST_F(LabelsOfInodes, DataOfSeveralPeopleIsNobodysToSee)
{
    world.agents.users = {1000, 1001};
    label_file("his");
    label_file("hers", 1001);
    Question question = make_question(1);
    question.uid = 33;
    question.origin = {7, 4711};
    question.label = make_label({category_id("finance", 1000), category_id("finance", 1001)});
    world.kernel.ask(question);
    EXPECT_THAT(world.agents.asked, IsEmpty());
    EXPECT_THAT(questions(user), IsEmpty());
    EXPECT_THAT(questions(other), IsEmpty());
}

TEST_F(LabelsOfInodes, RenamedOverEachOtherNoneIsLost)
{
    const std::string a = label_file("a");
    const std::string b = label_file("b");
    stop();
    std::filesystem::rename(a, world.directory / "c");
    std::filesystem::rename(b, a);
    world.kernel.armed.clear();
    start();
    EXPECT_THAT(paths(), ElementsAre(a, world.directory / "c"));
    EXPECT_TRUE(world.kernel.armed.contains(identity(a)));
    EXPECT_TRUE(world.kernel.armed.contains(identity(world.directory / "c")));
    // The other way round, so that none depends on which was labelled first.
    stop();
    std::filesystem::rename(a, b);
    std::filesystem::rename(world.directory / "c", a);
    start();
    EXPECT_THAT(paths(), ElementsAre(a, b));
}

TEST_F(LabelsOfInodes, NamesOfOneInodeAreOneEntryWithOneShadow)
{
    const std::string path = label_file("a");
    std::vector<std::string> names;
    for (int number = 0; number < 24; ++number) {
        names.push_back(world.directory / ("name-" + std::to_string(number)));
        std::filesystem::create_hard_link(path, names.back());
    }
    EXPECT_THAT(add(names), IsEmpty());
    EXPECT_THAT(list().files, SizeIs(1));
    running->worker.finish_all();
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(world.directory / "shadow"), {}), 1);
}

TEST_F(LabelsOfInodes, AreKeptWhileTheirDiskIsAwayAndTriggerWhenItIsBack)
{
    Disk disk(world.directory / "disk");
    label_file("elsewhere");
    std::ofstream(disk / "copy") << "x";
    ASSERT_EQ(chown((disk / "copy").c_str(), 1000, 1000), 0);
    derive(disk / "copy");
    const FileIdentity copy = identity(disk / "copy");
    advance(3s);
    disk.take_away();
    reboot();
    ASSERT_THAT(list().files, SizeIs(2));
    EXPECT_EQ(list().files[0].presence, Presence::Absent);
    EXPECT_FALSE(world.kernel.armed.contains(copy));
    disk.bring_back();
    running->daemon.look_again();
    EXPECT_EQ(list().files[0].presence, Presence::Kept);
    EXPECT_TRUE(world.kernel.armed.contains(copy));
}

TEST_F(LabelsOfInodes, AreLookedForOnADiskThatWasAwayWhenTheStoreWasLost)
{
    Disk disk(world.directory / "disk");
    std::ofstream(disk / "copy") << "x";
    derive(disk / "copy");
    disk.take_away();
    stop();
    std::filesystem::resize_file(world.directory / "tacet.db", 100);
    world.kernel.armed.clear();
    start();
    running->scheduler.settle();
    disk.bring_back();
    EXPECT_FALSE(world.kernel.armed.contains(identity(disk / "copy")));
    running->daemon.look_again();
    running->scheduler.settle();
    EXPECT_TRUE(world.kernel.armed.contains(identity(disk / "copy")));
}

TEST_F(LabelsOfInodes, PartsOfADiskThatIsNowhereWholeAreAllLookedThrough)
{
    std::vector<std::string> files;
    {
        const Disk disk(world.directory / "disk");
        for (const std::string name : {"one", "two"}) {
            std::filesystem::create_directory(disk / name);
            const std::string point = world.directory / name;
            std::filesystem::create_directory(point);
            ASSERT_EQ(mount((disk / name).c_str(), point.c_str(), nullptr, MS_BIND, nullptr), 0);
            files.push_back(point + "/file");
            std::ofstream(files.back()) << "x";
            world.kernel.put_label(files.back(), make_label({category_id("finance", 1000)}));
        }
    }
    kill();
    world.kernel.armed.clear();
    start();
    running->scheduler.settle();
    for (const std::string& file : files) {
        EXPECT_TRUE(world.kernel.armed.contains(identity(file))) << file;
        EXPECT_EQ(umount2(std::filesystem::path(file).parent_path().c_str(), MNT_DETACH), 0);
    }
}

TEST_F(LabelsOfInodes, DiskThatDoesNotAnswerIsTriedAgain)
{
    const std::string path = make_file("copy");
    derive(path);
    stop();
    world.kernel.armed.clear();
    world.kernel.refuses_files = true;
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_EQ(list().files[0].presence, Presence::Failed);
    world.kernel.refuses_files = false;
    advance(6min);
    EXPECT_EQ(list().files[0].presence, Presence::Kept);
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
}

TEST_F(LabelsOfInodes, LookUpThatHangsLosesNothing)
{
    const std::string path = make_file("copy");
    derive(path);
    running->lookups.held = true;
    running->daemon.look_again();
    running->lookups.hang();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_EQ(list().files[0].presence, Presence::Failed);
    advance(6min);
    EXPECT_EQ(list().files[0].presence, Presence::Kept);
}

TEST_F(LabelsOfInodes, FileThatIsMovedBeforeItIsSeenIsIndexedAndFound)
{
    label_file("salaries");
    const std::string written = make_file("temporary");
    world.kernel.put_label(written, make_label({category_id("finance", 1000)}));
    const std::string final = world.directory / "final";
    std::filesystem::rename(written, final);
    derive(identity(final), written);
    EXPECT_THAT(paths(), testing::Contains(final));
}

TEST_F(LabelsOfInodes, FileThatIsMovedFarAwayIsInForceAfterTheNextStart)
{
    label_file("salaries");
    std::filesystem::create_directory(world.directory / "far");
    const std::string written = make_file("temporary");
    world.kernel.put_label(written, make_label({category_id("finance", 1000)}));
    const std::string final = world.directory / "far/final";
    std::filesystem::rename(written, final);
    derive(identity(final), written);
    EXPECT_THAT(paths(), SizeIs(2));
    advance(3s);
    reboot();
    EXPECT_TRUE(world.kernel.armed.contains(identity(final)));
    EXPECT_THAT(paths(), testing::Contains(final));
}

TEST_F(LabelsOfInodes, ReusedInodeIsNotTheSameFile)
{
    const std::string path = label_file("a");
    const FileKey key = list().files[0].key;
    FileKey earlier = key;
    // The generation is part of the handle.
    for (std::uint8_t& byte : earlier.handle)
        byte = byte == key.handle.back() && &byte != earlier.handle.data() ? static_cast<std::uint8_t>(byte + 1) : byte;
    ASSERT_NE(earlier, key);
    const std::string sql = "UPDATE file SET handle = ? WHERE path = ?";
    ASSERT_TRUE(running->store.database.prepare(sql).bind_blob(earlier.handle).bind(path).finish());
    running->daemon.look_again();
    EXPECT_NE(list().files[0].presence, Presence::Kept);
}

TEST_F(LabelsOfInodes, OwnerIsTheInodesAtEveryLook)
{
    const std::string path = label_file("a");
    ASSERT_EQ(chown(path.c_str(), 1001, 1001), 0);
    EXPECT_EQ(remove({path})[0].error.code, ErrorCode::NotOwner);
    running->daemon.look_again();
    EXPECT_THAT(paths(user), IsEmpty());
    EXPECT_THAT(paths(other), ElementsAre(path));
}

TEST_F(LabelsOfInodes, LabelThatRootTookAwayIsGone)
{
    const std::string path = label_file("a");
    world.kernel.put_label(path, {});
    world.kernel.labels.erase(identity(path));
    running->daemon.look_again();
    EXPECT_EQ(list().files[0].presence, Presence::Gone);
}

TEST_F(LabelsOfInodes, LostNoticesAreMadeGood)
{
    running->scheduler.settle();
    const std::string path = make_file("copy");
    world.kernel.put_label(path, make_label({category_id("finance", 1000)}));
    lose_notices();
    running->scheduler.settle();
    EXPECT_THAT(paths(), ElementsAre(path));
}

TEST_F(LabelsOfInodes, StoreThatCannotBeWrittenIsNotTakenForComplete)
{
    running->scheduler.settle();
    Database& database = running->store.database;
    ASSERT_TRUE(database.run("CREATE TEMP TRIGGER refusal BEFORE UPDATE ON file_system BEGIN SELECT RAISE(ABORT, 'full'); END"));
    const std::string path = make_file("copy");
    world.kernel.put_label(path, make_label({category_id("finance", 1000)}));
    lose_notices();
    running->scheduler.settle();
    EXPECT_THAT(running->lookups.looked.back().head, ElementsAre(world.directory.path(), "all but"));
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
    EXPECT_FALSE(running->daemon.is_settled());
    ASSERT_TRUE(database.run("DROP TRIGGER refusal"));
    advance(6min);
    EXPECT_TRUE(running->daemon.is_settled());
    EXPECT_THAT(LabelStore(database).file_systems(true), SizeIs(1));
}

TEST_F(LabelsOfInodes, RunningLookIsNotBegunAnewAndIsFollowedByAnother)
{
    running->scheduler.settle();
    lose_notices();
    const std::size_t looks = running->lookups.looked.size();
    for (int count = 0; count < 5; ++count)
        lose_notices();
    EXPECT_THAT(running->lookups.looked, SizeIs(looks));
    running->scheduler.settle();
    EXPECT_THAT(running->lookups.looked, SizeIs(looks + 1));
    EXPECT_THAT(LabelStore(running->store.database).file_systems(true), SizeIs(1));
}

TEST_F(LabelsOfInodes, DiskThatHoldsUpALookIsLeftOutForAWhile)
{
    running->scheduler.settle();
    running->lookups.hangs_at = "uuid slow";
    lose_notices();
    running->scheduler.settle();
    running->lookups.hangs_at.clear();
    advance(11min);
    EXPECT_THAT(running->lookups.looked.back().head, ElementsAre(world.directory.path(), "all but", "uuid slow"));
    EXPECT_THAT(LabelStore(running->store.database).file_systems(false), ElementsAre("uuid slow"));
    advance(2h);
    EXPECT_THAT(running->lookups.looked.back().head, ElementsAre(world.directory.path(), "only", "uuid slow"));
}

TEST_F(LabelsOfInodes, FileThatIsMissedDuringALookKeepsItsFileSystemIncomplete)
{
    const std::string written = make_file("temporary");
    world.kernel.put_label(written, make_label({category_id("finance", 1000)}));
    std::filesystem::create_directory(world.directory / "far");
    std::filesystem::rename(written, world.directory / "far/final");
    derive(identity(world.directory / "far/final"), written);
    running->scheduler.settle();
    EXPECT_THAT(LabelStore(running->store.database).file_systems(false), SizeIs(1));
}

TEST_F(LabelsOfInodes, FileWhoseLookUpHungIsInForceAfterTheNextBoot)
{
    world.clock.boot = "an earlier one";
    reboot();
    const std::string path = make_file("copy");
    world.kernel.put_label(path, make_label({category_id("finance", 1000)}));
    running->lookups.held = true;
    derive(identity(path), path);
    running->lookups.hang();
    EXPECT_FALSE(running->daemon.is_settled());
    world.clock.boot = SystemClock().boot_id();
    reboot();
    EXPECT_THAT(paths(), ElementsAre(path));
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
}

TEST_F(LabelsOfInodes, LookUpByAnotherUsersRightsStillEndsWithTheDaemon)
{
    const std::string path = make_file("file");
    int before = 0;
    ASSERT_EQ(prctl(PR_GET_PDEATHSIG, &before), 0);
    ASSERT_EQ(prctl(PR_SET_PDEATHSIG, SIGCONT), 0);
    EXPECT_EQ(lookup::find_path(path, {getpid(), 1000, {1000}, false}).presence, Presence::Kept);
    int after = 0;
    EXPECT_EQ(prctl(PR_GET_PDEATHSIG, &after), 0);
    EXPECT_EQ(after, SIGCONT);
    EXPECT_EQ(prctl(PR_SET_PDEATHSIG, before), 0);
}

TEST_F(LabelsOfInodes, OnlyWhatWasLookedThroughIsComplete)
{
    std::vector<std::string> told;
    const auto look = [&](bool is_wanted) {
        told.clear();
        lookup::find_labels(world.directory.path(), [&](const std::string&) { return is_wanted; },
                            {[](Finding) {}, [&](const std::string& verb, const std::string&) { told.push_back(verb); }});
        return told;
    };
    EXPECT_THAT(look(true), ElementsAre("into", "through"));
    EXPECT_THAT(look(false), ElementsAre("seen"));
}

TEST_F(LabelsOfInodes, FileSystemsAreLookedThroughAgainOnlyAfterAnEndThatWasNotClean)
{
    const auto looks = [this] {
        running->scheduler.settle();
        return running->lookups.looked.back().head;
    };
    EXPECT_EQ(looks()[1], "all but");
    stop();
    start();
    EXPECT_THAT(looks(), ElementsAre(world.directory.path(), "only"));
    kill();
    start();
    EXPECT_THAT(looks(), ElementsAre(world.directory.path(), "all but"));
    stop();
    start();
    EXPECT_THAT(looks(), ElementsAre(world.directory.path(), "only"));
}

TEST_F(LabelsOfInodes, EntryIsForgottenOnlyWhereNoFileIs)
{
    const std::string path = label_file("a");
    std::filesystem::rename(path, world.directory / "b");
    EXPECT_EQ(remove({path})[0].error.code, ErrorCode::NotFound);
    EXPECT_THAT(paths(), ElementsAre(world.directory / "b"));
    std::filesystem::remove(world.directory / "b");
    EXPECT_EQ(remove({world.directory / "b"}, other)[0].error.code, ErrorCode::NotFound);
    EXPECT_THAT(remove({world.directory / "b"}), IsEmpty());
    EXPECT_THAT(paths(), IsEmpty());
}

} // namespace
} // namespace tacet
