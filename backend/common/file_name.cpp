// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/file_name.h"

#include <climits>

namespace tacet {

bool is_plain_path(std::string_view path)
{
    if (!path.starts_with('/') || path.size() >= PATH_MAX || path.find('\0') != std::string_view::npos)
        return false;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view name = path.substr(0, path.find('/'));
        if (name.empty() || name == "." || name == ".." || name.size() > NAME_MAX)
            return false;
        path.remove_prefix(name.size());
    }
    return true;
}

bool lies_in(std::string_view path, std::string_view folder)
{
    while (folder.ends_with('/'))
        folder.remove_suffix(1);
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_file_name(std::string_view path)
{
    return is_plain_path(path) && !lies_in(path, "/proc");
}

} // namespace tacet
