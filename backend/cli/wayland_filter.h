// SPDX-License-Identifier: GPL-3.0-or-later
// What changes in the conversation of a nested server with a Wayland compositor: its window gets another title, and the server
// does not learn that the person wants to close it. The messages are described in the Wayland protocol's chapter on its wire
// format.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tacet::cli {

class WaylandFilter {
public:
    // application: the identifier by which the desktop finds a launcher and an icon.
    WaylandFilter(std::string title, std::string application);

    // Takes all whole messages of one side from the beginning of bytes, and returns what the other side gets. nullopt: these are
    // no messages.
    std::optional<std::string> pass_requests(std::string& bytes);
    std::optional<std::string> pass_events(std::string& bytes);
    // Returns whether the compositor wanted the window closed since the last call.
    bool take_close();

private:
    enum class Kind { Registry, WindowBase, Surface, Window };
    struct Message;

    template <typename Change>
    std::optional<std::string> pass(std::string& bytes, Change change);
    std::string change_request(const Message& message);
    std::string change_event(const Message& message);
    void note_bound(const Message& message);

    std::string title_;
    std::string application_;
    std::map<std::uint32_t, Kind> objects_;
    bool wants_close_ = false;
};

} // namespace tacet::cli
