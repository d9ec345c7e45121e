// SPDX-License-Identifier: GPL-3.0-or-later
// The rules in force. They are kept in memory for speed, and in the store for good.
#pragma once

#include <map>

#include "daemon/bus/gate.h"
#include "daemon/core/account.h"
#include "daemon/kernel_link/process_table.h"
#include "daemon/loop/scheduler.h"
#include "daemon/rules/rule_request.h"
#include "daemon/rules/rule_store.h"

namespace tacet {

class RuleBook final {
public:
    static constexpr std::size_t per_owner_max = limit_of(Resource::Rules);

    struct Surroundings {
        ProcessTable& processes;
        Gate& gate;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    // damage tells why lasting rules are refused. It is empty if they are not.
    RuleBook(RuleStore& store, std::string damage, Surroundings surroundings);
    ~RuleBook() { save_hits(); }
    RuleBook(const RuleBook&) = delete;
    RuleBook& operator=(const RuleBook&) = delete;

    // Returns the rule that answers, or null if the person has to be asked. It is valid until the next change.
    const Rule* decide(const Question& question);
    // Tells whether a verdict about one file's data says nothing about another file's.
    bool tell_files_apart() const;
    void count_hit(RuleId id);
    // Sets id and creation time. The caller of insert() decides waiting questions again; add() and remove() call on_changed.
    Result<RuleId> insert(Rule rule);

    void list(const Caller& caller, Reply<std::vector<ListedRule>> reply);
    void show(const Caller& caller, RuleId id, Reply<ListedRule> reply);
    void add(const Caller& caller, RuleRequest request, Reply<RuleId> reply);
    void remove(const Caller& caller, RuleId id, Reply<void> reply);

    std::function<void()> on_changed;

private:
    void prune();
    void drop(RuleId id);
    void schedule_prune();
    void save_hits();
    // The same lasting rule, if there is one.
    std::optional<RuleId> find_same(const Rule& rule) const;
    Result<void> check_room(const Rule& rule) const;

    RuleStore& store_;
    std::string damage_;
    Surroundings around_;
    std::vector<Rule> rules_;
    std::unique_ptr<Pending> prune_timer_;
    std::map<RuleId, std::uint64_t> unsaved_hits_;
    std::unique_ptr<Pending> hits_timer_;
};

// Completes the scope of a rule. Fields that the client did not give come from the question. Without a question (null) they
// mean any.
Result<RuleScope> complete_scope(const ScopeRequest& request, const Question* question);

} // namespace tacet
