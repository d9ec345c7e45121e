// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a label and its shadow file.
#include "daemon/labels/shadow_service.h"
#include "label_fixture.h"

namespace tacet {
namespace {

TEST_F(Labels, AreOnTheInodeAndInTheIndex)
{
    const std::string path = make_file("a");
    EXPECT_THAT(add({path}), IsEmpty());
    EXPECT_THAT(add({path}, "keys"), IsEmpty());
    EXPECT_EQ(world.kernel.labels[identity(path)], make_label({category_id("finance", 1000), category_id("keys", 1000)}));
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_THAT(list().files[0].categories, ElementsAre("finance", "keys"));
    EXPECT_THAT(list(other).files, IsEmpty());
}

TEST_F(Labels, MarkingManySignalsOnce)
{
    std::vector<std::string> paths;
    for (int number = 0; number < 200; ++number)
        paths.push_back(make_file("file" + std::to_string(number)));
    EXPECT_THAT(add(paths), IsEmpty());
    advance(99ms);
    EXPECT_EQ(world.signals.labels + world.signals.log, 0);
    advance(1ms);
    EXPECT_EQ(world.signals.labels, 1);
    EXPECT_EQ(world.signals.log, 1);
    EXPECT_THAT(log_kinds(), SizeIs(200));
}

TEST_F(Labels, MarkingTwiceChangesNothing)
{
    const std::string path = make_file("a");
    add({path});
    advance(1s);
    const int signals = world.signals.labels;
    EXPECT_THAT(add({path}), IsEmpty());
    advance(1s);
    EXPECT_EQ(world.signals.labels, signals);
    EXPECT_THAT(log_kinds(), ElementsAre("labelled:"));
}

TEST_F(Labels, UnmarkingClearsInodeIndexAndShadow)
{
    const std::string path = make_file("a");
    add({path});
    running->worker.finish_all();
    EXPECT_THAT(remove({path}), IsEmpty());
    EXPECT_THAT(world.kernel.labels, IsEmpty());
    EXPECT_THAT(list().files, IsEmpty());
    EXPECT_TRUE(std::filesystem::is_empty(world.directory / "shadow"));
    EXPECT_EQ(remove({path})[0].error.code, ErrorCode::NotLabelled);
}

TEST_F(Labels, FileThatIsGoneCanBeUnmarked)
{
    const std::string path = make_file("a");
    add({path});
    std::filesystem::remove(path);
    EXPECT_THAT(remove({path}), IsEmpty());
    EXPECT_THAT(list().files, IsEmpty());
}

TEST_F(Labels, AnotherPersonsFileNeedsAuthority)
{
    const std::string own = make_file("own");
    const std::string foreign = make_file("foreign", "x", 1001);
    const auto failures = add({own, foreign});
    ASSERT_THAT(failures, SizeIs(1));
    EXPECT_EQ(failures[0].error.code, ErrorCode::NotOwner);
    EXPECT_EQ(list(root).total, 1U);
    world.authority.allowed.insert("org.tacet.tacet1.label-others");
    EXPECT_THAT(add({foreign}), IsEmpty());
    EXPECT_EQ(list(other).total, 1U);
}

TEST_F(Labels, LinkIsJudgedByWhatItPointsTo)
{
    const std::string foreign = make_file("foreign", "x", 1001);
    std::filesystem::create_symlink(foreign, world.directory / "link");
    EXPECT_EQ(add({world.directory / "link"})[0].error.code, ErrorCode::NotOwner);
    const std::string own = make_file("own");
    std::filesystem::create_symlink(own, world.directory / "link2");
    EXPECT_THAT(add({world.directory / "link2"}), IsEmpty());
    EXPECT_EQ(list().files[0].path, own);
}

TEST_F(Labels, ShadowIsMadeAndHandedToTheKernel)
{
    const std::string path = make_file("a");
    add({path});
    EXPECT_FALSE(list().files[0].shadow);
    running->worker.finish_all();
    EXPECT_TRUE(list().files[0].shadow);
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(path)));
}

TEST_F(Labels, ShadowOfAFileThatChangedMeanwhileIsMadeAgain)
{
    const std::string path = make_file("a");
    add({path});
    make_file("a", "longer than before\n");
    running->worker.finish_all();
    EXPECT_FALSE(world.kernel.shadowed.contains(identity(path)));
    advance(3s);
    running->worker.finish_all();
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(path)));
}

