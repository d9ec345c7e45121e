// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus.h"

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-event.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <list>

#include "common/channel.h"
#include "session/close_files.h"
#include "session/confinement.h"
#include "session/system_bus_relay.h"

namespace tacet {
namespace {

constexpr const char* socket_folder = "/run/dbus";
constexpr const char* socket_path = "/run/dbus/system_bus_socket";
constexpr std::size_t relays_max = 64;

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

class Filter {
public:
    // Returns when the channel is closed.
    void run(int channel);

private:
    static int on_channel(sd_event_source* source, int channel, unsigned events, void* filter);
    static int on_program(sd_event_source* source, int socket, unsigned events, void* filter);

    UniqueFd socket_;
    Services services_;
    std::list<Relay> relays_;
};

int Filter::on_channel(sd_event_source* source, int channel, unsigned /*events*/, void* filter)
{
    auto* self = static_cast<Filter*>(filter);
    sd_event* event = sd_event_source_get_event(source);
    auto message = receive_message(channel);
    if (!message || message->files.size() != 1 || self->socket_)
        return sd_event_exit(event, 0);
    self->socket_ = std::move(message->files[0]);
    return sd_event_add_io(event, nullptr, self->socket_.get(), EPOLLIN, on_program, self);
}

int Filter::on_program(sd_event_source* source, int socket, unsigned /*events*/, void* filter)
{
    auto* self = static_cast<Filter*>(filter);
    UniqueFd program(accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!program || self->relays_.size() == relays_max)
        return 0;
    if (!self->relays_.emplace_back(self->services_).start(std::move(program), sd_event_source_get_event(source)))
        self->relays_.pop_back();
    return 0;
}

void Filter::run(int channel)
{
    sd_event* event = nullptr;
    if (sd_event_new(&event) < 0 || sd_event_add_io(event, nullptr, channel, EPOLLIN, on_channel, this) < 0)
        return;
    while (sd_event_get_state(event) != SD_EVENT_FINISHED && sd_event_run(event, UINT64_MAX) >= 0) {
        for (Relay& relay : relays_)
            relay.drain();
        relays_.remove_if([](const Relay& relay) { return relay.is_over(); });
    }
}

[[noreturn]] void become_filter(const SessionRequest& request, const UniqueFd& group, int channel)
{
    const bool joined = write(group.get(), "0", 1) == 1 && setsid() >= 0;
    close_all_but({channel});
    if (joined && confine_scope() && confine_program(request) && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
        Filter().run(channel);
    _exit(EXIT_SUCCESS);
}

} // namespace

Result<UniqueFd> start_system_bus(const SessionRequest& request, const UniqueFd& group)
{
    auto channel = make_channel();
    if (!channel)
        return channel.error();
    const pid_t filter = fork();
    if (filter < 0)
        return failure("no process");
    if (filter == 0)
        become_filter(request, group, channel->second.get());
    return std::move(channel->first);
}

Result<void> offer_system_bus(int channel)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::string_view(socket_path).copy(address.sun_path, sizeof(address.sun_path) - 1);
    const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || (mkdir(socket_folder, 0755) != 0 && errno != EEXIST) || chmod(socket_folder, 0755) != 0
        || bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 || chmod(socket_path, 0666) != 0
        || listen(socket.get(), SOMAXCONN) != 0)
        return failure("no system bus");
    return send_message(channel, "socket", std::array{socket.get()});
}

} // namespace tacet
