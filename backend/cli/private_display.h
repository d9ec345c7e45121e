// SPDX-License-Identifier: GPL-3.0-or-later
// The windows of a session that `tacet run` started: the nested server, the frame, and the clipboard when the person asks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cli/display_socket.h"
#include "cli/nested_display.h"
#include "cli/outer_window.h"
#include "cli/private_frame.h"
#include "cli/x_clipboard.h"

namespace tacet::cli {

class PrivateDisplay {
public:
    // name: of the session, shown to the person. Throws std::runtime_error.
    explicit PrivateDisplay(const std::string& name);

    const std::string& address() const { return server_.address(); } // ":5"
    const std::string& cookie() const { return server_.cookie(); }
    // The server's process (pidfd).
    int server() const { return server_.file(); }
    // From now on the person may ask for the clipboard.
    void serve(std::uint64_t session);

    // Readable when handle_events() has something to do.
    int file() const { return events_.get(); }
    void handle_events();
    // The person has closed the window and its programs, or insists; the server has died, or a program of the session has killed
    // the frame.
    bool is_gone() const { return closed_ || outer_->is_gone() || server_.is_gone() || frame_.is_broken(); }

private:
    void watch(int file);
    void close();
    void take_time();
    void paste(std::string text);
    std::string copy() const;

    enum class Closing { Nobody, Asked, Warned };

    std::string name_;
    UniqueFd events_;
    UniqueFd timer_;
    std::unique_ptr<OuterWindow> outer_;
    NestedDisplay server_;
    PrivateFrame frame_;
    Closing closing_ = Closing::Nobody;
    bool closed_ = false;
    std::unique_ptr<XClipboardOffer> offer_;
    std::unique_ptr<DisplaySocket> socket_;
};

} // namespace tacet::cli
