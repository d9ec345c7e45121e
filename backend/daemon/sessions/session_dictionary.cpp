// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/session_dictionary.h"

#include <algorithm>
#include <array>

#include "common/text.h"
#include "contract/codes.h"

namespace tacet {
namespace {

constexpr std::size_t name_max = 255;

std::vector<std::string> to_strings(const std::vector<std::vector<std::uint8_t>>& words)
{
    std::vector<std::string> strings;
    strings.reserve(words.size());
    for (const auto& word : words)
        strings.emplace_back(word.begin(), word.end());
    return strings;
}

template <typename Value>
Result<void> take_option(Dictionary& options, const char* key, Value& ret_value)
{
    std::optional<Value> value;
    if (auto taken = take(options, key, value); !taken)
        return Error{ErrorCode::InvalidArgument, taken.error().message};
    ret_value = value.value_or(ret_value);
    return {};
}

Result<void> take_option(Dictionary& options, const char* key, contract::StoreChoice& ret_value)
{
    std::string text(to_string(ret_value));
    if (auto taken = take_option(options, key, text); !taken)
        return taken;
    const auto choice = contract::parse_store_choice(text);
    if (!choice)
        return Error{ErrorCode::InvalidArgument, "a store is memory, disk or auto"};
    ret_value = *choice;
    return {};
}

bool is_display(std::string_view text)
{
    constexpr std::size_t digits = 5;
    return text.starts_with(':') && text.size() > 1 && text.size() <= 1 + digits
           && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_socket_path(std::string_view text)
{
    constexpr std::size_t size_max = 107; // of a socket's address
    return text.starts_with('/') && text.size() <= size_max;
}

bool is_cookie(std::string_view text)
{
    constexpr std::size_t digits = 32;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

Dictionary to_bus(const PrivateSession& session)
{
    return {
        {"id", sdbus::Variant(session.id)},
        {"uid", sdbus::Variant(std::uint32_t{session.owner})},
        {"application", sdbus::Variant(to_utf8(session.application))},
        {"since", sdbus::Variant(session.since)},
        {"state", sdbus::Variant(std::string(to_string(session.state)))},
        {"network", sdbus::Variant(session.network)},
        {"audio", sdbus::Variant(session.audio)},
        {"on_disk", sdbus::Variant(session.on_disk)},
        {"box", sdbus::Variant(session.box)},
        {"full", sdbus::Variant(session.is_full)},
        {"store", sdbus::Variant(session.store)},
        {"memory", sdbus::Variant(session.memory)},
        {"swap", sdbus::Variant(session.swap)},
    };
}

Dictionary to_bus(const SessionChange& change)
{
    return {
        {"path", sdbus::Variant(std::vector<std::uint8_t>(change.path.begin(), change.path.end()))},
        {"change", sdbus::Variant(std::string(to_string(change.change)))},
        {"kind", sdbus::Variant(std::string(to_string(change.kind)))},
        {"size", sdbus::Variant(change.size)},
        {"mode", sdbus::Variant(change.mode)},
        {"modified", sdbus::Variant(change.modified)},
    };
}

Dictionary to_bus(const Box& box)
{
    return {
        {"name", sdbus::Variant(box.name)},       {"size", sdbus::Variant(box.size)},       {"used", sdbus::Variant(box.used)},
        {"changed", sdbus::Variant(box.changed)}, {"session", sdbus::Variant(box.session)},
    };
}

Result<SessionStart> session_from_bus(const std::vector<std::vector<std::uint8_t>>& command,
                                      const std::vector<std::vector<std::uint8_t>>& environment,
                                      const std::vector<std::uint8_t>& directory, const Dictionary& options)
{
    Dictionary rest = options;
    SessionStart start;
    Result<void> taken;
    for_each_session_option([&](const char* key, auto member) {
        if (taken)
            taken = take_option(rest, key, start.options.*member);
    });
    if (!taken)
        return taken.error();
    if (!rest.empty())
        return Error{ErrorCode::InvalidArgument, "unknown option: " + rest.begin()->first};
    start.command = to_strings(command);
    start.environment = to_strings(environment);
    start.directory.assign(directory.begin(), directory.end());
    if (start.options.name.size() > name_max)
        return Error{ErrorCode::InvalidArgument, "a name has at most 255 bytes"};
    if (start.command.empty() || start.command.front().empty() || !start.directory.starts_with('/'))
        return Error{ErrorCode::InvalidArgument, "a command and an absolute directory are needed"};
    if (!start.options.display.empty() && (!is_display(start.options.display) || !is_cookie(start.options.cookie)))
        return Error{ErrorCode::InvalidArgument, "a display is a colon and a number, its cookie 32 hexadecimal digits"};
    if (!start.options.ssh_agent.empty() && !is_socket_path(start.options.ssh_agent))
        return Error{ErrorCode::InvalidArgument, "the path of a socket is absolute and has at most 107 bytes"};
    if (!start.options.box.empty() && !is_box_name(start.options.box))
        return Error{ErrorCode::InvalidArgument, box_name_rule};
    if (!start.options.box.empty() && start.options.store == contract::StoreChoice::Memory)
        return Error{ErrorCode::InvalidArgument, "a box is on the disk"};
    return start;
}

} // namespace tacet
