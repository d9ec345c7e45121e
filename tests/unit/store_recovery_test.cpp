// SPDX-License-Identifier: GPL-3.0-or-later
// A store that was damaged, emptied, locked, or left in the middle of something.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "daemon/labels/label_store.h"
#include "daemon/memory/memory_store.h"
#include "daemon/rules/rule_store.h"
#include "daemon/store/store.h"
#include "temporary_directory.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class StoreRecovery : public testing::Test {
protected:
    Result<Store> open() { return open_store(directory.path(), migrations()); }
    std::string file() const { return directory / "tacet.db"; }

    // A store with a labelled file, two rules and a guarded category, which came to an orderly end.
    void fill()
    {
        auto store = open();
        ASSERT_TRUE(store);
        LabelStore labels(store->database);
        LabelledFile entry;
        entry.path = "/home/needle";
        entry.key = {"uuid 1", {1, 2, 3}};
        entry.label = make_label({category_id("finance", 1000)});
        ASSERT_TRUE(labels.put(entry));
        ASSERT_TRUE(labels.set_guarded({category_id("keys", 1000), "keys", 1000}, true));
        ASSERT_TRUE(RuleStore(store->database).add(rule(Verdict::Block)));
        ASSERT_TRUE(RuleStore(store->database).add(rule(Verdict::Allow)));
        ASSERT_TRUE(MemoryStore(store->database).set_scope(contract::MemoryScope::Everything));
        ASSERT_TRUE(MemoryStore(store->database).add_program(1000, "/usr/bin/gpg"));
        ASSERT_TRUE(seal(*store));
        std::filesystem::create_directory(directory / "shadow");
    }

    static Rule rule(Verdict verdict)
    {
        Rule rule;
        rule.owner = 1000;
        rule.verdict = verdict;
        rule.scope.executable = "/usr/bin/curl";
        rule.lifetime.duration = Duration::Always;
        return rule;
    }

    void overwrite(std::uint64_t place, const std::string& bytes)
    {
        std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(place));
        stream << bytes;
    }

    std::vector<Verdict> verdicts(Store& store)
    {
        std::vector<Verdict> found;
        for (const Rule& rule : RuleStore(store.database).load())
            found.push_back(rule.verdict);
        return found;
    }

    // Told until the damaged one is moved away, and no longer.
    void expect_told()
    {
        auto store = open();
        ASSERT_TRUE(store) << store.error().message;
        EXPECT_THAT(store->damage, HasSubstr("tacet.db.damaged-1"));
        EXPECT_FALSE(store->is_trusted);
        EXPECT_FALSE(LabelStore(store->database).knows_all_file_systems());
        EXPECT_THAT(open()->damage, Not(IsEmpty()));
        std::filesystem::remove(directory / "tacet.db.damaged-1");
        EXPECT_THAT(open()->damage, IsEmpty());
    }

    TemporaryDirectory directory;
};

TEST_F(StoreRecovery, FirstStoreIsTrusted)
{
    EXPECT_TRUE(open()->is_trusted);
    EXPECT_FALSE(open()->is_trusted);
}

TEST_F(StoreRecovery, StoreIsTrustedOnceAfterAnOrderlyEnd)
{
    fill();
    EXPECT_TRUE(open()->is_trusted);
    EXPECT_FALSE(open()->is_trusted);
}

TEST_F(StoreRecovery, ChangedByteBreaksTheSeal)
{
    fill();
    std::string content(std::filesystem::file_size(file()), '\0');
    std::ifstream(file(), std::ios::binary).read(content.data(), static_cast<std::streamsize>(content.size()));
    for (std::size_t place = 0; (place = content.find("/home/needle", place)) != std::string::npos; ++place)
        overwrite(place + 6, "N");
    const auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->damage, "");
    EXPECT_FALSE(store->is_trusted);
}

