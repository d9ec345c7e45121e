// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/window_icon.h"

namespace tacet::cli {
namespace {

constexpr int side = 48;
constexpr std::uint32_t disc = 0xff9b3fd9; // ARGB; the frame's colour
constexpr std::uint32_t keyhole = 0xffffffff;

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

} // namespace

std::vector<std::uint32_t> make_window_icon()
{
    std::vector<std::uint32_t> icon{side, side};
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x)
            icon.push_back(pixel(x, y));
    }
    return icon;
}

} // namespace tacet::cli
