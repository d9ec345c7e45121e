// SPDX-License-Identifier: GPL-3.0-or-later
// Between one program of a session and the system bus: what system_bus_policy allows is asked in the program's name.
#pragma once

#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "common/unique_fd.h"
#include "session/system_bus_policy.h"

namespace tacet {

struct CloseBus {
    // This does not flush, as the other side may not read.
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
using Bus = std::unique_ptr<sd_bus, CloseBus>;

struct UnrefMessage {
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using BusMessage = std::unique_ptr<sd_bus_message, UnrefMessage>;

struct UnrefSlot {
    void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
using BusSlot = std::unique_ptr<sd_bus_slot, UnrefSlot>;

// What the session's programs have learnt of the services: the names of their connections, by which programs call them, too,
// and the objects that they have.
class Services {
public:
    void keep(const char* owner, const std::string& service);
    void note_change(sd_bus_message* signal);
    void note_objects(sd_bus_message* message);
    // Returns the service behind a destination, or the destination itself if it is no service's.
    std::string_view behind(std::string_view destination) const;
    bool have_named(std::string_view path) const { return objects_.contains(path); }

private:
    std::map<std::string, std::string, std::less<>> names_;
    std::set<std::string, std::less<>> objects_;
};

// A program's connection, and its counterpart on the system bus.
class Relay {
public:
    explicit Relay(Services& services) : services_(services) {}
    // Returns false if the relay could not be made.
    bool start(UniqueFd program, sd_event* event);
    // Messages that came together with the end of the handshake lie in libsystemd's buffer, and no event tells of them.
    void drain();
    bool is_over() const { return is_over_; }

private:
    // A call of the program's that the system bus has not answered yet.
    struct Question {
        Question(Relay& asker, BusMessage asked) : relay(asker), call(std::move(asked)) {}

        Relay& relay;
        BusMessage call;
        BusSlot slot;
        std::string name;     // whose owner is asked for, if any
        std::string property; // that is wanted out of all, if any
        std::list<Question>::iterator self;
    };

    static int from_program(sd_bus_message* message, void* relay, sd_bus_error*);
    static int from_system(sd_bus_message* message, void* relay, sd_bus_error*);
    static int take_answer(sd_bus_message* reply, void* question, sd_bus_error*);
    bool ends_with(sd_bus_message* message);
    void take_call(sd_bus_message* call);
    BusMessage make_call(sd_bus_message* call, const BusCall& facts) const;
    void ask(sd_bus_message* call, const BusCall& facts);
    void subscribe(sd_bus_message* call);
    void answer(const Question& question, sd_bus_message* reply);
    bool start_program(UniqueFd program);
    bool start_system();

    Bus program_;
    Bus system_;
    Services& services_;
    std::list<Question> questions_;
    bool is_subscribed_ = false;
    bool is_over_ = false;
};

} // namespace tacet
