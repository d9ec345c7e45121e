// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/session_dictionary.h"

#include <array>

#include "common/text.h"

namespace tacet {

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

} // namespace tacet
