// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/private_display.h"

#include <cstdint>
#include <sys/epoll.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace tacet::cli {
namespace {

std::string title_of(const std::string& name)
{
    return "Private: " + name;
}

} // namespace

PrivateDisplay::PrivateDisplay(const std::string& name)
    : events_(epoll_create1(EPOLL_CLOEXEC)),
      server_(title_of(name)),
      frame_(XConnection(server_.address(), server_.cookie()), server_.has_title() ? "" : title_of(name),
             "Starting " + name + "...")
{
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

void PrivateDisplay::handle_events()
{
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
