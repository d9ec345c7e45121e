// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/swap_areas.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <sstream>

namespace tacet {
namespace {

bool is_own_device(const std::string& area)
{
    struct stat status{};
    if (stat(area.c_str(), &status) != 0 || !S_ISBLK(status.st_mode))
        return false;
    std::ostringstream path;
    path << "/sys/dev/block/" << major(status.st_rdev) << ':' << minor(status.st_rdev) << "/dm/uuid";
    std::string uuid;
    std::getline(std::ifstream(path.str()), uuid);
    return uuid.starts_with(swap_uuid);
}

} // namespace

SwapState judge_swap(std::string_view swaps, const std::function<bool(const std::string& area)>& is_encrypted)
{
    std::istringstream lines{std::string(swaps)};
    std::string line;
    if (!std::getline(lines, line) || !line.starts_with("Filename"))
        return SwapState::Plain;
    SwapState state = SwapState::None;
    while (std::getline(lines, line)) {
        if (!is_encrypted(line.substr(0, line.find_first_of(" \t"))))
            return SwapState::Plain;
        state = SwapState::Encrypted;
    }
    return state;
}

SwapState swap_state()
{
    std::ostringstream text;
    text << std::ifstream("/proc/swaps").rdbuf();
    return judge_swap(text.str(), is_own_device);
}

} // namespace tacet
