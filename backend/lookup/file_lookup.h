// SPDX-License-Identifier: GPL-3.0-or-later
// Finds labelled files again by their keys, wherever they were moved.
#pragma once

#include <optional>

#include "common/lookup_message.h"
#include "lookup/file_system.h"

namespace tacet::lookup {

// A FileLookup lives for one request, as it holds all file systems open.
class FileLookup {
public:
    // Returns Kept if the inode is there, and Gone if only its file system is. The result is Absent if the file system is not
    // mounted, and Failed if none of these is known.
    Finding find(const SoughtFile& sought) const;

private:
    Finding find_by_handle(const SoughtFile& sought, const std::vector<const Mount*>& mounts) const;
    Finding find_on(const SoughtFile& sought, const Mount& mount) const;
    Finding find_by_path(const SoughtFile& sought, bool is_mounted) const;
    Finding find_by_device(const SoughtFile& sought) const;
    Finding find_by_numbers(const SoughtFile& sought, const FileNumbers& numbers) const;
    UniqueFd find_numbered(const SoughtFile& sought, const FileNumbers& numbers, bool& ret_is_folder_there,
                           std::string& ret_path) const;
    Finding describe(UniqueFd file, const std::string& known_path) const;
    const Mounts& mounts() const;

    mutable std::optional<Mounts> mounts_; // is made when it is needed
};

} // namespace tacet::lookup
