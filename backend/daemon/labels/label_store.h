// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the rows of the index of labelled files. Callers open the transaction.
#pragma once

#include <map>
#include <optional>

#include "daemon/core/account.h"
#include "daemon/core/entry.h"
#include "daemon/store/database.h"

namespace tacet {

class LabelStore {
public:
    explicit LabelStore(Database& database) : database_(database) {}

    Result<void> declare(const Category& category);
    Result<void> set_guarded(const Category& category, bool guarded);
    // Returns the categories in ascending order.
    Result<std::vector<Category>> guarded();
    // Returns the kinds of the label's categories. An undeclared one is "custom".
    std::vector<std::string> kinds(const Label& label);
    // Returns the person whose data all of it is. Returns nothing if that is several people, or if a category is undeclared.
    std::optional<uid_t> person_of(const Label& label);

    // Inserts the entry, or replaces that of the same key but for its shadow and time. Returns its id.
    Result<std::int64_t> put(const LabelledFile& file);
    // Changes the entry with this id, which may also get another key.
    Result<void> update(const LabelledFile& file);
    Result<void> remove(std::int64_t id);
    // Stores all or none.
    Result<void> set_shadows(const std::vector<LabelledFile>& files);

    std::optional<LabelledFile> find(const FileKey& key);
    std::optional<LabelledFile> find(std::int64_t id);
    std::vector<LabelledFile> after(std::int64_t id, unsigned limit);
    // Returns the entries that were seen last by this path.
    std::vector<LabelledFile> find_at(const std::string& path);
    // An empty owner means everybody's files.
    std::vector<LabelledFile> list(std::optional<uid_t> owner, std::uint32_t offset, std::uint32_t limit);
    std::uint32_t count(std::optional<uid_t> owner);
    // Counts entries that could not be looked at. Files that only the kernel has seen do not count, as they trigger in this boot.
    std::uint32_t count_failed();
    // These are what the index has of one account. A derived file that is known by its numbers only does not count here.
    struct Totals {
        std::uint64_t labels = 0; // files that people have labelled
        std::uint64_t derived = 0;
        std::uint64_t shadow_bytes = 0;
    };
    Totals totals(uid_t owner);
    // A transaction was rolled back, and so was what it counted.
    void forget_totals() { totals_.reset(); }

    // Returns file systems that were mounted here. complete tells that every label on it is in the index.
    std::vector<std::string> file_systems(bool complete);
    Result<void> set_complete(const std::string& file_system);
    // Notes a file system that is mounted. One that was not known until now can lack nothing.
    Result<void> set_seen(const std::string& file_system);
    // This is about all that are mounted now, and those that were. Their list may be damaged itself.
    Result<void> set_incomplete();
    Result<void> set_incomplete(const std::string& file_system);
    // Tells whether a file of this boot is known by its numbers only.
    bool has_numbered();
    // Tells that a file system that never was mounted here can hold no label that has to be in the index.
    bool knows_all_file_systems();
    // Notes that all mounted file systems are looked through. Those of earlier boots are forgotten.
    Result<void> set_all_complete(std::string_view boot);

private:
    struct Share {
        uid_t account = 0;
        Totals totals;
    };

    std::optional<Share> share_of(std::int64_t id);
    // Each change of rows counts what they were before, and what they are afterwards.
    void count_before(std::int64_t id);
    void count_after(std::int64_t id);
    Result<void> store_shadows(const std::vector<LabelledFile>& files);
    Result<void> write_label(std::int64_t id, const Label& label);
    std::vector<LabelledFile> read(Statement query);
    Label read_label(std::int64_t id);

    Database& database_;
    std::optional<std::map<uid_t, Totals>> totals_; // by account, once somebody has asked
};

} // namespace tacet
