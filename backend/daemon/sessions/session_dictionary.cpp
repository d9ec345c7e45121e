// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/session_dictionary.h"

#include <algorithm>
#include <array>

#include "common/text.h"

namespace tacet {
namespace {

constexpr std::size_t name_max = 255;

std::vector<std::string> to_strings(const std::vector<std::vector<std::uint8_t>>& words)
{
    std::vector<std::string> strings;
    for (const auto& word : words)
        strings.emplace_back(word.begin(), word.end());
    return strings;
}

bool to_store(std::string_view text, StoreChoice& ret_store)
{
    constexpr std::array<std::string_view, 3> names{"auto", "memory", "disk"};
    const auto found = std::ranges::find(names, text);
    ret_store = static_cast<StoreChoice>(found - names.begin());
    return found != names.end();
}

bool is_display(std::string_view text)
{
    constexpr std::size_t digits = 5;
    return text.starts_with(':') && text.size() > 1 && text.size() <= 1 + digits
           && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_cookie(std::string_view text)
{
    constexpr std::size_t digits = 32;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

Dictionary to_bus(const PrivateSession& session)
{
    constexpr std::array states{"starting", "running", "waiting", "ending"};
    return {
        {"id", sdbus::Variant(session.id)},
        {"uid", sdbus::Variant(std::uint32_t{session.owner})},
        {"application", sdbus::Variant(to_utf8(session.application))},
        {"since", sdbus::Variant(session.since)},
        {"state", sdbus::Variant(std::string(states[static_cast<std::size_t>(session.state)]))},
        {"network", sdbus::Variant(session.network)},
        {"audio", sdbus::Variant(session.audio)},
        {"on_disk", sdbus::Variant(session.on_disk)},
        {"full", sdbus::Variant(session.is_full)},
        {"store", sdbus::Variant(session.store)},
        {"memory", sdbus::Variant(session.memory)},
        {"swap", sdbus::Variant(session.swap)},
    };
}

Dictionary to_bus(const SessionChange& change)
{
    constexpr std::array changes{"created", "changed", "deleted"};
    constexpr std::array kinds{"file", "directory", "link", "other"};
    return {
        {"path", sdbus::Variant(std::vector<std::uint8_t>(change.path.begin(), change.path.end()))},
        {"change", sdbus::Variant(std::string(changes[static_cast<std::size_t>(change.change)]))},
        {"kind", sdbus::Variant(std::string(kinds[static_cast<std::size_t>(change.kind)]))},
        {"size", sdbus::Variant(change.size)},
        {"mode", sdbus::Variant(change.mode)},
        {"modified", sdbus::Variant(change.modified)},
    };
}

Result<SessionStart> session_from_bus(const std::vector<std::vector<std::uint8_t>>& command,
                                      const std::vector<std::vector<std::uint8_t>>& environment,
                                      const std::vector<std::uint8_t>& directory, const Dictionary& options)
{
    Dictionary rest = options;
    SessionStart start;
    std::optional<std::uint64_t> size;
    std::optional<bool> network;
    std::optional<bool> audio;
    std::optional<bool> keep;
    std::optional<std::string> name;
    std::optional<std::string> store;
    std::optional<std::string> display;
    std::optional<std::string> cookie;
    for (const auto& taken : {take(rest, "name", name), take(rest, "store", store), take(rest, "size", size),
                              take(rest, "keep", keep), take(rest, "network", network), take(rest, "audio", audio),
                              take(rest, "display", display), take(rest, "cookie", cookie)}) {
        if (!taken)
            return Error{ErrorCode::InvalidArgument, taken.error().message};
    }
    if (!rest.empty())
        return Error{ErrorCode::InvalidArgument, "unknown option: " + rest.begin()->first};
    start.command = to_strings(command);
    start.environment = to_strings(environment);
    start.directory.assign(directory.begin(), directory.end());
    start.name = name.value_or("");
    start.size = size.value_or(0);
    start.keep = keep.value_or(false);
    start.network = network.value_or(true);
    start.audio = audio.value_or(false);
    start.display = display.value_or("");
    start.cookie = cookie.value_or("");
    if (!to_store(store.value_or("auto"), start.store))
        return Error{ErrorCode::InvalidArgument, "a store is memory, disk or auto"};
    if (start.name.size() > name_max)
        return Error{ErrorCode::InvalidArgument, "a name has at most 255 bytes"};
    if (start.command.empty() || start.command.front().empty() || !start.directory.starts_with('/'))
        return Error{ErrorCode::InvalidArgument, "a command and an absolute directory are needed"};
    if (!start.display.empty() && (!is_display(start.display) || !is_cookie(start.cookie)))
        return Error{ErrorCode::InvalidArgument, "a display is a colon and a number, its cookie 32 hexadecimal digits"};
    return start;
}

} // namespace tacet
