// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/private_frame.h"

#include <sys/uio.h>
#include <xcb/xcbext.h>

#include <algorithm>
#include <array>

namespace tacet::cli {
namespace {

constexpr std::uint32_t frame_colour = 0x9b3fd9;
constexpr std::uint32_t background = 0x2b2136;
constexpr std::uint32_t text_colour = 0xffffff;
constexpr std::uint16_t edge = 4; // the margins in backend/data/session/openbox.xml.in
constexpr std::uint16_t strip_height = 16;
constexpr std::int16_t baseline = 12;
constexpr std::int16_t text_start = 6;
constexpr std::uint16_t character_width = 6;
constexpr const char* font_name = "fixed"; // built into every server
constexpr std::size_t text_max = 255;
// A program that raises its windows over ours again and again must not make us spin.
constexpr unsigned raises_max = 20;

// The built-in font has Latin-1; what it has not becomes a question mark.
std::string to_latin1(const std::string& text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool is_latin1_pair = (byte == 0xc2 || byte == 0xc3) && i + 1 < text.size();
        if (byte < 0x80)
            plain.push_back(byte < 0x20 || byte == 0x7f ? ' ' : text[i]);
        else if (is_latin1_pair)
            plain.push_back(static_cast<char>((byte << 6 | (static_cast<unsigned char>(text[++i]) & 0x3fU)) & 0xffU));
        else if (byte >= 0xc0)
            plain.push_back('?');
    }
    return plain.substr(0, text_max);
}

// RRGetScreenInfo of the extension RANDR. Xephyr takes the new size over into its output, and tells the window manager of it,
// only when a client asks so.
void refresh_output(const XConnection& connection)
{
    static xcb_extension_t randr{"RANDR", 0};
    struct Request {
        std::uint8_t major;
        std::uint8_t minor;
        std::uint16_t length;
        xcb_window_t window;
    } request{0, 0, 0, connection.screen().root};
    constexpr std::uint8_t get_screen_info = 5;
    const auto* extension = xcb_get_extension_data(connection.get(), &randr);
    if (extension == nullptr || extension->present == 0)
        return;
    const xcb_protocol_request_t kind{1, &randr, get_screen_info, 0};
    // libxcb puts the length and others' requests before it.
    std::array<iovec, 3> parts{{{nullptr, 0}, {nullptr, 0}, {&request, sizeof(request)}}};
    xcb_discard_reply(connection.get(), xcb_send_request(connection.get(), 0, &parts[2], &kind));
}

} // namespace

PrivateFrame::PrivateFrame(XConnection connection, const std::string& name, const std::string& notice)
    : connection_(std::move(connection)),
      width_(connection_.screen().width_in_pixels),
      height_(connection_.screen().height_in_pixels),
      name_(to_latin1(name)),
      client_list_(connection_.atom("_NET_CLIENT_LIST"))
{
    const std::array<std::uint32_t, 2> values{background, XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE};
    xcb_change_window_attributes(connection_.get(), connection_.screen().root, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK,
                                 values.data());
    xcb_clear_area(connection_.get(), 0, connection_.screen().root, 0, 0, 0, 0);
    make_edges();
    if (!name_.empty())
        make_strip(name_);
    show_notice(notice);
    handle_events();
}

void PrivateFrame::make_edges()
{
    const std::array<std::uint32_t, 3> values{frame_colour, 1, XCB_EVENT_MASK_VISIBILITY_CHANGE};
    for (xcb_window_t& window : edges_) {
        window = xcb_generate_id(connection_.get());
        xcb_create_window(connection_.get(), XCB_COPY_FROM_PARENT, window, connection_.screen().root, 0, 0, 1, 1, 0,
                          XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                          XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values.data());
    }
    place_edges();
    for (const xcb_window_t window : edges_)
        xcb_map_window(connection_.get(), window);
}

