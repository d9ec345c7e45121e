// SPDX-License-Identifier: GPL-3.0-or-later
// The index of labelled files. Callers open the transaction.
#pragma once

#include <optional>

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

    // Inserts, or replaces the entry of the same path. Returns its id.
    Result<std::int64_t> put(const LabelledFile& file);
    // Stores the same file under another path or identity. An earlier entry with this path goes.
    Result<void> move(const LabelledFile& file);
    Result<void> remove(std::int64_t id);
    Result<void> set_missing(std::int64_t id, bool missing);
    // Stores all or none.
    Result<void> set_shadows(const std::vector<LabelledFile>& files);

    std::optional<LabelledFile> find(const std::string& path);
    std::optional<LabelledFile> find(const FileIdentity& identity);
    std::optional<LabelledFile> find(std::int64_t id);
    std::vector<LabelledFile> after(std::int64_t id, unsigned limit);
    // An empty owner means everybody's files.
    std::vector<LabelledFile> list(std::optional<uid_t> owner, std::uint32_t offset, std::uint32_t limit);
    std::uint32_t count(std::optional<uid_t> owner);

private:
    std::vector<LabelledFile> read(Statement query);
    Label read_label(std::int64_t id);

    Database& database_;
};

} // namespace tacet