TEST_F(Labels, OneScrubberRunsAtATimeForManyFiles)
{
    std::vector<std::string> paths;
    for (int number = 0; number < 100; ++number)
        paths.push_back(make_file(std::to_string(number)));
    EXPECT_THAT(add(paths), IsEmpty());
    EXPECT_THAT(running->worker.waiting, SizeIs(1));
    running->worker.finish_all();
    EXPECT_THAT(running->worker.started, ElementsAre(1, ScrubWorker::files_max, 35));
    for (const LabelledFile& file : list().files)
        EXPECT_TRUE(file.shadow) << file.path;
}

TEST(ShadowRoom, IsMoreThanATwentieth)
{
    EXPECT_TRUE(leaves_room(16, 100, 10));
    EXPECT_FALSE(leaves_room(15, 100, 10));
    EXPECT_FALSE(leaves_room(9, 100, 10));
    EXPECT_TRUE(leaves_room(11, 10, 10));
    EXPECT_FALSE(leaves_room(10, 10, 10));
    EXPECT_FALSE(leaves_room(50, 100, UINT64_MAX));
    EXPECT_TRUE(leaves_room(UINT64_MAX, UINT64_MAX, 1));
}

TEST_F(Labels, AreArmedAgainAfterARestart)
{
    const std::string path = make_file("a");
    add({path});
    running->worker.finish_all();
    stop();
    world.kernel.armed.clear();
    world.kernel.shadowed.clear();
    start();
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(path)));
}

TEST_F(Labels, RenamedFileIsFoundAgain)
{
    const std::string path = make_file("a");
    add({path});
    stop();
    std::filesystem::rename(path, world.directory / "b");
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_EQ(list().files[0].path, world.directory / "b");
    EXPECT_EQ(list().files[0].presence, Presence::Kept);
}

TEST_F(Labels, MissingFileIsKeptAndFlagged)
{
    const std::string path = make_file("a");
    add({path});
    stop();
    std::filesystem::rename(path, path + ".away");
    make_file("a", "another file under the old name");
    std::filesystem::remove(path + ".away");
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_EQ(list().files[0].presence, Presence::Gone);
    EXPECT_FALSE(world.kernel.labels.contains(identity(path)));
}

TEST_F(Labels, LostIndexIsRebuiltFromTheInodes)
{
    const std::string path = make_file("a");
    add({path}, "health");
    {
        ASSERT_TRUE(running->store.database.run("PRAGMA user_version = 99"));
    }
    stop();
    start();
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_THAT(list().files[0].categories, ElementsAre("health"));
    EXPECT_TRUE(world.kernel.armed.contains(identity(path)));
}

TEST_F(Labels, DerivedFileIsListedAndForgottenWhenItIsGone)
{
    const std::string path = make_file("copy");
    const Label label = make_label({category_id("finance", 1000)});
    world.kernel.labels[identity(path)] = label;
    Notice notice;
    notice.kind = NoticeKind::Labelled;
    notice.uid = 1000;
    notice.file = identity(path);
    notice.label = label;
    notice.path = path;
    world.kernel.on_event(notice);
    ASSERT_THAT(list().files, SizeIs(1));
    EXPECT_TRUE(list().files[0].derived);
    EXPECT_THAT(log_kinds(user), ElementsAre("derived:"));
    std::filesystem::rename(path, path + "2");
    advance(3s);
    EXPECT_EQ(list().files[0].path, path + "2");
    std::filesystem::remove(path + "2");
    stop();
    start();
    EXPECT_THAT(list().files, IsEmpty());
}

TEST_F(Labels, NothingIsLabelledWithoutTheModule)
{
    const std::string path = make_file("a");
    world.kernel.enter(ModuleState::Absent);
    ErrorCode code = ErrorCode::Failed;
    running->daemon.services().labels.add(user, {path}, "finance",
                                          [&](const Result<std::vector<PathFailure>>& reply) { code = reply.error().code; });
    EXPECT_EQ(code, ErrorCode::ModuleAbsent);
}

