// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/private_display.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "cli/desktop.h"

namespace tacet::cli {
namespace {

using Seconds = std::chrono::seconds;

// Until a person may insist, and how long.
constexpr Seconds patience{10};
constexpr Seconds offer_time{60};

void set_timer(const UniqueFd& timer, Seconds time)
{
    const itimerspec when{{}, {time.count(), 0}};
    timerfd_settime(timer.get(), 0, &when, nullptr);
}

std::string title_of(const std::string& name)
{
    return "Private: " + name;
}

} // namespace

// Not each Wayland compositor shows titles, so the display does.
PrivateDisplay::PrivateDisplay(const std::string& name)
    : name_(name),
      events_(epoll_create1(EPOLL_CLOEXEC)),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      outer_(open_outer_window(title_of(name))),
      server_(*outer_),
      frame_(XConnection(server_.address(), server_.cookie()), desktop_kind() == DesktopKind::X11 ? "" : title_of(name),
             "Starting " + name + "...")
{
    watch(timer_.get());
    watch(outer_->file());
    watch(server_.file());
    watch(frame_.file());
}

void PrivateDisplay::serve(std::uint64_t session)
{
    socket_ = std::make_unique<DisplaySocket>(
        session, DisplaySocket::Actions{[this](std::string text) { paste(std::move(text)); }, [this] { return copy(); }});
    watch(socket_->file());
}

// A file that is closed is watched no more.
void PrivateDisplay::watch(int file)
{
    epoll_event event{};
    event.events = EPOLLIN;
    if (epoll_ctl(events_.get(), EPOLL_CTL_ADD, file, &event) != 0)
        throw std::runtime_error("the display is not watched");
}

// The programs are asked to close their windows, and may ask the person what to do with unsaved work.
void PrivateDisplay::close()
{
    if (closing_ == Closing::Warned || !frame_.ask_to_close()) {
        closed_ = true;
        return;
    }
    if (closing_ == Closing::Nobody)
        set_timer(timer_, patience);
    closing_ = Closing::Asked;
}

// What does not close is offered to be ended, for a while.
void PrivateDisplay::take_time()
{
    std::uint64_t count = 0;
    if (read(timer_.get(), &count, sizeof(count)) != sizeof(count))
        return;
    if (closing_ == Closing::Asked && frame_.has_windows()) {
        frame_.warn(name_ + " is still open. To end it and lose what is not saved, close this window again.");
        closing_ = Closing::Warned;
        set_timer(timer_, offer_time);
        return;
    }
    frame_.warn("");
    closing_ = Closing::Nobody;
}

void PrivateDisplay::handle_events()
{
    if (outer_->handle_events())
        close();
    take_time();
    frame_.handle_events();
    if (offer_ != nullptr)
        offer_->handle_events();
    if (offer_ != nullptr && offer_->is_over())
        offer_.reset();
    if (socket_ != nullptr)
        socket_->handle_requests();
}

void PrivateDisplay::paste(std::string text)
{
    auto offer = std::make_unique<XClipboardOffer>(XConnection(server_.address(), server_.cookie()), std::move(text));
    watch(offer->file());
    offer_ = std::move(offer);
}

std::string PrivateDisplay::copy() const
{
    // Reading waits for the owner, which we are.
    if (offer_ != nullptr)
        return offer_->text();
    auto text = read_x_clipboard(XConnection(server_.address(), server_.cookie()));
    if (!text)
        throw std::runtime_error(text.error().message);
    return std::move(*text);
}

} // namespace tacet::cli
