// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "daemon/labels/label_store.h"
#include "daemon/log/log_store.h"
#include "daemon/rules/rule_store.h"
#include "daemon/store/store.h"
#include "temporary_directory.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

FileKey key_of(std::uint64_t inode)
{
    return {"uuid 1", {static_cast<std::uint8_t>(inode), 2, 3}};
}

LabelledFile make_file(const std::string& path, std::uint64_t inode, uid_t owner = 1000)
{
    LabelledFile file;
    file.path = path;
    file.key = key_of(inode);
    file.owner = owner;
    file.label = make_label({category_id("finance", owner)});
    return file;
}

Result<void> fail(Database& database)
{
    if (auto made = database.run("CREATE TABLE half (x INTEGER)"); !made)
        return made;
    return database.run("NONSENSE");
}

TEST(Store, KeepsWhatItWasGiven)
{
    const TemporaryDirectory directory;
    {
        auto store = open_store(directory.path(), migrations());
        ASSERT_TRUE(store);
        ASSERT_TRUE(LabelStore(store->database).put(make_file("/a", 1)));
    }
    auto store = open_store(directory.path(), migrations());
    ASSERT_TRUE(store);
    EXPECT_EQ(store->damage, "");
    const auto file = LabelStore(store->database).find(key_of(1));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->label, make_label({category_id("finance", 1000)}));
    EXPECT_EQ(file->path, "/a");
}

TEST(Store, EveryPrefixOfTheMigrationsLeadsToTheWhole)
{
    for (std::size_t steps = 0; steps <= migrations().size(); ++steps) {
        auto database = Database::open(":memory:");
        ASSERT_TRUE(migrate(*database, migrations().first(steps)));
        ASSERT_TRUE(migrate(*database, migrations()));
        EXPECT_TRUE(LabelStore(*database).put(make_file("/a", 1)));
        EXPECT_TRUE(RuleStore(*database).add({}));
        EXPECT_TRUE(LogStore(*database).add({}));
    }
}

TEST(Store, FailedMigrationLeavesNothingHalfDone)
{
    auto database = Database::open(":memory:");
    const std::vector<Migration> steps{migrations()[0], fail};
    EXPECT_FALSE(migrate(*database, steps));
    EXPECT_FALSE(database->run("SELECT * FROM half"));
    Statement version = database->prepare("PRAGMA user_version");
    ASSERT_TRUE(version.step());
    EXPECT_EQ(version.integer(), 1);
}

TEST(LabelStore, ReplacesTheEntryOfTheInodeAndOfNoOther)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations()));
    LabelStore labels(*database);
    const auto first = labels.put(make_file("/a", 1));
    EXPECT_EQ(*labels.put(make_file("/b", 1)), *first);
    EXPECT_NE(*labels.put(make_file("/b", 2)), *first);
    EXPECT_EQ(labels.count(std::nullopt), 2U);
    EXPECT_EQ(labels.find(key_of(1))->path, "/b");
}

TEST(LabelStore, KeyWithoutAHandleIsAKey)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations()));
    LabelledFile file = make_file("/a", 1);
    file.key.handle.clear();
    EXPECT_TRUE(LabelStore(*database).put(file));
}

TEST(LabelStore, ListsOnesOwnInPages)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations()));
    LabelStore labels(*database);
    for (const char* path : {"/c", "/a", "/b"})
        ASSERT_TRUE(labels.put(make_file(path, static_cast<std::uint64_t>(path[1]))));
    ASSERT_TRUE(labels.put(make_file("/other", 9, 1001)));
    const auto page = labels.list(1000, 1, 1);
    ASSERT_THAT(page, SizeIs(1));
    EXPECT_EQ(page[0].path, "/b");
    EXPECT_EQ(labels.count(1000), 3U);
    EXPECT_EQ(labels.count(std::nullopt), 4U);
}

TEST(Database, StatementIsUsedAgainWithNothingLeftInIt)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(database->run("CREATE TABLE t (a INTEGER, b TEXT)"));
    ASSERT_TRUE(database->prepare("INSERT INTO t VALUES (?, ?)").bind(std::int64_t{1}).bind("x").finish());
    ASSERT_TRUE(database->prepare("INSERT INTO t VALUES (?, ?)").bind(std::int64_t{2}).finish());
    Statement first = database->prepare("SELECT a, b FROM t ORDER BY a");
    ASSERT_TRUE(first.step());
    Statement second = database->prepare("SELECT a, b FROM t ORDER BY a");
    ASSERT_TRUE(second.step());
    ASSERT_TRUE(first.step());
    EXPECT_EQ(first.integer(), 2);
    EXPECT_EQ(first.text(), "");
    EXPECT_EQ(second.integer(), 1);
    EXPECT_EQ(second.text(), "x");
}

