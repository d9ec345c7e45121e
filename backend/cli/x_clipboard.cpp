// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/x_clipboard.h"

#include <poll.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "common/text.h"

namespace tacet::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(3);
constexpr std::size_t request_overhead = 64; // of ChangeProperty, in bytes

// One conversion of the clipboard to text. The owner is any program of the session: it may lie, stall, and send without end.
class Conversion {
public:
    explicit Conversion(const XConnection& connection)
        : connection_(connection),
          window_(connection.make_hidden_window()),
          property_(connection.atom("TACET_CLIPBOARD")),
          increments_(connection.atom("INCR"))
    {
    }

    Result<std::string> run()
    {
        xcb_convert_selection(server(), window_, connection_.atom("CLIPBOARD"), connection_.atom("UTF8_STRING"), property_,
                              XCB_CURRENT_TIME);
        const XEvent event = wait(XCB_SELECTION_NOTIFY);
        if (event == nullptr)
            return Error{ErrorCode::Failed, "the program that has the clipboard does not answer"};
        if (reinterpret_cast<const xcb_selection_notify_event_t&>(*event).property == XCB_ATOM_NONE)
            return Error{ErrorCode::NotFound, "there is no text in the clipboard"};
        auto taken = take();
        if (taken && is_incremental_)
            taken = take_increments();
        if (taken && !is_utf8(*taken))
            return Error{ErrorCode::InvalidArgument, "what is in the clipboard is no text"};
        return taken;
    }

private:
    xcb_connection_t* server() const { return connection_.get(); }

    // Null when it does not come in time.
    XEvent wait(unsigned kind)
    {
        xcb_flush(server());
        while (!connection_.is_broken()) {
            while (XEvent event = connection_.next_event()) {
                if (kind_of(*event) == kind)
                    return event;
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
            pollfd news{connection_.file(), POLLIN, 0};
            if (left <= 0 || poll(&news, 1, static_cast<int>(left)) <= 0)
                return nullptr;
        }
        return nullptr;
    }

    // The property's content; taking it away tells the owner to go on.
    Result<std::string> take()
    {
        const auto cookie = xcb_get_property(server(), 1, window_, property_, XCB_GET_PROPERTY_TYPE_ANY, 0,
                                             clipboard_max / sizeof(std::uint32_t));
        const XReply<xcb_get_property_reply_t> reply(xcb_get_property_reply(server(), cookie, nullptr));
        if (reply == nullptr)
            return Error{ErrorCode::Failed, "the clipboard was not read"};
        is_incremental_ = reply->type == increments_;
        if (reply->bytes_after > 0)
            return Error{ErrorCode::InvalidArgument, "there is more than 1 MiB in the clipboard"};
        const auto* begin = static_cast<const char*>(xcb_get_property_value(reply.get()));
        return std::string(begin, static_cast<std::size_t>(xcb_get_property_value_length(reply.get())));
    }

    Result<std::string> take_increments()
    {
        std::string whole;
        for (;;) {
            const XEvent event = wait(XCB_PROPERTY_NOTIFY);
            if (event == nullptr)
                return Error{ErrorCode::Failed, "the program that has the clipboard does not go on"};
            const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(*event);
            if (change.atom != property_ || change.state != XCB_PROPERTY_NEW_VALUE)
                continue;
            const auto part = take();
            if (!part || part->empty())
                return part ? Result<std::string>(std::move(whole)) : part;
            whole += *part;
            if (whole.size() > clipboard_max)
                return Error{ErrorCode::InvalidArgument, "there is more than 1 MiB in the clipboard"};
        }
    }

    const XConnection& connection_;
    xcb_window_t window_;
    xcb_atom_t property_;
    xcb_atom_t increments_;
    Clock::time_point deadline_ = Clock::now() + patience;
    bool is_incremental_ = false;
};

} // namespace

Result<std::string> read_x_clipboard(const XConnection& connection)
{
    return Conversion(connection).run();
}

XClipboardOffer::XClipboardOffer(XConnection connection, std::string text)
    : connection_(std::move(connection)),
      text_(std::move(text)),
      window_(connection_.make_hidden_window()),
      clipboard_(connection_.atom("CLIPBOARD")),
      targets_(connection_.atom("TARGETS")),
      utf8_(connection_.atom("UTF8_STRING")),
      mime_(connection_.atom("text/plain;charset=utf-8"))
{
    // The server takes a property in one request only.
    const std::size_t room = std::size_t{xcb_get_maximum_request_length(connection_.get())} * sizeof(std::uint32_t);
    if (text_.size() + request_overhead > room)
        throw std::runtime_error("the text is too long for the display");
    xcb_set_selection_owner(connection_.get(), window_, clipboard_, XCB_CURRENT_TIME);
    const auto cookie = xcb_get_selection_owner(connection_.get(), clipboard_);
    const XReply<xcb_get_selection_owner_reply_t> reply(xcb_get_selection_owner_reply(connection_.get(), cookie, nullptr));
    if (reply == nullptr || reply->owner != window_)
        throw std::runtime_error("the clipboard was not taken");
    handle_events();
}

bool XClipboardOffer::give(const xcb_selection_request_event_t& request, xcb_atom_t property)
{
    if (request.selection != clipboard_)
        return false;
    if (request.target == targets_) {
        const std::array offered{targets_, utf8_, mime_};
        xcb_change_property(connection_.get(), XCB_PROP_MODE_REPLACE, request.requestor, property, XCB_ATOM_ATOM, 32,
                            offered.size(), offered.data());
        return true;
    }
    if (request.target != utf8_ && request.target != mime_)
        return false;
    xcb_change_property(connection_.get(), XCB_PROP_MODE_REPLACE, request.requestor, property, request.target, 8,
                        static_cast<std::uint32_t>(text_.size()), text_.data());
    return true;
}

void XClipboardOffer::answer(const xcb_selection_request_event_t& request)
{
    // Clients of old give no property.
    const xcb_atom_t property = request.property == XCB_ATOM_NONE ? request.target : request.property;
    xcb_selection_notify_event_t reply{};
    reply.response_type = XCB_SELECTION_NOTIFY;
    reply.time = request.time;
    reply.requestor = request.requestor;
    reply.selection = request.selection;
    reply.target = request.target;
    reply.property = give(request, property) ? property : xcb_atom_t{XCB_ATOM_NONE};
    // An event has 32 bytes on the wire, whatever its kind needs.
    std::array<char, 32> wire{};
    *reinterpret_cast<xcb_selection_notify_event_t*>(wire.data()) = reply;
    xcb_send_event(connection_.get(), 0, request.requestor, XCB_EVENT_MASK_NO_EVENT, wire.data());
}

void XClipboardOffer::handle(const xcb_generic_event_t& event)
{
    if (kind_of(event) == XCB_SELECTION_REQUEST)
        answer(reinterpret_cast<const xcb_selection_request_event_t&>(event));
    else if (kind_of(event) == XCB_SELECTION_CLEAR)
        is_lost_ = true;
}

void XClipboardOffer::handle_events()
{
    while (const XEvent event = connection_.next_event())
        handle(*event);
    xcb_flush(connection_.get());
}

} // namespace tacet::cli
