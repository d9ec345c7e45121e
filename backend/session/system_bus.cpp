// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus.h"

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>

#include "common/channel.h"
#include "session/close_files.h"
#include "session/confinement.h"
#include "session/system_bus_policy.h"

namespace tacet {
namespace {

constexpr const char* socket_folder = "/run/dbus";
constexpr const char* socket_path = "/run/dbus/system_bus_socket";
constexpr const char* bus_address = "unix:path=/run/dbus/system_bus_socket";
constexpr std::size_t relays_max = 64;
constexpr std::size_t entries_max = 256;

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

struct Close {
    // This does not flush, as the other side may not read.
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
using Bus = std::unique_ptr<sd_bus, Close>;

// Makes a bus that carries no files.
Bus make_bus()
{
    sd_bus* made = nullptr;
    Bus bus(sd_bus_new(&made) < 0 ? nullptr : made);
    return bus && sd_bus_negotiate_fds(bus.get(), 0) >= 0 ? std::move(bus) : nullptr;
}

std::string_view view(const char* text)
{
    return text == nullptr ? std::string_view() : text;
}

bool is_bus_call(sd_bus_message* message)
{
    return view(sd_bus_message_get_destination(message)) == "org.freedesktop.DBus";
}

// Returns the first argument of a call to the bus that is about a name.
std::string_view name_in(sd_bus_message* message)
{
    const char* name = nullptr;
    const bool has = is_bus_call(message) && sd_bus_message_read_basic(message, SD_BUS_TYPE_STRING, &name) > 0;
    return has ? view(name) : std::string_view();
}

void refuse(sd_bus_message* call, BusAnswer answer)
{
    if (answer == BusAnswer::NotOwned)
        sd_bus_reply_method_return(call, "b", 0);
    else if (answer == BusAnswer::NoOwner)
        sd_bus_reply_method_errorf(call, SD_BUS_ERROR_NAME_HAS_NO_OWNER, "not for private programs");
    else if (answer == BusAnswer::NoService)
        sd_bus_reply_method_errorf(call, SD_BUS_ERROR_SERVICE_UNKNOWN, "not for private programs");
    else
        sd_bus_reply_method_errorf(call, SD_BUS_ERROR_ACCESS_DENIED, "not for private programs");
}

// The owners of the services, as the session's programs have learnt them. The programs call services by the names of these
// connections.
class Owners {
public:
    void keep(const char* owner, const std::string& service);
    void note_change(sd_bus_message* signal);
    // Returns the service behind a destination, or the destination itself if it is no service's.
    std::string_view service_of(std::string_view destination) const;

private:
    std::map<std::string, std::string, std::less<>> services_;
};

void Owners::keep(const char* owner, const std::string& service)
{
    if (services_.size() == entries_max)
        services_.clear();
    services_[owner] = service;
}

void Owners::note_change(sd_bus_message* signal)
{
    const char* name = nullptr;
    const char* old_owner = nullptr;
    const char* owner = nullptr;
    if (view(sd_bus_message_get_sender(signal)) != "org.freedesktop.DBus"
        || sd_bus_message_is_signal(signal, "org.freedesktop.DBus", "NameOwnerChanged") <= 0
        || sd_bus_message_read(signal, "sss", &name, &old_owner, &owner) <= 0 || !is_visible(name))
        return;
    services_.erase(old_owner);
    if (*owner != '\0')
        keep(owner, name);
}

std::string_view Owners::service_of(std::string_view destination) const
{
    const auto found = services_.find(destination);
    return found == services_.end() ? destination : std::string_view(found->second);
}

// A program's connection, and its counterpart on the system bus.
class Relay {
public:
    explicit Relay(Owners& owners) : owners_(owners) {}
    // Returns false if the relay could not be made.
    bool start(UniqueFd program, sd_event* event);
    // Messages that came together with the end of the handshake lie in libsystemd's buffer, and no event tells of them.
    void drain();
    bool is_over() const { return is_over_; }

private:
    static int from_program(sd_bus_message* message, void* relay, sd_bus_error*);
    static int from_system(sd_bus_message* message, void* relay, sd_bus_error*);
    bool ends_with(sd_bus_message* message);
    void pass_on(sd_bus_message* message, sd_bus* to);
    void take_call(sd_bus_message* call);
    void note_question(sd_bus_message* call, std::string_view name);
    void note_answer(sd_bus_message* reply);
    bool start_program(UniqueFd program);
    bool start_system();

