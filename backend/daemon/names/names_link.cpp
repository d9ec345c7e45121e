// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/names/names_link.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include "common/channel.h"
#include "common/socket_address.h"

namespace tacet {
namespace {

constexpr auto retry_interval = std::chrono::seconds(10);
// A question waits no longer than this for the name of its host.
constexpr auto patience = std::chrono::milliseconds(200);
constexpr int messages_max = 64; // a turn

} // namespace

void NamesLink::start()
{
    retry_.reset();
    if (!connect())
        retry_ = loop_.at(clock_.boottime() + retry_interval, [this] { start(); });
}

bool NamesLink::connect()
{
    const auto address = socket_address(path_);
    if (!address)
        return false;
    channel_ = UniqueFd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!channel_ || ::connect(channel_.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0) {
        channel_ = UniqueFd();
        return false;
    }
    readable_ = loop_.watch(channel_.get(), EPOLLIN, [this](std::uint32_t events) { read(events); });
    return true;
}

void NamesLink::read(std::uint32_t events)
{
    for (int count = 0; count < messages_max; ++count) {
        const auto received = receive_message(channel_.get());
        if (!received && (events & (EPOLLERR | EPOLLHUP)) == 0)
            return;
        if (!received || received->text.empty()) {
            close();
            return;
        }
        if (const auto message = parse_name_message(received->text))
            take(*message);
    }
}

void NamesLink::take(const NameMessage& message)
{
    if (const auto* learned = std::get_if<LearnedName>(&message))
        on_learned(*learned);
    else if (const auto* state = std::get_if<WatchState>(&message))
        set_watching(state->watching);
    else
        finish(std::get<CatchUp>(message).number);
}

void NamesLink::catch_up(std::function<void()> done)
{
    const std::uint64_t number = ++last_number_;
    if (!watching_ || !send_message(channel_.get(), to_text(CatchUp{number}))) {
        done();
        return;
    }
    auto overdue = loop_.at(clock_.boottime() + patience, [this, number] { finish(number); });
    waiting_.emplace(number, Waiting{std::move(done), std::move(overdue)});
}

void NamesLink::finish(std::uint64_t number)
{
    const auto waiting = waiting_.extract(number);
    if (waiting)
        waiting.mapped().done();
}

void NamesLink::close()
{
    readable_.reset();
    channel_ = UniqueFd();
    set_watching(false);
    while (!waiting_.empty())
        finish(waiting_.begin()->first);
    retry_ = loop_.at(clock_.boottime() + retry_interval, [this] { start(); });
}

void NamesLink::set_watching(bool watching)
{
    if (watching == watching_)
        return;
    watching_ = watching;
    on_state();
}

} // namespace tacet