TEST_F(StoreRecovery, LostJournalIsNotTakenForTheEarlierOrderlyEnd)
{
    fill();
    std::filesystem::create_directory(directory / "kept");
    {
        auto store = open();
        ASSERT_TRUE(store->is_trusted);
        ASSERT_TRUE(RuleStore(store->database).add(rule(Verdict::Quit)));
        // As the disk has it when the power fails and takes the journal.
        std::filesystem::copy(file(), directory / "kept");
    }
    std::filesystem::rename(directory / "kept/tacet.db", file());
    EXPECT_FALSE(open()->is_trusted);
}

TEST_F(StoreRecovery, RubbishInPlaceOfTheStore)
{
    directory.write("tacet.db", std::string(8192, 'x'));
    expect_told();
}

TEST_F(StoreRecovery, EmptyFileInPlaceOfTheStore)
{
    fill();
    std::filesystem::resize_file(file(), 0);
    expect_told();
}

TEST_F(StoreRecovery, StoreThatIsMissingThoughThereWasOne)
{
    fill();
    std::filesystem::remove(file());
    expect_told();
}

TEST_F(StoreRecovery, SpoiltFirstPage)
{
    fill();
    overwrite(0, std::string(4096, '\x55'));
    expect_told();
}

TEST_F(StoreRecovery, WrittenByANewerDaemonAndItsFilesAreFoundAgain)
{
    fill();
    ASSERT_TRUE(open()->database.run("PRAGMA user_version = 99"));
    auto store = open();
    EXPECT_THAT(store->salvaged_paths, ElementsAre("/home/needle"));
    EXPECT_THAT(store->damage, HasSubstr("damaged-1"));
}

TEST_F(StoreRecovery, RefusalsAreTakenOverAndPermissionsAreNot)
{
    fill();
    ASSERT_TRUE(open()->database.run("PRAGMA user_version = 99"));
    auto store = open();
    EXPECT_THAT(verdicts(*store), ElementsAre(Verdict::Block));
    const auto guarded = LabelStore(store->database).guarded();
    ASSERT_THAT(*guarded, SizeIs(1));
    EXPECT_EQ(guarded->front().kind, "keys");
}

TEST_F(StoreRecovery, RefusalsOfAStoreWithoutKindsOfDestinationsAreTakenOver)
{
    fill();
    ASSERT_TRUE(
        open()->database.run("ALTER TABLE rule ADD COLUMN changes INTEGER NOT NULL DEFAULT 0; UPDATE rule SET host = '/dev/sdb1';"
                             "ALTER TABLE rule DROP COLUMN sink; PRAGMA user_version = 99"));
    auto store = open();
    EXPECT_THAT(verdicts(*store), ElementsAre(Verdict::Block));
    EXPECT_EQ(RuleStore(store->database).load().front().scope.sink, Sink::Device);
}

TEST_F(StoreRecovery, StartThatWasKilledAfterSettingAsideIsContinued)
{
    fill();
    ASSERT_TRUE(open()->database.run("PRAGMA user_version = 99"));
    std::filesystem::rename(file(), directory / "tacet.db.damaged-1");
    directory.write("tacet.db.new", "half");
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_THAT(verdicts(*store), ElementsAre(Verdict::Block));
    EXPECT_FALSE(store->is_trusted);
    EXPECT_FALSE(LabelStore(store->database).knows_all_file_systems());
    EXPECT_FALSE(std::filesystem::exists(directory / "tacet.db.damaged-2"));
}

TEST_F(StoreRecovery, NewStoreNeedsNoJournal)
{
    fill();
    ASSERT_TRUE(open()->database.run("PRAGMA user_version = 99"));
    // As when the disk is full just after the new store got its name: a reader of the old one holds nothing back.
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    std::filesystem::create_directory(directory / "kept");
    std::filesystem::copy(file(), directory / "kept");
    auto alone = Database::open(directory / "kept/tacet.db");
    ASSERT_TRUE(alone);
    ASSERT_THAT(RuleStore(*alone).load(), SizeIs(1));
}

