// SPDX-License-Identifier: GPL-3.0-or-later
// The way of one question: from the kernel, by a rule or a person, to the verdict.
#pragma once

#include <deque>
#include <map>

#include "daemon/breaches/question_queue.h"
#include "daemon/bus/gate.h"
#include "daemon/kernel_link/kernel_link.h"
#include "daemon/labels/label_index.h"
#include "daemon/log/activity_log.h"
#include "daemon/lookups/lookups.h"
#include "daemon/names/host_names.h"
#include "daemon/names/name_source.h"
#include "daemon/rules/rule_book.h"
#include "daemon/rules/rule_request.h"

namespace tacet {

struct AnswerRequest {
    QuestionId id = 0;
    Verdict verdict = Verdict::Block;
    Duration duration = Duration::Once;
    ScopeRequest scope;
};

struct Answered {
    RuleId rule = 0;
    std::uint32_t resolved = 0;
};

class BreachService final {
public:
    struct Surroundings {
        KernelLink& kernel;
        Agents& agents;
        Gate& gate;
        Signals& signals;
        Lookups& lookups;
        const Clock& clock;
        Scheduler& scheduler;
        NameSource& names;
    };

    BreachService(RuleBook& rules, RuleStore& rule_store, LabelStore& labels, LabelIndex& index, ActivityLog& log,
                  Surroundings surroundings);

    void on_asked(Question question);
    void on_missed(Question question);
    void on_withdrawn(const Notice& notice);
    void on_name_learned(const LearnedName& learned);
    void on_agent_arrived(uid_t owner);
    void on_agent_left(uid_t owner);
    // Rules changed. The kernel forgets its cached verdicts, and waiting questions are decided again. Returns how many that
    // settled.
    std::uint32_t on_rules_changed();
    // The module went away, and its questions with it.
    void drop_all();
    // While paused, everything is allowed and logged. That includes waiting questions.
    void set_paused(bool paused);

    void list(const Caller& caller, Reply<std::vector<Question>> reply);
    void answer(const Caller& caller, AnswerRequest request, Reply<Answered> reply);
    // The person is reading the question. Returns its new deadline.
    void extend(const Caller& caller, QuestionId id, Reply<BootTime> reply);
    void register_agent(const Caller& caller, const std::string& path, Reply<void> reply);
    void unregister_agent(const Caller& caller, Reply<void> reply);

private:
    static constexpr std::size_t remembered_max = 1024;

    // A question that waits for what is to be learned about it.
    struct Arriving {
        Question question;
        unsigned awaited = 0;
    };

    void learn(QuestionId id, const std::function<void(Question&)>& learned);
    void take_in(Question question);
    void enrich(Question& question);
    void let_pass(const Question& question);
    void flush();
    // Tells whether the verdict may differ for another file.
    bool files_differ(const Question& question) const;
    bool decide_by_rule(const Question& question);
    void enqueue(Question question);
    void ask_person(const Question& question);
    void schedule_end(QuestionId id, BootTime deadline);
    Result<BootTime> extend_group(const Caller& caller, QuestionId id);
    void give_up(QuestionId id, std::string_view reason);
    // Takes the question off the queue and from the screens, and shows the next one of its group.
    std::optional<Question> close(QuestionId id, std::string_view reason);
    void remember_settled(QuestionId id);
    void send(QuestionId id, Verdict verdict, CacheScope scope, BootTime until);
    std::uint32_t redecide();

    Result<Rule> make_rule(const AnswerRequest& request, const Question& question, uid_t owner) const;
    Result<void> check_answer(const Caller& caller, const AnswerRequest& request, const Question* question) const;
    Result<Answered> settle(const Caller& caller, const AnswerRequest& request);
    std::uint32_t settle_group(QuestionId id, Verdict verdict, CacheScope scope, const Rule* rule);

    RuleBook& rules_;
    RuleStore& rule_store_;
    LabelStore& labels_;
    LabelIndex& index_;
    ActivityLog& log_;
    Surroundings around_;
    HostNames hosts_;
    std::map<QuestionId, Arriving> arriving_;
    bool network_cached_ = false; // the kernel may repeat a verdict for an address without asking
    QuestionQueue queue_;
    std::map<QuestionId, std::unique_ptr<Pending>> deadlines_;
    std::map<QuestionId, std::unique_ptr<Pending>> agent_waits_;
    std::deque<QuestionId> settled_; // the last ones, so that the kernel's own report of a time-out is not logged twice
    bool paused_ = false;
};

} // namespace tacet