    Bus program_;
    Bus system_;
    Owners& owners_;
    std::map<std::uint64_t, std::string> asked_; // cookie of a call for a name's owner -> the name
    bool is_over_ = false;
};

bool Relay::start_program(UniqueFd program)
{
    sd_id128_t id{};
    program_ = make_bus();
    if (!program_ || sd_id128_randomize(&id) < 0 || sd_bus_set_server(program_.get(), 1, id) < 0)
        return false;
    const int file = program.release();
    return sd_bus_set_fd(program_.get(), file, file) >= 0 && sd_bus_add_filter(program_.get(), nullptr, from_program, this) >= 0
           && sd_bus_start(program_.get()) >= 0;
}

bool Relay::start_system()
{
    system_ = make_bus();
    // The program itself says hello.
    return system_ && sd_bus_set_bus_client(system_.get(), 0) >= 0 && sd_bus_set_address(system_.get(), bus_address) >= 0
           && sd_bus_add_filter(system_.get(), nullptr, from_system, this) >= 0 && sd_bus_start(system_.get()) >= 0;
}

bool Relay::start(UniqueFd program, sd_event* event)
{
    return start_program(std::move(program)) && start_system()
           && sd_bus_attach_event(program_.get(), event, SD_EVENT_PRIORITY_NORMAL) >= 0
           && sd_bus_attach_event(system_.get(), event, SD_EVENT_PRIORITY_NORMAL) >= 0;
}

void Relay::drain()
{
    while (!is_over_ && (sd_bus_process(program_.get(), nullptr) > 0 || sd_bus_process(system_.get(), nullptr) > 0)) {
    }
}

bool Relay::ends_with(sd_bus_message* message)
{
    is_over_ = is_over_ || sd_bus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") > 0;
    return is_over_;
}

void Relay::pass_on(sd_bus_message* message, sd_bus* to)
{
    is_over_ = is_over_ || sd_bus_send(to, message, nullptr) < 0;
}

void Relay::note_question(sd_bus_message* call, std::string_view name)
{
    std::uint64_t cookie = 0;
    if (view(sd_bus_message_get_member(call)) != "GetNameOwner" || sd_bus_message_get_cookie(call, &cookie) < 0)
        return;
    if (asked_.size() == entries_max)
        asked_.clear();
    asked_[cookie] = name;
}

void Relay::note_answer(sd_bus_message* reply)
{
    std::uint64_t cookie = 0;
    if (sd_bus_message_get_reply_cookie(reply, &cookie) < 0)
        return;
    const auto asked = asked_.extract(cookie);
    const char* owner = nullptr;
    if (!asked.empty() && sd_bus_message_read_basic(reply, SD_BUS_TYPE_STRING, &owner) > 0)
        owners_.keep(owner, asked.mapped());
}

void Relay::take_call(sd_bus_message* call)
{
    const std::string_view name = name_in(call);
    const BusAnswer answer =
        judge({owners_.service_of(view(sd_bus_message_get_destination(call))), view(sd_bus_message_get_path(call)),
               view(sd_bus_message_get_interface(call)), view(sd_bus_message_get_member(call)), name});
    if (answer != BusAnswer::Pass)
        return refuse(call, answer);
    if (is_bus_call(call))
        note_question(call, name);
    pass_on(call, system_.get());
}

// Passes calls on as far as they are allowed, but no signal and no reply.
int Relay::from_program(sd_bus_message* message, void* relay, sd_bus_error* /*error*/)
{
    auto* self = static_cast<Relay*>(relay);
    if (!self->ends_with(message) && sd_bus_message_is_method_call(message, nullptr, nullptr) > 0)
        self->take_call(message);
    return 1;
}

// Nobody may call a private program.
int Relay::from_system(sd_bus_message* message, void* relay, sd_bus_error* /*error*/)
{
    auto* self = static_cast<Relay*>(relay);
    if (self->ends_with(message))
        return 1;
    if (sd_bus_message_is_method_call(message, nullptr, nullptr) > 0) {
        refuse(message, BusAnswer::Denied);
        return 1;
    }
    self->note_answer(message);
    self->owners_.note_change(message);
    self->pass_on(message, self->program_.get());
    return 1;
}

class Filter {
public:
    // Returns when the channel is closed.
    void run(int channel);

private:
    static int on_channel(sd_event_source* source, int channel, unsigned events, void* filter);
    static int on_program(sd_event_source* source, int socket, unsigned events, void* filter);

    UniqueFd socket_;
    Owners owners_;
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
    if (!self->relays_.emplace_back(self->owners_).start(std::move(program), sd_event_source_get_event(source)))
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
    if (joined && confine_program(request) && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
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
    std::strcpy(address.sun_path, socket_path);
    const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if ((mkdir(socket_folder, 0755) != 0 && errno != EEXIST) || chmod(socket_folder, 0755) != 0
        || bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 || chmod(socket_path, 0666) != 0
        || listen(socket.get(), SOMAXCONN) != 0)
        return failure("no system bus");
    return send_message(channel, "socket", std::array{socket.get()});
}

} // namespace tacet