TEST_F(Labels, FullDiskLeavesInodesAsTheyWere)
{
    std::vector<std::string> paths;
    for (int number = 0; number < 64; ++number)
        paths.push_back(make_file("file-" + std::to_string(number)));
    ASSERT_TRUE(running->store.database.run("PRAGMA max_page_count = 1"));
    const auto failures = add(paths);
    ASSERT_FALSE(failures.empty());
    for (const PathFailure& failure : failures) {
        EXPECT_EQ(failure.error.code, ErrorCode::DiskFull);
        EXPECT_FALSE(world.kernel.labels.contains(identity(failure.path)));
    }
    EXPECT_EQ(list().total + failures.size(), paths.size());
}

TEST_F(Labels, GuardIsEachPersonsOwnAndLasts)
{
    ASSERT_TRUE(guard({"keys", "finance"}));
    ASSERT_TRUE(guard({"mail"}, other));
    EXPECT_THAT(guarded(), ElementsAre("finance", "keys"));
    EXPECT_THAT(guarded(other), ElementsAre("mail"));
    const auto label = make_label({category_id("keys", 1000), category_id("finance", 1000), category_id("mail", 1001)});
    EXPECT_EQ(world.kernel.guarded, label.categories);
    world.kernel.guarded.clear();
    stop();
    start();
    EXPECT_EQ(world.kernel.guarded, label.categories);
    EXPECT_EQ(guard({"keys", "nonsense"}).error().code, ErrorCode::InvalidCategory);
    EXPECT_THAT(guarded(), ElementsAre("finance", "keys"));
}

TEST_F(Labels, LessGuardNeedsAuthority)
{
    ASSERT_TRUE(guard({"keys"}));
    world.authority.allowed.erase("org.tacet.tacet1.label-remove");
    EXPECT_TRUE(guard({"keys", "mail"}));
    EXPECT_EQ(guard({"mail"}).error().code, ErrorCode::AccessDenied);
    EXPECT_THAT(guarded(), ElementsAre("keys", "mail"));
}

TEST_F(Labels, GuardWaitsForTheModule)
{
    world.kernel.enter(ModuleState::Absent);
    ASSERT_TRUE(guard({"keys"}));
    EXPECT_THAT(world.kernel.guarded, IsEmpty());
    world.kernel.enter(ModuleState::Active);
    EXPECT_THAT(world.kernel.guarded, ElementsAre(category_id("keys", 1000)));
}

TEST_F(Labels, GuardThatTheKernelRefusesIsNotKept)
{
    ASSERT_TRUE(guard({"keys"}));
    world.kernel.refuses_guard = true;
    EXPECT_EQ(guard({"keys", "mail"}).error().code, ErrorCode::Failed);
    EXPECT_THAT(guarded(), ElementsAre("keys"));
}

TEST_F(Labels, KindsThatManyPeopleGuardAreBounded)
{
    const std::vector<std::string> all(category_kinds.begin(), category_kinds.end());
    for (uid_t uid = 1000; uid < 1010; ++uid)
        ASSERT_TRUE(guard(all, {":1.9", uid, 60, {}}));
    const Caller late{":1.9", 1010, 60, {}};
    EXPECT_EQ(guard({"mail"}, late).error().code, ErrorCode::TooMany);
    EXPECT_THAT(guarded(late), IsEmpty());
    EXPECT_THAT(world.kernel.guarded, SizeIs(guarded_max));
}

