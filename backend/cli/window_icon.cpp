// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/window_icon.h"

#include <stdexcept>
#include <vector>

#include "cli/x_connection.h"

namespace tacet::cli {
namespace {

constexpr int side = 48;
constexpr std::uint32_t disc = 0xff9b3fd9; // ARGB; the frame's colour
constexpr std::uint32_t keyhole = 0xffffffff;
constexpr int depth_max = 3; // window managers put frames around
constexpr std::uint32_t text_max = 1024;

bool is_in_circle(int x, int y, int centre_x, int centre_y, int radius)
{
    const int across = x - centre_x;
    const int down = y - centre_y;
    return across * across + down * down <= radius * radius;
}

// A disc with a keyhole.
std::uint32_t pixel(int x, int y)
{
    constexpr int centre = side / 2;
    constexpr int bow = 7;
    constexpr int bow_y = 19;
    constexpr int bottom = 36;
    const int half_width = 3 + (y - bow_y) / 4;
    const bool in_slot = y >= bow_y && y <= bottom && x >= centre - half_width && x <= centre + half_width;
    if (is_in_circle(x, y, centre, bow_y, bow) || in_slot)
        return keyhole;
    return is_in_circle(x, y, centre, centre, centre - 1) ? disc : 0;
}

std::vector<std::uint32_t> make_icon()
{
    std::vector<std::uint32_t> icon{side, side};
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x)
            icon.push_back(pixel(x, y));
    }
    return icon;
}

std::string read_text(const XConnection& desktop, xcb_window_t window, xcb_atom_t property)
{
    const auto cookie = xcb_get_property(desktop.get(), 0, window, property, XCB_GET_PROPERTY_TYPE_ANY, 0, text_max);
    const XReply<xcb_get_property_reply_t> reply(xcb_get_property_reply(desktop.get(), cookie, nullptr));
    if (reply == nullptr || reply->format != 8)
        return {};
    return {static_cast<const char*>(xcb_get_property_value(reply.get())),
            static_cast<std::size_t>(xcb_get_property_value_length(reply.get()))};
}

void mark_below(const XConnection& desktop, xcb_window_t window, const std::string& title, int depth)
{
    if (read_text(desktop, window, XCB_ATOM_WM_CLASS).starts_with(window_class)
        && read_text(desktop, window, XCB_ATOM_WM_NAME) == title) {
        const auto icon = make_icon();
        xcb_change_property(desktop.get(), XCB_PROP_MODE_REPLACE, window, desktop.atom("_NET_WM_ICON"), XCB_ATOM_CARDINAL, 32,
                            static_cast<std::uint32_t>(icon.size()), icon.data());
        return;
    }
    if (depth == depth_max)
        return;
    const XReply<xcb_query_tree_reply_t> tree(
        xcb_query_tree_reply(desktop.get(), xcb_query_tree(desktop.get(), window), nullptr));
    const int count = tree == nullptr ? 0 : xcb_query_tree_children_length(tree.get());
    for (int i = 0; i < count; ++i)
        mark_below(desktop, xcb_query_tree_children(tree.get())[i], title, depth + 1);
}

} // namespace

void set_window_icon(const std::string& title)
{
    try {
        const XConnection desktop;
        mark_below(desktop, desktop.screen().root, title, 0);
        xcb_flush(desktop.get());
    } catch (const std::runtime_error&) {
        return;
    }
}

} // namespace tacet::cli