TEST(RuleStore, RoundTrip)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations()));
    RuleStore store(*database);
    Rule rule;
    rule.owner = 1000;
    rule.verdict = Verdict::Scrub;
    rule.scope = {SubjectKind::Folder, "/home", "/bin/nc", "/dev/ttyS0", 0, Sink::Device};
    rule.lifetime = {Duration::Process, "boot", BootTime(5), {42, BootTime(7)}};
    const auto id = store.add(rule);
    ASSERT_TRUE(id);
    ASSERT_TRUE(store.count_hits(*id, 3));
    const auto rules = store.load();
    ASSERT_THAT(rules, SizeIs(1));
    EXPECT_EQ(rules[0].scope, rule.scope);
    EXPECT_EQ(rules[0].verdict, rule.verdict);
    EXPECT_EQ(rules[0].lifetime.process, rule.lifetime.process);
    EXPECT_EQ(rules[0].lifetime.expires, rule.lifetime.expires);
    EXPECT_EQ(rules[0].hits, 3U);
    ASSERT_TRUE(store.remove(*id));
    EXPECT_THAT(store.load(), IsEmpty());
}

TEST(RuleStore, RuleWithoutATypeIsAboutTheNetwork)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations().first(5)));
    const std::vector<std::pair<std::string, std::string>> before{{"", "0, 0"},           {"192.0.2.7", "443, 0"},
                                                                  {"/dev/ttyS0", "0, 0"}, {"/media/stick", "9, 0"},
                                                                  {"socket", "0, 0"},     {"", "0, 1"}};
    for (const auto& [host, rest] : before) {
        const std::string values = "1000, 'allow', 'any', '', '', '" + host + "', 'always', '', 0, 0, 0, 0, " + rest;
        ASSERT_TRUE(database->run("INSERT INTO rule (owner, verdict, subject_kind, subject, executable, host, duration, boot_id,"
                                  " expires, pid, start, created, port, changes) VALUES ("
                                  + values + ")"));
    }
    ASSERT_TRUE(migrate(*database, migrations()));
    std::vector<RuleScope> scopes;
    for (const Rule& rule : RuleStore(*database).load()) {
        scopes.push_back(rule.scope);
        EXPECT_TRUE(validate(rule.scope)) << rule.scope.host;
    }
    const auto scope = [](Sink sink, const char* host, std::uint16_t port = 0) {
        return RuleScope{SubjectKind::Any, "", "", host, port, sink};
    };
    EXPECT_THAT(scopes,
                ElementsAre(scope(Sink::Network, ""), scope(Sink::Network, "192.0.2.7", 443), scope(Sink::Device, "/dev/ttyS0"),
                            scope(Sink::File, "/media/stick"), scope(Sink::Other, ""), scope(Sink::Marked, "")));
}

TEST(LogStore, IsBounded)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations()));
    LogStore log(*database, 10);
    for (int number = 0; number < 25; ++number)
        ASSERT_TRUE(log.add({{.owner = 1000,
                              .kind = std::to_string(number),
                              .verdict = "",
                              .executable = "",
                              .comm = "",
                              .file = "",
                              .categories = {"finance", "keys"},
                              .sink = "",
                              .host = "",
                              .reason = ""}}));
    const auto all = log.list(1000, 0, 100);
    ASSERT_THAT(all, SizeIs(10));
    EXPECT_EQ(all.front().kind, "15");
    EXPECT_EQ(all.back().kind, "24");
    EXPECT_THAT(all.back().categories, ElementsAre("finance", "keys"));
    EXPECT_THAT(log.list(1000, all[7].id, 100), SizeIs(2));
    EXPECT_THAT(log.list(1001, 0, 100), IsEmpty());
}

TEST(Store, FullDiskIsTold)
{
    auto database = Database::open(":memory:");
    ASSERT_TRUE(migrate(*database, migrations()));
    ASSERT_TRUE(database->run("PRAGMA max_page_count = 1"));
    LogStore log(*database);
    ErrorCode code = ErrorCode::Failed;
    for (int number = 0; number < 1000 && code != ErrorCode::DiskFull; ++number) {
        LogEntry entry;
        entry.reason = std::string(1000, 'x');
        const auto added = log.add({entry});
        if (!added)
            code = added.error().code;
    }
    EXPECT_EQ(code, ErrorCode::DiskFull);
    EXPECT_TRUE(database->verify());
}

} // namespace
} // namespace tacet