TEST_F(StoreRecovery, LostStoreIsTakenOverWhollyOrNotAtAll)
{
    fill();
    {
        auto store = open();
        for (int number = 0; number < 200; ++number)
            ASSERT_TRUE(RuleStore(store->database).add(rule(Verdict::Block)));
        ASSERT_TRUE(store->database.run("PRAGMA user_version = 99"));
    }
    static const auto full = [](Database& database) { return database.run("PRAGMA max_page_count = 1"); };
    std::vector<Migration> steps(migrations().begin(), migrations().end());
    steps.back() = [](Database& database) {
        const auto done = migrations().back()(database);
        return done ? full(database) : done;
    };
    const auto refused = open_store(directory.path(), steps);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::DiskFull);
    EXPECT_FALSE(std::filesystem::exists(file()));
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_THAT(verdicts(*store), SizeIs(201));
}

TEST_F(StoreRecovery, JournalThatIsLeftBehindIsNotTheNewStores)
{
    fill();
    std::filesystem::create_directory(directory / "kept");
    {
        auto store = open();
        ASSERT_TRUE(RuleStore(store->database).add(rule(Verdict::Quit)));
        std::filesystem::copy(file() + "-wal", directory / "kept");
    }
    std::filesystem::remove(file());
    std::filesystem::copy(directory / "kept/tacet.db-wal", directory.path());
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_THAT(verdicts(*store), IsEmpty());
}

TEST_F(StoreRecovery, LockedStoreStaysWithItsRules)
{
    fill();
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
    const auto refused = open();
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().code, ErrorCode::StoreDamaged);
    EXPECT_FALSE(std::filesystem::exists(directory / "tacet.db.damaged-1"));
    sqlite3_close(other);
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_THAT(verdicts(*store), ElementsAre(Verdict::Block, Verdict::Allow));
    EXPECT_EQ(store->damage, "");
}

TEST_F(StoreRecovery, IndexThatDoesNotFitIsMadeAgainAndCostsNoRule)
{
    fill();
    std::uint64_t page = 0;
    {
        auto store = open();
        Statement query = store->database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'file_path'");
        ASSERT_TRUE(query.step());
        page = static_cast<std::uint64_t>(query.integer());
    }
    std::string content(4096, '\0');
    std::ifstream stream(file(), std::ios::binary);
    stream.seekg(static_cast<std::streamoff>((page - 1) * 4096));
    stream.read(content.data(), 4096);
    const std::size_t place = content.find("needle");
    ASSERT_NE(place, std::string::npos);
    overwrite((page - 1) * 4096 + place, "NEEDLE");
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->damage, "");
    EXPECT_THAT(LabelStore(store->database).find_at("/home/needle"), SizeIs(1));
    EXPECT_THAT(verdicts(*store), SizeIs(2));
}

TEST_F(StoreRecovery, TableOfAnotherNameIsDamage)
{
    fill();
    ASSERT_TRUE(open()->database.run("ALTER TABLE rule RENAME TO rulf"));
    expect_told();
}

TEST_F(StoreRecovery, EarlierStoreIsKeyedByInode)
{
    {
        auto database = Database::open(file());
        ASSERT_TRUE(migrate(*database, migrations().first(4)));
        ASSERT_TRUE(database->run(R"(
            INSERT INTO file (id, path, device, inode, handle, owner, derived, missing, since) VALUES
                (1, '/a', 5, 10, x'0102', 1000, 0, 0, 7), (2, '/link', 5, 10, x'0102', 1000, 0, 0, 8),
                (3, '/other', 6, 10, x'0102', 1001, 1, 1, 9);
            INSERT INTO file_category VALUES (1, 100), (2, 100), (2, 200), (3, 300);)"));
    }
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    LabelStore labels(store->database);
    const auto files = labels.list(std::nullopt, 0, 10);
    ASSERT_THAT(files, SizeIs(2));
    EXPECT_EQ(files[0].path, "/a");
    EXPECT_EQ(files[0].label, make_label({100, 200}));
    EXPECT_EQ(files[0].key, (FileKey{"device 5", {1, 2}}));
    EXPECT_EQ(files[1].path, "/other");
    EXPECT_EQ(files[1].presence, Presence::Gone);
    EXPECT_TRUE(files[1].derived);
}

} // namespace
} // namespace tacet
