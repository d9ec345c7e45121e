// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the look-ups of one account, one after the other, by one process at a time.
#pragma once

#include <deque>
#include <list>

#include "daemon/core/account.h"
#include "daemon/lookups/lookups.h"
#include "daemon/loop/child_process.h"

namespace tacet {

class LookupAccount {
public:
    using Done = std::function<void(std::vector<LookupReply>)>;

    LookupAccount(EventLoop& loop, std::string program) : loop_(loop), program_(std::move(program)) {}

    void ask(LookupRequest request, Done done);
    bool is_idle() const { return tasks_.empty() && workers_.empty() && telling_ == 0; }

private:
    static constexpr std::size_t items_max = limit_of(Resource::LookUps);
    static constexpr std::size_t hanging_max = 2;
    static constexpr unsigned hangs_max = 3;

    struct Task {
        LookupRequest request;
        std::vector<LookupReply> replies;
        Done done;
        unsigned hangs = 0;
    };
    struct Worker {
        UniqueFd channel;
        std::unique_ptr<ChildProcess> process;
        std::unique_ptr<Pending> news;
        bool is_dismissed = false;
        bool has_ended = false;
    };
    using WorkerPlace = std::list<Worker>::iterator;

    void begin();
    Result<void> send_rest();
    Result<WorkerPlace> worker();
    void start_limit();
    void take_reply(WorkerPlace from);
    void give_up_item();
    void finish();
    // A worker is dismissed if it hangs, by force, or if nobody needs it.
    void dismiss(WorkerPlace worker, bool by_force);
    void dismiss_all(bool by_force);
    void on_exit(WorkerPlace worker);

    EventLoop& loop_;
    std::string program_;
    std::deque<Task> tasks_;
    std::size_t items_ = 0;     // of all tasks
    std::list<Worker> workers_; // the last one works unless it is dismissed
    bool is_busy_ = false;
    unsigned telling_ = 0; // done() calls that are running
    std::unique_ptr<Pending> limit_;
};

} // namespace tacet
