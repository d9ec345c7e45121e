// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/rules/rule_book.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "common/journal.h"
#include "contract/methods.h"
#include "daemon/core/rule_words.h"

namespace tacet {
namespace {

// Root sees everybody's rules, and everybody sees root's, which hold for all.
bool may_see(const Caller& caller, const Rule& rule)
{
    return caller.is_root() || rule.owner == caller.uid || rule.owner == 0;
}

// Lists notice the end of a process this late. Decisions look at the process itself.
constexpr auto prune_interval = std::chrono::minutes(1);
// The list in memory is up to date, and this stores it for the next start.
constexpr auto hits_delay = std::chrono::seconds(1);

bool is_lasting(Duration duration)
{
    return duration == Duration::Reboot || duration == Duration::Always;
}

std::string peer_of(const Question& question)
{
    switch (question.sink) {
    case Sink::Network:
        return question.host;
    case Sink::File:
    case Sink::Device:
        return question.target;
    case Sink::Other:
    case Sink::Marked:
        break;
    }
    return {};
}

std::string default_subject(SubjectKind kind, const Question& question)
{
    switch (kind) {
    case SubjectKind::File:
        return question.file;
    case SubjectKind::Folder:
        return std::filesystem::path(question.file).parent_path().string();
    case SubjectKind::Label:
        return question.categories.empty() ? "" : question.categories.front();
    case SubjectKind::Any:
        break;
    }
    return {};
}

} // namespace

Result<RuleScope> complete_scope(const ScopeRequest& request, const Question* question)
{
    const Question none;
    RuleScope scope;
    if (question != nullptr) {
        scope.subject_kind = SubjectKind::File;
        scope.executable = question->executable;
        scope.host = peer_of(*question);
        scope.sink = question->sink;
        scope.port = question->sink == Sink::Network ? question->port : 0;
    }
    scope.subject_kind = request.subject_kind.value_or(scope.subject_kind);
    scope.subject = request.subject.value_or(default_subject(scope.subject_kind, question != nullptr ? *question : none));
    scope.executable = request.executable.value_or(scope.executable);
    scope.host = request.host.value_or(scope.host);
    scope.port = request.port.value_or(scope.port);
    scope.sink = request.sink.value_or(scope.sink);
    auto valid = validate(std::move(scope));
    if (valid && question != nullptr && !is_about_destination(*valid, *question))
        return Error{ErrorCode::InvalidScope, "the rule would not be about the destination that is asked about"};
    return valid;
}

RuleBook::RuleBook(RuleStore& store, std::string damage, Surroundings surroundings)
    : store_(store), damage_(std::move(damage)), around_(surroundings), rules_(store.load())
{
    prune();
}

const Rule* RuleBook::decide(const Question& question)
{
    return find_deciding(rules_, question, around_.clock);
}

bool RuleBook::tell_files_apart() const
{
    return std::ranges::any_of(rules_, [](const Rule& rule) {
        return rule.scope.subject_kind == SubjectKind::File || rule.scope.subject_kind == SubjectKind::Folder;
    });
}

void RuleBook::count_hit(RuleId id)
{
    const auto found = std::ranges::find(rules_, id, &Rule::id);
    if (found == rules_.end())
        return;
    ++found->hits;
    ++unsaved_hits_[id];
    if (hits_timer_ == nullptr)
        hits_timer_ = around_.scheduler.at(around_.clock.boottime() + hits_delay, [this] { save_hits(); });
    around_.signals.rules_changed(found->owner);
}

void RuleBook::save_hits()
{
    const auto ended = std::move(hits_timer_);
    for (const auto& [id, count] : std::exchange(unsaved_hits_, {})) {
        if (auto counted = store_.count_hits(id, count); !counted)
            journal(Priority::Warning, counted.error().message);
    }
}

Result<void> RuleBook::check_room(const Rule& rule) const
{
    if (is_lasting(rule.lifetime.duration) && !damage_.empty())
        return Error{ErrorCode::StoreDamaged, "lasting rules are refused: " + damage_};
    if (static_cast<std::size_t>(std::ranges::count(rules_, rule.owner, &Rule::owner)) >= per_owner_max)
        return Error{ErrorCode::TooMany, "too many rules"};
    return {};
}

std::optional<RuleId> RuleBook::find_same(const Rule& rule) const
{
    const auto same = std::ranges::find_if(rules_, [&](const Rule& other) {
        return is_lasting(rule.lifetime.duration) && other.owner == rule.owner && other.scope == rule.scope
               && other.verdict == rule.verdict && other.lifetime.duration == rule.lifetime.duration;
    });
    return same == rules_.end() ? std::nullopt : std::optional(same->id);
}

Result<RuleId> RuleBook::insert(Rule rule)
{
    prune();
    if (const auto same = find_same(rule))
        return *same;
    if (auto room = check_room(rule); !room)
        return room.error();
    rule.created = around_.clock.realtime();
    const auto id = store_.add(rule);
    if (!id)
        return id;
    rule.id = *id;
    const uid_t owner = rule.owner;
    rules_.push_back(std::move(rule));
    schedule_prune();
    around_.signals.rules_changed(owner);
    return id;
}

void RuleBook::list(const Caller& caller, Reply<std::vector<ListedRule>> reply)
{
    prune();
    std::vector<ListedRule> listed;
    for (const Rule& rule : rules_) {
        if (may_see(caller, rule))
            listed.push_back({rule, estimate_end(rule.lifetime, around_.clock)});
    }
    reply(std::move(listed));
}

void RuleBook::show(const Caller& caller, RuleId id, Reply<ListedRule> reply)
{
    prune();
    const auto found = std::ranges::find(rules_, id, &Rule::id);
    if (found == rules_.end() || !may_see(caller, *found))
        reply(Error{ErrorCode::NoSuchRule, "no such rule"});
    else
        reply(ListedRule{*found, estimate_end(found->lifetime, around_.clock)});
}

void RuleBook::add(const Caller& caller, RuleRequest request, Reply<RuleId> reply)
{
    if (request.duration == Duration::Once || request.duration == Duration::Process) {
        reply(Error{ErrorCode::InvalidDuration, "a rule lasts 15min, 1h, until reboot or always"});
        return;
    }
    const auto scope = complete_scope(request.scope, nullptr);
    if (!scope) {
        reply(scope.error());
        return;
    }
    if (const auto possible = validate(request.verdict, scope->sink); !possible) {
        reply(possible.error());
        return;
    }
    Rule rule{.owner = caller.uid, .verdict = request.verdict, .scope = *scope, .lifetime = {}};
    rule.lifetime.duration = request.duration;
    // Nobody is asked for a password for a rule that cannot be made.
    if (const auto room = find_same(rule) ? Result<void>() : check_room(rule); !room) {
        reply(room.error());
        return;
    }
    around_.gate.pass(
        caller, contract::rules::add, Reach::OwnLasting,
        [this, rule, request, reply](const Result<void>& passed) mutable {
            if (!passed) {
                reply(passed.error());
                return;
            }
            // The time runs from here, not from before the question, as the password dialog must not take from
            // the 15 minutes.
            rule.lifetime = make_lifetime(request.duration, around_.clock, {});
            const auto id = insert(rule);
            if (id && on_changed)
                on_changed();
            reply(id);
        },
        rule_details("make", rule));
}

void RuleBook::remove(const Caller& caller, RuleId id, Reply<void> reply)
{
    const auto found = std::ranges::find(rules_, id, &Rule::id);
    if (found == rules_.end() || !may_see(caller, *found)) {
        reply(Error{ErrorCode::NoSuchRule, "no such rule"});
        return;
    }
    const Reach reach = found->owner == caller.uid ? Reach::OwnLasting : Reach::Others;
    Details details = rule_details("remove", *found);
    around_.gate.pass(
        caller, contract::rules::remove, reach,
        [this, id, reply](const Result<void>& passed) {
            if (!passed) {
                reply(passed);
                return;
            }
            if (std::ranges::find(rules_, id, &Rule::id) == rules_.end()) {
                reply(Error{ErrorCode::NoSuchRule, "no such rule"});
                return;
            }
            if (auto removed = store_.remove(id); !removed) {
                reply(removed);
                return;
            }
            drop(id);
            if (on_changed)
                on_changed();
            reply({});
        },
        std::move(details));
}

void RuleBook::drop(RuleId id)
{
    const auto found = std::ranges::find(rules_, id, &Rule::id);
    const uid_t owner = found->owner;
    rules_.erase(found);
    around_.signals.rules_changed(owner);
}

void RuleBook::prune()
{
    std::vector<RuleId> ended;
    for (const Rule& rule : rules_) {
        const bool process_gone =
            rule.lifetime.duration == Duration::Process && !around_.processes.is_alive(rule.lifetime.process);
        if (has_ended(rule.lifetime, around_.clock) || process_gone)
            ended.push_back(rule.id);
    }
    for (const RuleId id : ended) {
        // If a full disk leaves the rule in the store, the next start finds it ended again.
        static_cast<void>(store_.remove(id));
        drop(id);
    }
    schedule_prune();
}

void RuleBook::schedule_prune()
{
    BootTime next = BootTime::max();
    const BootTime now = around_.clock.boottime();
    for (const Rule& rule : rules_) {
        if (rule.lifetime.duration == Duration::Process)
            next = std::min(next, now + BootTime(prune_interval));
        else if (rule.lifetime.expires != BootTime::zero())
            next = std::min(next, rule.lifetime.expires);
    }
    prune_timer_ = next == BootTime::max() ? nullptr : around_.scheduler.at(next, [this] { prune(); });
}

} // namespace tacet
