// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/session_service.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <optional>

#include "contract/codes.h"
#include "contract/methods.h"
#include "daemon/sessions/random.h"

namespace tacet {
namespace {

// A session ends itself within a second. After this limit it is killed.
constexpr SessionId id_max = 99'999;
constexpr auto end_limit = std::chrono::milliseconds(2500);
// A new spare place does not compete with the start of the program that took the last one.
constexpr auto spare_delay = std::chrono::seconds(5);
// A session of an earlier tacetd that has not said by then whose it is, is ended.
constexpr auto describe_limit = std::chrono::seconds(30);
constexpr uid_t nobody = static_cast<uid_t>(-1);
constexpr std::size_t boxes_max = 16; // of one user

Error no_such_session()
{
    return {ErrorCode::NoSuchSession, "no such session"};
}

std::string file_name(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

// Written data goes to memory, unless the person asked for more than half of the free memory.
bool needs_disk(const SessionStart& start, std::uint64_t memory_available)
{
    return start.options.store == contract::StoreChoice::Disk || !start.options.box.empty()
           || (start.options.store == contract::StoreChoice::Auto && start.options.size > memory_available / 2);
}

PrivateSession facts_of(const SessionRequest& request)
{
    PrivateSession facts;
    facts.id = request.id;
    facts.owner = request.uid;
    facts.application = request.options.name.empty() ? file_name(request.command.front()) : request.options.name;
    facts.since = request.since;
    facts.on_disk = request.on_disk;
    facts.network = request.options.network;
    facts.audio = request.options.audio;
    facts.box = request.options.box;
    return facts;
}

SessionRequest make_request(const Caller& caller, const Person& person, const SessionStart& start)
{
    SessionRequest request;
    request.uid = caller.uid;
    request.gid = person.group;
    request.user = person.name;
    request.directory = start.directory;
    request.command = start.command;
    request.environment = start.environment;
    request.options = start.options;
    return request;
}

} // namespace

void SessionService::start(const Caller& caller, SessionStart start, Reply<SessionId> reply)
{
    // polkit and the account are asked at once, since each takes its time. A spare place knows the account.
    struct Wanted {
        SessionStart start;
        std::optional<Result<void>> passed;
        std::optional<Result<Person>> person;
    };
    const auto wanted = std::make_shared<Wanted>(Wanted{std::move(start), {}, {}});
    if (const auto known = known_person(caller.uid))
        wanted->person = *known;
    const auto answered = [this, caller, wanted, reply] {
        if (!wanted->passed || !wanted->person)
            return;
        if (!*wanted->passed)
            reply(wanted->passed->error());
        else if (caller.is_root() || !*wanted->person)
            reply(Error{ErrorCode::InvalidArgument, "private sessions are for people, not for root or system users"});
        else
            reply(launch(caller, **wanted->person, std::move(wanted->start)));
    };
    around_.gate.pass(caller, contract::sessions::start, Reach::Own, [wanted, answered](const Result<void>& passed) {
        wanted->passed = passed;
        answered();
    });
    if (wanted->person)
        return;
    find_person(around_.lookups, caller.uid, [wanted, answered](const Result<Person>& person) {
        wanted->person = person;
        answered();
    });
}

Result<std::size_t> parse_sessions_max(std::string_view text)
{
    constexpr std::size_t most = 64; // the module's TACET_SESSION_MAX, for all users
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most)
        return Error{ErrorCode::InvalidArgument, "it is no number from 1 to " + std::to_string(most) + ", so it is not used"};
    return number;
}

Result<SessionId> SessionService::launch(const Caller& caller, const Person& person, SessionStart start)
{
    const auto own = std::ranges::count_if(sessions_, [&](const auto& item) { return item.second.facts.owner == caller.uid; });
    if (static_cast<std::size_t>(own) >= per_owner_max_)
        return Error{ErrorCode::TooMany, std::to_string(own)
                                             + " private sessions of yours run, and no more may. End one, or have"
                                               " an administrator set TACET_SESSIONS_MAX, see tacetd(8)"};
    if (auto checked = check_box(caller, start.options); !checked)
        return checked.error();
    SessionRequest request = make_request(caller, person, start);
    request.on_disk = needs_disk(start, around_.host.memory_available());
    request.since = around_.clock.realtime();
    const auto place = take_place(request);
    if (!place)
        return place.error();
    const SessionId id = request.id;
    auto running = (*place)->begin(request, std::move(start.files), events_of(id));
    if (!running)
        return running.error();
    Session& session = sessions_[id];
    session.running = std::move(*running);
    session.facts = facts_of(request);
    around_.signals.sessions_changed(caller.uid);
    return id;
}

std::optional<Person> SessionService::known_person(uid_t uid) const
{
    const auto spare = spares_.find(uid);
    return spare == spares_.end() || spare->second.place == nullptr ? std::nullopt : spare->second.person;
}

// Drawn, not counted: how many there were since the boot is nobody's business.
SessionId SessionService::draw_id() const
{
    SessionId id = 0;
    do {
        id = 1 + random_number() % id_max;
    } while (sessions_.contains(id) || std::ranges::any_of(spares_, [&](const auto& item) { return item.second.id == id; }));
    return id;
}

Result<std::unique_ptr<SessionPlace>> SessionService::take_place(SessionRequest& request)
{
    const auto spare = spares_.find(request.uid);
    if (spare != spares_.end() && !request.on_disk) {
        request.id = spare->second.id;
        auto place = std::move(spare->second.place);
        renew_spare(request.uid);
        if (place != nullptr && place->is_waiting())
            return place;
    }
    request.id = draw_id();
    return around_.host.make_place(request.id, request.uid, request.on_disk);
}

void SessionService::on_person_arrived(uid_t person)
{
    if (person != 0 && !spares_.contains(person))
        renew_spare(person);
}

void SessionService::renew_spare(uid_t person)
{
    spares_[person].renewal = around_.scheduler.at(around_.clock.boottime() + spare_delay, [this, person] {
        Spare& spare = spares_.at(person);
        const auto ended = std::move(spare.renewal);
        spare.place.reset();
        spare.id = draw_id();
        auto place = around_.host.make_place(spare.id, person, false);
        spare.place = place ? std::move(*place) : nullptr;
        spare.person.reset();
        find_person(around_.lookups, person, [this, person, id = spare.id](const Result<Person>& found) {
            if (const auto asked = spares_.find(person); found && asked != spares_.end() && asked->second.id == id)
                asked->second.person = *found;
        });
    });
}

SessionId SessionService::user_of(uid_t owner, const std::string& box) const
{
    const auto found = std::ranges::find_if(
        sessions_, [&](const auto& item) { return item.second.facts.owner == owner && item.second.facts.box == box; });
    return found == sessions_.end() ? 0 : found->first;
}

Result<void> SessionService::check_box(const Caller& caller, const SessionOptions& options) const
{
    if (options.box.empty())
        return {};
    const auto boxes = around_.boxes.list(caller.uid);
    if (boxes.size() >= boxes_max && std::ranges::find(boxes, options.box, &Box::name) == boxes.end())
        return Error{ErrorCode::TooMany, "you have " + std::to_string(boxes.size())
                                             + " boxes, and may have no more. Remove one: tacet box remove NAME"};
    return {};
}

SessionEvents SessionService::events_of(SessionId id)
{
    return {[this, id](const std::string& text) { on_message(id, text); },
            [this, id](const SessionRequest& request) { on_described(id, request); }, [this, id] { on_gone(id); }};
}

void SessionService::take_over()
{
    for (const SessionId id : around_.host.kept()) {
        Session& session = sessions_[id];
        session.facts.id = id;
        session.facts.owner = nobody;
        session.running = around_.host.adopt(id, events_of(id));
        session.overdue = around_.scheduler.at(around_.clock.boottime() + describe_limit, [this, id] {
            sessions_.at(id).running->end();
            on_gone(id);
        });
    }
}

void SessionService::on_described(SessionId id, const SessionRequest& request)
{
    const auto found = sessions_.find(id);
    if (found == sessions_.end() || found->second.facts.owner != nobody || request.id != id)
        return;
    found->second.facts = facts_of(request);
    found->second.overdue.reset();
    around_.signals.sessions_changed(request.uid);
}

void SessionService::list(const Caller& caller, Reply<std::vector<PrivateSession>> reply)
{
    std::vector<PrivateSession> visible;
    for (auto& [id, session] : sessions_) {
        if (session.facts.owner == nobody || (!caller.is_root() && session.facts.owner != caller.uid))
            continue;
        const SessionMemory memory = session.running->memory();
        session.facts.memory = memory.memory;
        session.facts.swap = memory.swap;
        visible.push_back(session.facts);
    }
    std::ranges::stable_sort(visible, {}, &PrivateSession::since);
    reply(std::move(visible));
}

void SessionService::end(const Caller& caller, SessionId id, Reply<void> reply)
{
    const auto found = sessions_.find(id);
    if (found == sessions_.end() || (!caller.is_root() && found->second.facts.owner != caller.uid)) {
        reply(no_such_session());
        return;
    }
    begin_end(id, std::move(reply));
}

void SessionService::end_all(const Caller& caller, Reply<void> reply)
{
    std::vector<SessionId> own;
    for (const auto& [id, session] : sessions_) {
        if (session.facts.owner == caller.uid)
            own.push_back(id);
    }
    auto left = std::make_shared<std::size_t>(own.size());
    if (own.empty())
        reply({});
    for (const SessionId id : own) {
        begin_end(id, [left, reply](const Result<void>&) {
            if (--*left == 0)
                reply({});
        });
    }
}

// This is only for the owner, also against root: its content is nobody else's business.
Result<RunningSession*> SessionService::find_usable(const Caller& caller, SessionId id)
{
    const auto found = sessions_.find(id);
    if (found == sessions_.end() || found->second.facts.owner != caller.uid)
        return no_such_session();
    const SessionState state = found->second.facts.state;
    if (state != SessionState::Running && state != SessionState::Waiting)
        return Error{ErrorCode::Failed, "the session is starting or ending"};
    return found->second.running.get();
}

void SessionService::files(const Caller& caller, SessionId id, Reply<std::vector<SessionChange>> reply)
{
    const auto session = find_usable(caller, id);
    if (!session)
        reply(session.error());
    else
        (*session)->files(std::move(reply));
}

void SessionService::keep(const Caller& caller, SessionId id, const std::string& path, UniqueFd file, Reply<void> reply)
{
    const auto session = find_usable(caller, id);
    if (!session)
        reply(session.error());
    else if (!path.starts_with('/') || path.size() >= PATH_MAX || path.find('\0') != std::string::npos)
        reply(Error{ErrorCode::InvalidPath, "a path begins with a slash"});
    else
        (*session)->keep(path, std::move(file), std::move(reply));
}

void SessionService::list_boxes(const Caller& caller, Reply<std::vector<Box>> reply)
{
    std::vector<Box> boxes = around_.boxes.list(caller.uid);
    for (Box& box : boxes)
        box.session = user_of(caller.uid, box.name);
    reply(std::move(boxes));
}

void SessionService::remove_box(const Caller& caller, const std::string& name, Reply<void> reply)
{
    const auto removed = around_.boxes.remove(caller.uid, name);
    const SessionId id = removed ? 0 : user_of(caller.uid, name);
    reply(id == 0 ? removed : Error{ErrorCode::Failed, "private session " + std::to_string(id) + " uses the box " + name});
}

void SessionService::begin_end(SessionId id, Reply<void> reply)
{
    Session& session = sessions_.at(id);
    session.waiting.push_back(std::move(reply));
    if (session.facts.state == SessionState::Ending)
        return;
    session.facts.state = SessionState::Ending;
    session.running->end();
    // Without tacetd's end of the channel the session goes, whatever it is doing.
    session.overdue = around_.scheduler.at(around_.clock.boottime() + end_limit, [this, id] { on_gone(id); });
    around_.signals.sessions_changed(session.facts.owner);
}

void SessionService::on_message(SessionId id, const std::string& text)
{
    const auto found = sessions_.find(id);
    if (found == sessions_.end())
        return;
    PrivateSession& facts = found->second.facts;
    if (text.starts_with("used ")) {
        std::from_chars(text.data() + 5, text.data() + text.size(), facts.store);
    } else if (text == "full" || text == "room") {
        facts.is_full = text == "full";
        around_.signals.sessions_changed(facts.owner);
    } else if (text == "running" && facts.state == SessionState::Starting) {
        facts.state = SessionState::Running;
        around_.signals.sessions_changed(facts.owner);
    } else if (text == "waiting" && facts.state == SessionState::Running) {
        facts.state = SessionState::Waiting;
        around_.signals.sessions_changed(facts.owner);
    }
}

void SessionService::on_gone(SessionId id)
{
    auto ended = sessions_.extract(id);
    if (ended.empty())
        return;
    // This may run inside a callback of the session, so the session is destroyed later.
    ended_.push_back(std::move(ended.mapped()));
    sweep_ = around_.scheduler.at(around_.clock.boottime(), [this] { ended_.clear(); });
    around_.signals.sessions_changed(ended_.back().facts.owner);
    for (const Reply<void>& reply : std::exchange(ended_.back().waiting, {}))
        reply({});
}

} // namespace tacet