void PrivateFrame::place_edges()
{
    // None over another: each would be raised over the other for ever.
    const auto right = static_cast<std::uint32_t>(std::max(width_ - edge, 0));
    const auto bottom = static_cast<std::uint32_t>(std::max(height_ - edge, 0));
    const auto inner = static_cast<std::uint32_t>(std::max(height_ - 2 * edge, 1));
    const std::array<std::array<std::uint32_t, 4>, 4> places{
        {{0, 0, width_, edge}, {0, bottom, width_, edge}, {0, edge, edge, inner}, {right, edge, edge, inner}}};
    constexpr std::uint16_t all = XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT;
    for (std::size_t i = 0; i < edges_.size(); ++i)
        xcb_configure_window(connection_.get(), edges_[i], all, places[i].data());
}

// A dock, to which the window manager leaves its place. It is made before the window manager starts.
void PrivateFrame::make_strip(const std::string& name)
{
    xcb_connection_t* server = connection_.get();
    strip_ = xcb_generate_id(server);
    const std::array values{frame_colour, std::uint32_t{XCB_EVENT_MASK_EXPOSURE}};
    xcb_create_window(server, XCB_COPY_FROM_PARENT, strip_, connection_.screen().root, edge, edge, width_, strip_height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values.data());
    strip_text_ = make_text(strip_, frame_colour);
    const xcb_atom_t dock = connection_.atom("_NET_WM_WINDOW_TYPE_DOCK");
    xcb_change_property(server, XCB_PROP_MODE_REPLACE, strip_, connection_.atom("_NET_WM_WINDOW_TYPE"), XCB_ATOM_ATOM, 32, 1,
                        &dock);
    name_window(strip_, name);
    place_strip();
    xcb_map_window(server, strip_);
}

xcb_gcontext_t PrivateFrame::make_text(xcb_window_t window, std::uint32_t behind)
{
    xcb_connection_t* server = connection_.get();
    const xcb_font_t font = xcb_generate_id(server);
    xcb_open_font(server, font, static_cast<std::uint16_t>(std::char_traits<char>::length(font_name)), font_name);
    const xcb_gcontext_t text = xcb_generate_id(server);
    const std::array<std::uint32_t, 3> drawing{text_colour, behind, font};
    xcb_create_gc(server, text, window, XCB_GC_FOREGROUND | XCB_GC_BACKGROUND | XCB_GC_FONT, drawing.data());
    return text;
}

void PrivateFrame::name_window(xcb_window_t window, const std::string& name)
{
    xcb_change_property(connection_.get(), XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                        static_cast<std::uint32_t>(name.size()), name.data());
}

void PrivateFrame::show_notice(const std::string& text)
{
    xcb_connection_t* server = connection_.get();
    hide_notice();
    notice_ = to_latin1(text);
    notice_window_ = xcb_generate_id(server);
    const std::array<std::uint32_t, 3> values{background, 1, XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_VISIBILITY_CHANGE};
    const auto width = static_cast<std::uint16_t>(notice_.size() * character_width + std::size_t{2} * text_start);
    xcb_create_window(server, XCB_COPY_FROM_PARENT, notice_window_, connection_.screen().root, 0, 0, width, strip_height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values.data());
    notice_text_ = make_text(notice_window_, background);
    name_window(notice_window_, notice_);
    place_notice();
    xcb_map_window(server, notice_window_);
}

void PrivateFrame::hide_notice()
{
    if (notice_window_ != XCB_NONE)
        xcb_destroy_window(connection_.get(), notice_window_);
    notice_window_ = XCB_NONE;
}

// In the middle of the empty display; at the lower edge when programs show something.
void PrivateFrame::place_notice()
{
    const int width = static_cast<int>(notice_.size()) * character_width;
    const int lowest = height_ - strip_height - 2 * edge;
    const std::array<std::uint32_t, 2> place{static_cast<std::uint32_t>(std::max((width_ - width) / 2, 0)),
                                             static_cast<std::uint32_t>(std::max(is_starting_ ? lowest / 2 : lowest, 0))};
    xcb_configure_window(connection_.get(), notice_window_, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place.data());
}

