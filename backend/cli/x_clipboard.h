// SPDX-License-Identifier: GPL-3.0-or-later
// The clipboard (CLIPBOARD) of an X server: its text, read once; and a text that is offered there.
#pragma once

#include <string>

#include "cli/clipboard_limit.h"
#include "cli/x_connection.h"
#include "common/result.h"

namespace tacet::cli {

// Waits for the owner, 3 s at most, whatever it does. NotFound: there is no text; InvalidArgument: too long, or no UTF-8.
Result<std::string> read_x_clipboard(const XConnection& connection);

// Owns the clipboard until another client takes it, or it is destroyed.
class XClipboardOffer {
public:
    // Throws std::runtime_error.
    XClipboardOffer(XConnection connection, std::string text);

    int file() const { return connection_.file(); }
    // To be called when the file is readable.
    void handle_events();
    const std::string& text() const { return text_; }
    bool is_over() const { return is_lost_ || connection_.is_broken(); }

private:
    void handle(const xcb_generic_event_t& event);
    void answer(const xcb_selection_request_event_t& request);
    bool give(const xcb_selection_request_event_t& request, xcb_atom_t property);

    XConnection connection_;
    std::string text_;
    xcb_window_t window_;
    xcb_atom_t clipboard_;
    xcb_atom_t targets_;
    xcb_atom_t utf8_;
    xcb_atom_t mime_;
    bool is_lost_ = false;
};

} // namespace tacet::cli
