// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/breaches/breach_service.h"

#include <algorithm>

#include "common/journal.h"
#include "contract/methods.h"
#include "daemon/core/rule_words.h"

namespace tacet {
namespace {

// This is long enough for an app or the daemon to restart, and short enough for a program that waits.
constexpr auto agent_patience = std::chrono::seconds(5);
// The kernel's words for one verdict that settled several questions of a process.
constexpr std::string_view settled_by_another = "settled by another answer";
constexpr auto default_deadline = std::chrono::seconds(60);
// The kernel counts it from when the program asked, and grants no more in all.
constexpr auto extension = std::chrono::minutes(10);

bool may_see(const Caller& caller, const Question& question)
{
    return caller.is_root() || caller.uid == question.owner;
}

// A verdict that depends on a name that the network gave holds for this flow only, and the next flow asks again.
CacheScope cache_scope(const Rule& rule, const Question& question, bool files_differ)
{
    const bool by_learned_name =
        !rule.scope.host.empty() && rule.scope.host != question.address && !question.learned_names.empty();
    if (question.sink == Sink::Marked)
        return by_learned_name || files_differ ? CacheScope::Flow : CacheScope::Process;
    if (by_learned_name)
        return files_differ ? CacheScope::FlowFile : CacheScope::Flow;
    return files_differ ? CacheScope::File : CacheScope::Process;
}

// Answers for private sessions are not stored: the kernel remembers them for as long as the process lives.
bool makes_rule(const AnswerRequest& request, const Question& question)
{
    return request.duration != Duration::Once && !question.in_session;
}

// Returns the verdict that the kernel can carry out for this question, given the rule's.
Verdict done_by_kernel(Verdict verdict, const Question& question)
{
    return verdict == Verdict::Takeover && !question.can_take_over ? Verdict::Scrub : verdict;
}

} // namespace

BreachService::BreachService(RuleBook& rules, RuleStore& rule_store, LabelStore& labels, LabelIndex& index, ActivityLog& log,
                             Surroundings surroundings)
    : rules_(rules),
      rule_store_(rule_store),
      labels_(labels),
      index_(index),
      log_(log),
      around_(surroundings),
      hosts_(surroundings.clock)
{
}

void BreachService::on_asked(Question question)
{
    const QuestionId id = question.id;
    if (queue_.find(id) != nullptr || arriving_.contains(id))
        return;
    const bool has_host = question.sink == Sink::Network;
    const ProcessIdentity process = question.process;
    const uid_t user = question.uid;
    arriving_.emplace(id, Arriving{std::move(question), has_host ? 2U : 1U});
    inspect(around_.lookups, user, process, [this, id](const ProcessFacts& facts) {
        learn(id, [&](Question& asked) {
            asked.command = facts.command;
            asked.parent = facts.parent;
            asked.fingerprint = facts.fingerprint;
        });
    });
    if (has_host)
        around_.names.catch_up([this, id] { learn(id, [](Question&) {}); });
}

void BreachService::learn(QuestionId id, const std::function<void(Question&)>& learned)
{
    const auto place = arriving_.find(id);
    if (place == arriving_.end())
        return;
    learned(place->second.question);
    if (--place->second.awaited != 0)
        return;
    Question question = std::move(place->second.question);
    arriving_.erase(place);
    take_in(std::move(question));
}

void BreachService::take_in(Question question)
{
    enrich(question);
    if (paused_)
        let_pass(question);
    else if (!decide_by_rule(question))
        enqueue(std::move(question));
}

void BreachService::set_paused(bool paused)
{
    paused_ = paused;
    // Decisions of before the pause must not block during it, and data that passed during it must be asked about afterwards.
    flush();
    if (!paused)
        return;
    for (const QuestionId id : queue_.all()) {
        if (const auto question = close(id, "answered"))
            let_pass(*question);
    }
}

void BreachService::on_name_learned(const LearnedName& learned)
{
    // A rule for the new name may differ from the verdict that the kernel remembers for its address.
    if (hosts_.learn(learned) && std::exchange(network_cached_, false))
        flush();
}

void BreachService::let_pass(const Question& question)
{
    send(question.id, Verdict::Allow, CacheScope::Flow, {});
    log_.record("paused", question, to_string(Verdict::Allow), 0, "");
}

void BreachService::flush()
{
    if (auto flushed = around_.kernel.flush(); !flushed && flushed.error().code != ErrorCode::ModuleAbsent)
        journal(Priority::Error, flushed.error().message);
}

void BreachService::enrich(Question& question)
{
    // By the inode alone: a path is what a process sees in mounts of its own.
    const auto file = index_.find(question.origin);
    question.time = around_.clock.realtime();
    if (question.deadline == BootTime::zero())
        question.deadline = around_.clock.boottime() + default_deadline;
    question.owner = question_owner(question.sink, question.uid, file ? file->owner : index_.person_of(question.label));
    question.categories = labels_.kinds(question.label);
    question.label_within_file = file && is_subset(question.label, file->label);
    if (question.sink == Sink::Network) {
        HostNames::Names names = hosts_.names_of(question.address);
        question.host = std::move(names.shown);
        question.learned_names = std::move(names.learned);
        question.names_complete = names.complete;
    }
    const std::string known = rule_store_.fingerprint(question.owner, question.executable);
    question.binary_changed = !known.empty() && !question.fingerprint.empty() && known != question.fingerprint;
}

// For the output of a service, the owner of the file decides.
bool BreachService::files_differ(const Question& question) const
{
    return rules_.tell_files_apart() || !is_person(question.uid);
}

bool BreachService::decide_by_rule(const Question& question)
{
    const Rule* rule = rules_.decide(question);
    if (rule == nullptr)
        return false;
    const RuleId id = rule->id;
    const Verdict verdict = rule->verdict;
    send(question.id, verdict, cache_scope(*rule, question, files_differ(question)), rule->lifetime.expires);
    rules_.count_hit(id);
    log_.record("rule", question, to_string(done_by_kernel(verdict, question)), id, "");
    return true;
}

void BreachService::enqueue(Question question)
{
    const QuestionId id = question.id;
    const uid_t owner = question.owner;
    const BootTime deadline = question.deadline;
    switch (queue_.add(question)) {
    case QuestionQueue::Added::Known:
        return;
    case QuestionQueue::Added::Full:
        send(id, Verdict::Block, CacheScope::Flow, {});
        log_.record("missed", question, to_string(Verdict::Block), 0, "too-many");
        return;
    case QuestionQueue::Added::Leads:
        ask_person(*queue_.find(id));
        break;
    case QuestionQueue::Added::Follows:
        break;
    }
    schedule_end(id, deadline);
    around_.signals.breaches_changed(owner);
}

void BreachService::schedule_end(QuestionId id, BootTime deadline)
{
    deadlines_[id] = around_.scheduler.at(deadline, [this, id] { give_up(id, "expired"); });
}

void BreachService::ask_person(const Question& question)
{
    if (around_.agents.present(question.owner)) {
        around_.agents.ask(question);
        return;
    }
    const QuestionId id = question.id;
    const BootTime until = around_.clock.boottime() + agent_patience;
    agent_waits_[id] = around_.scheduler.at(until, [this, id] {
        for (const QuestionId waiting : queue_.group_of(id))
            give_up(waiting, "no-agent");
    });
}

void BreachService::give_up(QuestionId id, std::string_view reason)
{
    const auto question = close(id, "expired");
    if (!question)
        return;
    send(id, Verdict::Block, CacheScope::Flow, {});
    log_.record("missed", *question, to_string(Verdict::Block), 0, reason);
}

std::optional<Question> BreachService::close(QuestionId id, std::string_view reason)
{
    // The timers go last, as one of them may be our caller.
    const auto deadline = deadlines_.extract(id);
    const auto agent_wait = agent_waits_.extract(id);
    auto removed = queue_.remove(id);
    if (!removed)
        return std::nullopt;
    if (removed->led)
        around_.agents.withdraw(removed->question.owner, id, reason);
    if (removed->successor)
        ask_person(*queue_.find(*removed->successor));
    around_.signals.breaches_changed(removed->question.owner);
    return std::move(removed->question);
}

void BreachService::remember_settled(QuestionId id)
{
    settled_.push_back(id);
    if (settled_.size() > remembered_max)
        settled_.pop_front();
}

void BreachService::send(QuestionId id, Verdict verdict, CacheScope scope, BootTime until)
{
    remember_settled(id);
    network_cached_ = network_cached_ || scope != CacheScope::Flow;
    auto sent = around_.kernel.answer({id, verdict, scope, until});
    // Without a doppelganger there is no scrubbed copy, and nothing goes out.
    if (!sent && sent.error().code != ErrorCode::NoSuchQuestion && verdict != Verdict::Block)
        sent = around_.kernel.answer({id, Verdict::Block, CacheScope::Flow, {}});
    if (!sent && sent.error().code != ErrorCode::NoSuchQuestion)
        journal(Priority::Error, "a verdict did not reach the kernel, which blocks: " + sent.error().message);
}

void BreachService::on_missed(Question question)
{
    if (std::ranges::find(settled_, question.id) != settled_.end())
        return;
    const bool was_asked = question.id != 0;
    arriving_.erase(question.id);
    close(question.id, "expired");
    enrich(question);
    log_.record("missed", question, to_string(Verdict::Block), 0, was_asked ? "expired" : "no-daemon");
}

void BreachService::on_withdrawn(const Notice& notice)
{
    arriving_.erase(notice.id);
    // The kernel first withdraws a question that timed out. Then it reports the question as missed, which is logged.
    const bool settled = notice.reason == settled_by_another;
    const auto question = close(notice.id, settled ? "answered" : "gone");
    if (question && settled)
        log_.record("answered", *question, "", 0, "same-process");
}

void BreachService::on_agent_arrived(uid_t owner)
{
    for (const Question* question : queue_.leaders()) {
        if (question->owner != owner)
            continue;
        agent_waits_.erase(question->id);
        around_.agents.ask(*question);
    }
}

void BreachService::on_agent_left(uid_t owner)
{
    if (around_.agents.present(owner))
        return;
    for (const Question* question : queue_.leaders()) {
        if (question->owner == owner)
            ask_person(*question);
    }
}

std::uint32_t BreachService::on_rules_changed()
{
    flush();
    return redecide();
}

std::uint32_t BreachService::redecide()
{
    std::uint32_t settled = 0;
    for (const QuestionId id : queue_.all()) {
        const Question* open = queue_.find(id);
        if (open == nullptr || rules_.decide(*open) == nullptr)
            continue;
        const auto question = close(id, "rule");
        settled += question && decide_by_rule(*question) ? 1 : 0;
    }
    return settled;
}

void BreachService::drop_all()
{
    arriving_.clear();
    for (const QuestionId id : queue_.all())
        close(id, "gone");
}

void BreachService::list(const Caller& caller, Reply<std::vector<Question>> reply)
{
    std::vector<Question> questions;
    for (const Question* question : queue_.leaders()) {
        if (may_see(caller, *question))
            questions.push_back(*question);
    }
    reply(std::move(questions));
}

Result<void> BreachService::check_answer(const Caller& caller, const AnswerRequest& request, const Question* question) const
{
    if (question == nullptr || !may_see(caller, *question))
        return Error{ErrorCode::NoSuchQuestion, "no such question"};
    if (auto possible = validate(request.verdict, question->sink); !possible)
        return possible;
    if (request.verdict == Verdict::Scrub && question->tainted)
        return Error{ErrorCode::InvalidVerdict, "there is no scrubbed copy of this data"};
    if (request.verdict == Verdict::Takeover && !question->can_take_over)
        return Error{ErrorCode::InvalidVerdict, "the program cannot go on with the scrubbed copy from here"};
    if (question->in_session && request.duration != Duration::Once && request.duration != Duration::Process)
        return Error{ErrorCode::InvalidDuration, "an answer for a private session does not outlive it: once or process"};
    return {};
}

Result<Rule> BreachService::make_rule(const AnswerRequest& request, const Question& question, uid_t owner) const
{
    const auto scope = complete_scope(request.scope, &question);
    if (!scope)
        return scope.error();
    return Rule{.owner = owner,
                .verdict = request.verdict,
                .scope = *scope,
                .lifetime = make_lifetime(request.duration, around_.clock, question.process)};
}

void BreachService::answer(const Caller& caller, AnswerRequest request, Reply<Answered> reply)
{
    const Question* question = queue_.find(request.id);
    if (auto checked = check_answer(caller, request, question); !checked) {
        reply(checked.error());
        return;
    }
    Reach reach = Reach::Own;
    Details details;
    if (makes_rule(request, *question)) {
        const auto rule = make_rule(request, *question, question->owner);
        if (!rule) {
            reply(rule.error());
            return;
        }
        const bool lasting = request.duration == Duration::Reboot || request.duration == Duration::Always;
        reach = lasting || is_broad_permission(rule->verdict, rule->scope) ? Reach::OwnLasting : Reach::Own;
        details = rule_details("make", *rule);
    }
    around_.gate.pass(
        caller, contract::breaches::answer, reach,
        [this, caller, request, reply](const Result<void>& passed) {
            if (!passed)
                reply(passed.error());
            else
                reply(settle(caller, request));
        },
        std::move(details));
}

Result<Answered> BreachService::settle(const Caller& caller, const AnswerRequest& request)
{
    // Typing a password takes time. Meanwhile the module may have been loaded anew, and its questions count from 1 again.
    const Question* question = queue_.find(request.id);
    if (auto checked = check_answer(caller, request, question); !checked)
        return checked.error();
    // This only helps the next prompt. Without it the prompt cannot tell that the program changed, and nothing is lost.
    if (!question->in_session)
        static_cast<void>(rule_store_.set_fingerprint(question->owner, question->executable, question->fingerprint));
    if (!makes_rule(request, *question)) {
        const bool once = request.duration == Duration::Once;
        const CacheScope lasting = files_differ(*question) ? CacheScope::File : CacheScope::Process;
        const CacheScope scope = once ? CacheScope::Flow : lasting;
        return Answered{0, settle_group(request.id, request.verdict, scope, nullptr)};
    }
    auto rule = make_rule(request, *question, question->owner);
    if (!rule)
        return rule.error();
    const auto id = rules_.insert(*rule);
    if (!id)
        return id.error();
    rule->id = *id;
    // The person is asked about a flow once, even if it is to carry several files.
    const CacheScope scope = files_differ(*question) ? CacheScope::Flow : cache_scope(*rule, *question, false);
    // This comes before the group's own verdicts, which are to be cached.
    flush();
    const std::uint32_t group = settle_group(request.id, request.verdict, scope, &*rule);
    return Answered{*id, group + redecide()};
}

std::uint32_t BreachService::settle_group(QuestionId id, Verdict verdict, CacheScope scope, const Rule* rule)
{
    const std::vector<QuestionId> group = queue_.group_of(id);
    const BootTime until = rule != nullptr ? rule->lifetime.expires : BootTime::zero();
    // Followers go first, or each of them would be shown for a moment.
    for (auto member = group.rbegin(); member != group.rend(); ++member) {
        const auto question = close(*member, "answered");
        if (!question)
            continue;
        send(*member, verdict, scope, until);
        log_.record("answered", *question, to_string(verdict), rule != nullptr ? rule->id : 0, "");
    }
    return static_cast<std::uint32_t>(group.size());
}

Result<BootTime> BreachService::extend_group(const Caller& caller, QuestionId id)
{
    const Question* question = queue_.find(id);
    if (question == nullptr || !may_see(caller, *question))
        return Error{ErrorCode::NoSuchQuestion, "no such question"};
    const uid_t owner = question->owner;
    BootTime first = BootTime::max();
    for (const QuestionId member : queue_.group_of(id)) {
        const auto granted = around_.kernel.extend(member, around_.clock.boottime() + extension);
        if (!granted)
            return granted;
        queue_.set_deadline(member, *granted);
        schedule_end(member, *granted);
        first = std::min(first, *granted);
    }
    around_.signals.breaches_changed(owner);
    return first;
}

void BreachService::extend(const Caller& caller, QuestionId id, Reply<BootTime> reply)
{
    const Question* question = queue_.find(id);
    if (question == nullptr || !may_see(caller, *question)) {
        reply(Error{ErrorCode::NoSuchQuestion, "no such question"});
        return;
    }
    around_.gate.pass(caller, contract::breaches::extend, Reach::Own, [this, caller, id, reply](const Result<void>& passed) {
        reply(passed ? extend_group(caller, id) : passed.error());
    });
}

void BreachService::register_agent(const Caller& caller, const std::string& path, Reply<void> reply)
{
    around_.gate.pass(
        caller, contract::breaches::register_agent, Reach::Own,
        [this, caller, path, reply](const Result<void>& passed) { reply(passed ? around_.agents.add(caller, path) : passed); });
}

void BreachService::unregister_agent(const Caller& caller, Reply<void> reply)
{
    around_.gate.pass(caller, contract::breaches::unregister_agent, Reach::Own,
                      [this, caller, reply](const Result<void>& passed) {
                          if (passed)
                              around_.agents.remove(caller);
                          reply(passed);
                      });
}

} // namespace tacet