TEST_F(Labels, UsersOfContainersTakeTheSlotsOfOnePerson)
{
    const std::vector<std::string> all(category_kinds.begin(), category_kinds.end());
    ASSERT_TRUE(guard(all, {":1.9", 100'001, 60, {}}));
    EXPECT_EQ(guard({"mail"}, {":1.9", 100'002, 60, {}}).error().code, ErrorCode::TooMany);
    EXPECT_TRUE(guard({"mail"}));
}

TEST_F(Labels, FilesThatNobodyFoundTakeNoRoomOfThePersonWhoseDataTheyAre)
{
    fill_with_derived(1000, "zeroblob(8)");
    const std::string his = make_file("his");
    derive(his);
    EXPECT_THAT(LabelStore(running->store.database).find_at(his), SizeIs(1));
}

TEST_F(Labels, DerivedFileWithoutRoomIsFoundAtTheNextStart)
{
    running->scheduler.settle();
    fill_with_derived(1001, "zeroblob(9)");
    LabelStore labels(running->store.database);
    ASSERT_THAT(labels.file_systems(false), IsEmpty());
    const std::string hers = make_file("hers", "x", 1001);
    derive(hers, 1001);
    EXPECT_THAT(labels.find_at(hers), IsEmpty());
    EXPECT_THAT(labels.file_systems(false), SizeIs(1));
    const std::string his = make_file("his");
    derive(his);
    EXPECT_THAT(labels.find_at(his), SizeIs(1));
}

TEST_F(Labels, RemovingHoldsNoFileOpenWhileLostOnesAreLookedFor)
{
    const std::string lost = label_file("lost");
    const std::string there = label_file("there");
    std::filesystem::remove(lost);
    running->scheduler.settle();
    const auto count_open = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}); };
    const auto before = count_open();
    running->lookups.held = true;
    running->daemon.services().labels.remove(user, {lost, there}, [](const Result<std::vector<PathFailure>>&) {});
    // The paths are known now, and the lost file is looked for.
    auto first = std::exchange(running->lookups.waiting, {});
    ASSERT_THAT(first, SizeIs(1));
    running->lookups.answer(std::move(first));
    ASSERT_THAT(running->lookups.waiting, SizeIs(1));
    EXPECT_EQ(count_open(), before);
    running->lookups.come();
    running->scheduler.settle();
    EXPECT_THAT(list().files, IsEmpty());
}

TEST_F(Labels, ShadowLeavesWithTheEntryOfItsFile)
{
    const std::string path = make_file("a");
    derive(path);
    advance(3s);
    running->worker.finish_all();
    const auto shadows = [this] { return std::distance(std::filesystem::directory_iterator(world.directory / "shadow"), {}); };
    ASSERT_EQ(shadows(), 1);
    std::filesystem::remove(path);
    remove({path});
    EXPECT_THAT(list().files, IsEmpty());
    EXPECT_EQ(shadows(), 0);
}

TEST_F(Labels, TooManyOfOnePersonLeaveRoomForOthers)
{
    fill_with_derived(1000, "zeroblob(9)");
    ASSERT_TRUE(running->store.database.run("UPDATE file SET derived = 0"));
    const std::string his = make_file("his");
    EXPECT_EQ(add({his})[0].error.code, ErrorCode::TooMany);
    label_file("hers", 1001);
}

TEST_F(Labels, RuleAboutAFileCoversOnlyItsOwnLabel)
{
    world.agents.users.insert(1000);
    const std::string path = make_file("a");
    add({path});
    Question question = make_question(1);
    question.origin = identity(path);
    question.file = path;
    world.kernel.ask(question);
    ASSERT_TRUE(answer(1, Verdict::Allow, Duration::Always));
    question.id = 2;
    world.kernel.ask(question);
    EXPECT_EQ(last_verdict().question, 2U);
    question.id = 3;
    question.label = make_label({category_id("finance", 1000), category_id("keys", 1000)});
    world.kernel.ask(question);
    EXPECT_THAT(questions(), SizeIs(1));
}

TEST_F(Labels, ShadowsOfOnePersonLeaveRoomForOthers)
{
    const std::string sql = "INSERT INTO file (file_system, handle, path, owner, derived, presence, shadow, shadow_size, since)"
                            " VALUES ('away', zeroblob(9), '/away', 1000, 0, 1, 1, ?, 1)";
    ASSERT_TRUE(running->store.database.prepare(sql).bind(static_cast<std::int64_t>(limit_of(Resource::ShadowBytes))).finish());
    const std::string more = label_file("more");
    const std::string hers = label_file("hers", 1001);
    running->worker.finish_all();
    EXPECT_FALSE(world.kernel.shadowed.contains(identity(more)));
    EXPECT_TRUE(world.kernel.shadowed.contains(identity(hers)));
}

TEST_F(Labels, DialogForAPasswordNamesTheFiles)
{
    const std::string path = label_file("a");
    remove({path});
    EXPECT_EQ(world.authority.told.back().at("polkit.message"), "Authentication is required to unmark " + path);
}

} // namespace
} // namespace tacet
