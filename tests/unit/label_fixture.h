// SPDX-License-Identifier: GPL-3.0-or-later
// Files of people, labelled by them or by what programs write.
#pragma once

#include "service_fixture.h"

namespace tacet {

class Labels : public Service {
protected:
    std::string make_file(const std::string& name, const std::string& content = "name,4711\n", uid_t owner = 1000)
    {
        std::filesystem::permissions(world.directory.path(), std::filesystem::perms(0755));
        const std::string path = world.directory.write(name, content);
        EXPECT_EQ(chown(path.c_str(), owner, owner), 0);
        return path;
    }

    std::vector<PathFailure> add(std::vector<std::string> paths, const std::string& category = "finance",
                                 const Caller& caller = user)
    {
        std::vector<PathFailure> failures;
        running->daemon.services().labels.add(caller, std::move(paths), category,
                                              [&](Result<std::vector<PathFailure>> reply) { failures = *reply; });
        running->scheduler.settle();
        return failures;
    }

    std::vector<PathFailure> remove(std::vector<std::string> paths, const Caller& caller = user)
    {
        std::vector<PathFailure> failures;
        running->daemon.services().labels.remove(caller, std::move(paths),
                                                 [&](Result<std::vector<PathFailure>> reply) { failures = *reply; });
        running->scheduler.settle();
        return failures;
    }

    Result<void> guard(std::vector<std::string> kinds, const Caller& caller = user)
    {
        Result<void> outcome = Error{ErrorCode::Failed, "no reply"};
        running->daemon.services().labels.guard(caller, std::move(kinds),
                                                [&](Result<void> reply) { outcome = std::move(reply); });
        return outcome;
    }

    std::vector<std::string> guarded(const Caller& caller = user)
    {
        std::vector<std::string> kinds;
        running->daemon.services().labels.guarded(caller, [&](Result<std::vector<std::string>> reply) { kinds = *reply; });
        return kinds;
    }

    FilePage list(const Caller& caller = user)
    {
        FilePage page;
        running->daemon.services().labels.list(caller, 0, 1000, [&](Result<FilePage> reply) { page = *reply; });
        return page;
    }

    // As the kernel tells that a program has derived a file.
    void derive(const FileIdentity& file, const std::string& path, uid_t writer = 1000, uid_t person = 1000)
    {
        Notice notice;
        notice.kind = NoticeKind::Labelled;
        notice.uid = writer;
        notice.pid = getpid();
        notice.file = file;
        notice.label = make_label({category_id("finance", person)});
        notice.path = path;
        world.kernel.on_event(notice);
    }

    // The same, with the label on the file.
    void derive(const std::string& path, uid_t writer = 1000)
    {
        world.kernel.put_label(path, make_label({category_id("finance", 1000)}));
        derive(identity(path), path, writer);
    }

    // As many derived files as one user may have. Each has its own file system here.
    void fill_with_derived(uid_t owner, const std::string& handle)
    {
        const std::string sql =
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < "
            + std::to_string(limit_of(Resource::Derived))
            + ") INSERT INTO file (file_system, handle, path, owner, derived, presence, since) SELECT 'away ' "
              "|| n, "
            + handle + ", '/away/' || n, " + std::to_string(owner) + ", 1, 1, 1 FROM numbers";
        ASSERT_TRUE(running->store.database.run(sql));
    }

    // Another boot: the kernel knows of no label until it is told.
    void reboot()
    {
        stop();
        world.kernel.armed.clear();
        start();
        running->scheduler.settle();
    }
};

} // namespace tacet
