// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/system_bus_relay.h"

#include <utility>
#include <vector>

#include "session/system_bus_policy.h"

namespace tacet {
namespace {

constexpr const char* bus_address = "unix:path=/run/dbus/system_bus_socket";
constexpr const char* bus_name = "org.freedesktop.DBus";
constexpr const char* bus_path = "/org/freedesktop/DBus";
constexpr std::size_t entries_max = 256;
constexpr std::size_t objects_max = 4096;
constexpr std::size_t depth_max = 16;
constexpr std::uint64_t no_limit = UINT64_MAX;

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
    return view(sd_bus_message_get_destination(message)) == bus_name;
}

bool asks_for_signals(sd_bus_message* call)
{
    const std::string_view member = view(sd_bus_message_get_member(call));
    return is_bus_call(call) && (member == "AddMatch" || member == "RemoveMatch");
}

// Returns the first argument of a message, if it is text.
std::string_view first_text(sd_bus_message* message)
{
    const char* text = nullptr;
    const bool has = view(sd_bus_message_get_signature(message, 1)).starts_with('s')
                     && sd_bus_message_read_basic(message, SD_BUS_TYPE_STRING, static_cast<void*>(&text)) > 0;
    return has ? view(text) : std::string_view();
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

// Copies the variant of one property out of the answer to GetAll.
bool copy_property(sd_bus_message* all, const std::string& property, sd_bus_message* to)
{
    const char* name = nullptr;
    if (sd_bus_message_enter_container(all, SD_BUS_TYPE_ARRAY, "{sv}") <= 0)
        return false;
    while (sd_bus_message_enter_container(all, SD_BUS_TYPE_DICT_ENTRY, "sv") > 0) {
        if (sd_bus_message_read_basic(all, SD_BUS_TYPE_STRING, static_cast<void*>(&name)) <= 0)
            return false;
        if (name == property)
            return sd_bus_message_copy(to, all, 0) > 0;
        if (sd_bus_message_skip(all, "v") < 0 || sd_bus_message_exit_container(all) < 0)
            return false;
    }
    return false;
}

// Calls visit with each object path from where the message is read, at any depth.
template <typename Visit>
void for_each_path(sd_bus_message* message, const Visit& visit, std::size_t depth = 0)
{
    char type = 0;
    const char* contents = nullptr;
    while (depth < depth_max && sd_bus_message_peek_type(message, &type, &contents) > 0) {
        const char* path = nullptr;
        if (contents != nullptr && sd_bus_message_enter_container(message, type, contents) > 0) {
            for_each_path(message, visit, depth + 1);
            sd_bus_message_exit_container(message);
        } else if (type == SD_BUS_TYPE_OBJECT_PATH && sd_bus_message_read_basic(message, type, static_cast<void*>(&path)) > 0) {
            visit(path);
        } else if (sd_bus_message_skip(message, std::string(1, type).c_str()) < 0) {
            return;
        }
    }
}

} // namespace

void Services::keep(const char* owner, const std::string& service)
{
    if (names_.size() == entries_max)
        names_.clear();
    names_[owner] = service;
}

void Services::note_change(sd_bus_message* signal)
{
    const char* name = nullptr;
    const char* old_owner = nullptr;
    const char* owner = nullptr;
    if (view(sd_bus_message_get_sender(signal)) != bus_name || sd_bus_message_is_signal(signal, bus_name, "NameOwnerChanged") <= 0
        || sd_bus_message_read(signal, "sss", &name, &old_owner, &owner) <= 0 || !is_visible(name))
        return;
    names_.erase(old_owner);
    if (*owner != '\0')
        keep(owner, name);
}

void Services::note_objects(sd_bus_message* message)
{
    for_each_path(message, [this](const char* path) {
        if (objects_.size() < objects_max)
            objects_.insert(path);
    });
    sd_bus_message_rewind(message, 1);
}

std::string_view Services::behind(std::string_view destination) const
{
    const auto found = names_.find(destination);
    return found == names_.end() ? destination : std::string_view(found->second);
}

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

// The call is made anew, so that nothing of the program's goes out with it but what the policy has looked at.
BusMessage Relay::make_call(sd_bus_message* call, const BusCall& facts) const
{
    sd_bus_message* made = nullptr;
    const int created = sd_bus_message_new_method_call(
        system_.get(), &made, sd_bus_message_get_destination(call), is_bus_call(call) ? bus_path : sd_bus_message_get_path(call),
        sd_bus_message_get_interface(call), is_get(facts) ? "GetAll" : sd_bus_message_get_member(call));
    BusMessage owned(made);
    if (created < 0)
        return nullptr;
    int filled = 0;
    if (asks_for_properties(facts) || asks_for_name(facts))
        filled = sd_bus_message_append(made, "s", std::string(facts.argument).c_str());
    if (filled >= 0 && facts.member == "StartServiceByName")
        filled = sd_bus_message_append(made, "u", 0); // its flags mean nothing
    return filled < 0 ? nullptr : std::move(owned);
}

void Relay::ask(sd_bus_message* call, const BusCall& facts)
{
    const BusMessage made = make_call(call, facts);
    if (!made || questions_.size() == entries_max)
        return refuse(call, BusAnswer::Denied);
    if (sd_bus_message_get_expect_reply(call) <= 0) {
        is_over_ = is_over_ || sd_bus_send(system_.get(), made.get(), nullptr) < 0;
        return;
    }
    Question& question = questions_.emplace_back(*this, BusMessage(sd_bus_message_ref(call)));
    question.self = std::prev(questions_.end());
    if (is_bus_call(call) && view(sd_bus_message_get_member(call)) == "GetNameOwner")
        question.name = facts.argument;
    if (is_get(facts)) {
        const char* property = nullptr;
        if (sd_bus_message_read_basic(call, SD_BUS_TYPE_STRING, static_cast<void*>(&property)) > 0)
            question.property = property;
    }
    sd_bus_slot* slot = nullptr;
    is_over_ = is_over_ || sd_bus_call_async(system_.get(), &slot, made.get(), take_answer, &question, no_limit) < 0;
    question.slot.reset(slot);
}

int Relay::take_answer(sd_bus_message* reply, void* question, sd_bus_error* /*error*/)
{
    auto* asked = static_cast<Question*>(question);
    Relay& relay = asked->relay;
    relay.answer(*asked, reply);
    relay.questions_.erase(asked->self);
    return 1;
}

void Relay::answer(const Question& question, sd_bus_message* reply)
{
    sd_bus_message* call = question.call.get();
    if (const sd_bus_error* error = sd_bus_message_get_error(reply); error != nullptr) {
        sd_bus_reply_method_error(call, error);
        return;
    }
    if (!question.name.empty())
        services_.keep(std::string(first_text(reply)).c_str(), question.name);
    sd_bus_message_rewind(reply, 1);
    if (!is_bus_call(call))
        services_.note_objects(reply);
    sd_bus_message* made = nullptr;
    const int created = sd_bus_message_new_method_return(call, &made);
    const BusMessage owned(made);
    const char* sender = sd_bus_message_get_sender(reply);
    is_over_ = is_over_ || created < 0 || (sender != nullptr && sd_bus_message_set_sender(made, sender) < 0);
    if (is_over_)
        return;
    if (question.property.empty() ? sd_bus_message_copy(made, reply, 1) >= 0 : copy_property(reply, question.property, made))
        is_over_ = sd_bus_send(program_.get(), made, nullptr) < 0;
    else
        sd_bus_reply_method_errorf(call, SD_BUS_ERROR_UNKNOWN_PROPERTY, "there is no such property");
}

// What a program wants to hear of is a text of its choice. So it gets all signals of the services that it may know, and looks
// itself for those that it wants.
void Relay::subscribe(sd_bus_message* call)
{
    for (const std::string& rule : is_subscribed_ ? std::vector<std::string>() : signal_rules()) {
        sd_bus_message* made = nullptr;
        const int created = sd_bus_message_new_method_call(system_.get(), &made, bus_name, bus_path, bus_name, "AddMatch");
        const BusMessage owned(made);
        is_over_ = is_over_ || created < 0 || sd_bus_message_append(made, "s", rule.c_str()) < 0
                   || sd_bus_message_set_expect_reply(made, 0) < 0 || sd_bus_send(system_.get(), made, nullptr) < 0;
    }
    is_subscribed_ = true;
    sd_bus_reply_method_return(call, "");
}

void Relay::take_call(sd_bus_message* call)
{
    const std::string argument(first_text(call));
    const std::string_view path = view(sd_bus_message_get_path(call));
    const BusCall facts{services_.behind(view(sd_bus_message_get_destination(call))),
                        path,
                        view(sd_bus_message_get_interface(call)),
                        view(sd_bus_message_get_member(call)),
                        argument,
                        services_.have_named(path)};
    const BusAnswer answer = judge(facts);
    if (answer != BusAnswer::Pass)
        return refuse(call, answer);
    if (asks_for_signals(call))
        return subscribe(call);
    ask(call, facts);
}

// Takes calls as far as they are allowed, but no signal and no reply.
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
    if (sd_bus_message_is_signal(message, nullptr, nullptr) <= 0)
        return 1;
    self->services_.note_change(message);
    sd_bus_message_rewind(message, 1);
    if (is_visible(self->services_.behind(view(sd_bus_message_get_sender(message)))))
        self->services_.note_objects(message);
    self->is_over_ = sd_bus_send(self->program_.get(), message, nullptr) < 0;
    return 1;
}

} // namespace tacet