// The window manager lists the windows of programs, and the strip.
std::vector<xcb_window_t> PrivateFrame::program_windows() const
{
    constexpr std::uint32_t many = 1024;
    const auto asked = xcb_get_property(connection_.get(), 0, connection_.screen().root, client_list_, XCB_ATOM_WINDOW, 0, many);
    const XReply<xcb_get_property_reply_t> list(xcb_get_property_reply(connection_.get(), asked, nullptr));
    if (list == nullptr || list->format != 32)
        return {};
    const auto* first = static_cast<const xcb_window_t*>(xcb_get_property_value(list.get()));
    std::vector<xcb_window_t> windows(first, first + list->value_len);
    std::erase(windows, strip_);
    return windows;
}

bool PrivateFrame::ask_to_close()
{
    const auto windows = program_windows();
    const xcb_atom_t close = connection_.atom("_NET_CLOSE_WINDOW");
    constexpr std::uint32_t by_person = 2;
    for (const xcb_window_t window : windows) {
        xcb_client_message_event_t message{};
        message.response_type = XCB_CLIENT_MESSAGE;
        message.format = 32;
        message.window = window;
        message.type = close;
        message.data.data32[1] = by_person;
        xcb_send_event(connection_.get(), 0, connection_.screen().root,
                       XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                       reinterpret_cast<const char*>(&message));
    }
    xcb_flush(connection_.get());
    return !windows.empty();
}

void PrivateFrame::warn(const std::string& text)
{
    if (text.empty())
        hide_notice();
    else
        show_notice(text);
    xcb_flush(connection_.get());
}

void PrivateFrame::place_strip()
{
    xcb_connection_t* server = connection_.get();
    const auto width = static_cast<std::uint32_t>(std::max(width_ - 2 * edge, 1));
    // Left, right, top, bottom, then from where to where each.
    const std::array<std::uint32_t, 12> strut{0, 0, edge + strip_height, 0, 0, 0, 0, 0, 0, width_ - 1U, 0, 0};
    xcb_change_property(server, XCB_PROP_MODE_REPLACE, strip_, connection_.atom("_NET_WM_STRUT_PARTIAL"), XCB_ATOM_CARDINAL, 32,
                        strut.size(), strut.data());
    const std::array<std::uint32_t, 3> place{edge, edge, width};
    xcb_configure_window(server, strip_, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH, place.data());
}

void PrivateFrame::draw(xcb_window_t window)
{
    const bool is_strip = window == strip_;
    const std::string& text = is_strip ? name_ : notice_;
    xcb_image_text_8(connection_.get(), static_cast<std::uint8_t>(text.size()), window, is_strip ? strip_text_ : notice_text_,
                     text_start, baseline, text.data());
}

void PrivateFrame::raise(xcb_window_t window)
{
    const auto now = Clock::now();
    if (now - second_ >= std::chrono::seconds(1)) {
        second_ = now;
        raised_ = 0;
    }
    if (++raised_ > raises_max)
        return;
    const std::uint32_t above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(connection_.get(), window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
}

void PrivateFrame::handle(const xcb_generic_event_t& event)
{
    if (kind_of(event) == XCB_VISIBILITY_NOTIFY) {
        const auto& seen = reinterpret_cast<const xcb_visibility_notify_event_t&>(event);
        if (seen.window == notice_window_ && is_starting_)
            return;
        if (seen.state != XCB_VISIBILITY_UNOBSCURED)
            raise(seen.window);
    } else if (kind_of(event) == XCB_EXPOSE) {
        draw(reinterpret_cast<const xcb_expose_event_t&>(event).window);
    } else if (kind_of(event) == XCB_PROPERTY_NOTIFY) {
        const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(event);
        if (is_starting_ && change.atom == client_list_ && has_windows()) {
            is_starting_ = false;
            hide_notice();
        }
    } else if (kind_of(event) == XCB_CONFIGURE_NOTIFY) {
        const auto& change = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
        if (change.window != connection_.screen().root)
            return;
        width_ = change.width;
        height_ = change.height;
        place_edges();
        if (strip_ != XCB_NONE)
            place_strip();
        if (notice_window_ != XCB_NONE)
            place_notice();
        refresh_output(connection_);
    }
}

void PrivateFrame::handle_events()
{
    while (const XEvent event = connection_.next_event())
        handle(*event);
    xcb_flush(connection_.get());
}

} // namespace tacet::cli
