// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-driven stand-ins for clock, event loop, bus and processes.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "daemon/core/ports.h"
#include "daemon/kernel_link/process_table.h"
#include "daemon/labels/scrub_worker.h"
#include "daemon/lookups/lookups.h"
#include "daemon/loop/scheduler.h"
#include "daemon/names/name_source.h"
#include "daemon/sessions/session_host.h"
#include "lookup/answer.h"

namespace tacet {

class FakeClock final : public Clock {
public:
    BootTime boottime() const override { return now; }
    UnixTime realtime() const override { return 1'700'000'000 + static_cast<UnixTime>(now / std::chrono::seconds(1)); }
    const std::string& boot_id() const override { return boot; }

    BootTime now = std::chrono::hours(1);
    std::string boot = SystemClock().boot_id();
};

// Time passes only in advance(); what is due runs in order.
class FakeScheduler final : public Scheduler {
public:
    explicit FakeScheduler(FakeClock& clock) : clock_(clock) {}

    std::unique_ptr<Pending> at(BootTime when, std::function<void()> callback) override
    {
        if (finished_)
            throw std::logic_error("the event loop has ended");
        return std::make_unique<Entry>(*this, timers_.emplace(when, std::move(callback)));
    }

    std::unique_ptr<Pending> soon(std::function<bool()> step) override { return idle(std::move(step)); }
    std::unique_ptr<Pending> idle(std::function<bool()> step) override { return at(BootTime::zero(), repeat(std::move(step))); }

    void advance(BootTime by)
    {
        const BootTime end = clock_.now + by;
        while (!timers_.empty() && timers_.begin()->first <= end) {
            clock_.now = std::max(clock_.now, timers_.begin()->first);
            run_first();
        }
        clock_.now = end;
    }

    // As the event loop does when it has ended.
    void finish() { finished_ = true; }

    // What is due now, to its end.
    void settle() { advance(BootTime::zero()); }

private:
    using Timers = std::multimap<BootTime, std::function<void()>>;

    class Entry final : public Pending {
    public:
        Entry(FakeScheduler& scheduler, Timers::iterator timer) : scheduler_(scheduler), timer_(timer)
        {
            scheduler_.entries_[&*timer] = this;
        }
        ~Entry() override
        {
            if (live_) {
                scheduler_.entries_.erase(&*timer_);
                scheduler_.timers_.erase(timer_);
            }
        }
        void expire() { live_ = false; }

    private:
        FakeScheduler& scheduler_;
        Timers::iterator timer_;
        bool live_ = true;
    };

    static std::function<void()> repeat(std::function<bool()> step)
    {
        return [step = std::move(step)] {
            while (step()) {
            }
        };
    }

    void run_first()
    {
        const auto first = timers_.begin();
        entries_[&*first]->expire();
        entries_.erase(&*first);
        const auto callback = std::move(first->second);
        timers_.erase(first);
        callback();
    }

    FakeClock& clock_;
    bool finished_ = false;
    Timers timers_;
    std::map<const void*, Entry*> entries_;
};

// Decides at once, or when the test says so, as where a person is asked for a password.
class FakeAuthority final : public Authority {
public:
    void check(const Caller&, std::string_view action, Details details, std::function<void(bool)> done) override
    {
        asked.emplace_back(action);
        told.push_back(std::move(details));
        const bool passes = allowed.contains(std::string(action));
        if (held)
            waiting.push_back([done = std::move(done), passes] { done(passes); });
        else
            done(passes);
    }

    void decide()
    {
        held = false;
        for (const auto& done : std::exchange(waiting, {}))
            done();
    }

    std::set<std::string> allowed;
    std::vector<std::string> asked;
    std::vector<Details> told;
    bool held = false;
    std::vector<std::function<void()>> waiting;
};

class FakeAgents final : public Agents {
public:
    Result<void> add(const Caller& caller, const std::string&) override
    {
        users.insert(caller.uid);
        on_arrived(caller.uid);
        return {};
    }
    void remove(const Caller& caller) override
    {
        users.erase(caller.uid);
        on_left(caller.uid);
    }
    bool present(uid_t owner) override { return users.contains(owner); }
    bool any_present() override { return !users.empty(); }
    void ask(const Question& question) override { asked.push_back(question); }
    void withdraw(uid_t, QuestionId id, std::string_view reason) override { withdrawn.emplace_back(id, reason); }

    std::set<uid_t> users;
    std::vector<Question> asked;
    std::vector<std::pair<QuestionId, std::string>> withdrawn;
};

class FakeSignals final : public Signals {
public:
    void labels_changed(uid_t) override { ++labels; }
    void breaches_changed(uid_t) override { ++breaches; }
    void rules_changed(uid_t) override { ++rules; }
    void log_added(uid_t, std::uint64_t) override { ++log; }
    void protection_changed() override { ++protection; }
    void sessions_changed(uid_t) override { ++sessions; }

    int labels = 0;
    int breaches = 0;
    int rules = 0;
    int log = 0;
    int protection = 0;
    int sessions = 0;
};

class FakeProcesses final : public ProcessTable {
public:
    bool is_alive(const ProcessIdentity& process) override { return !dead.contains(process); }

    std::set<ProcessIdentity> dead;
};

// Looks files up in this process, at once or when the test says so. Processes are what the test says.
class FakeLookups final : public Lookups {
public:
    FakeLookups(Scheduler& scheduler, const ProcessFacts& facts) : scheduler_(scheduler), facts_(facts) {}

    void ask(uid_t account, LookupRequest request, std::function<void(std::vector<LookupReply>)> done) override
    {
        asked.push_back({account, request});
        if (held)
            waiting.emplace_back(std::move(request), std::move(done));
        else
            done(answers(request));
    }

    std::unique_ptr<Pending> look_through(LookupRequest request, std::function<void(LookupReply)> each) override
    {
        looked.push_back(request);
        return scheduler_.idle([this, request = std::move(request), each = std::move(each)] {
            if (!hangs_at.empty()) {
                each({{"into", hangs_at}, UniqueFd()});
                return false;
            }
            for (LookupReply& reply : answers(request))
                each(std::move(reply));
            return false;
        });
    }

    void come()
    {
        held = false;
        answer(std::exchange(waiting, {}));
    }

    using Waiting = std::vector<std::pair<LookupRequest, std::function<void(std::vector<LookupReply>)>>>;

    void answer(const Waiting& asks) const
    {
        for (const auto& [request, done] : asks)
            done(answers(request));
    }

    // As when they take too long.
    void hang()
    {
        held = false;
        for (auto& [request, done] : std::exchange(waiting, {}))
            done(std::vector<LookupReply>(request.items.size()));
    }

    bool held = false;
    std::string hangs_at; // is the file system that a look does not come out of
    std::vector<LookupRequest> looked;
    std::vector<std::pair<uid_t, LookupRequest>> asked;
    Waiting waiting;

private:
    std::vector<LookupReply> answers(const LookupRequest& request) const
    {
        std::vector<LookupReply> replies;
        if (request.verb == "process")
            replies.push_back(to_reply(facts_));
        else
            lookup::answer(request, [&](LookupReply reply) { replies.push_back(std::move(reply)); });
        return replies;
    }

    Scheduler& scheduler_;
    const ProcessFacts& facts_;
};

// What is under way comes when the test says so, otherwise there is nothing.
class FakeNames final : public NameSource {
public:
    bool watching() const override { return seen; }
    void catch_up(std::function<void()> done) override
    {
        if (held)
            waiting.push_back(std::move(done));
        else
            done();
    }

    void come()
    {
        held = false;
        for (const auto& done : std::exchange(waiting, {}))
            done();
    }

    bool seen = true;
    bool held = false;
    std::vector<std::function<void()>> waiting;
};

// Work is done when the test says so.
class FakeWorker final : public ScrubWorker {
public:
    Result<std::unique_ptr<Pending>> start(std::span<const ScrubFile> files, std::function<void(bool)> done) override
    {
        char buffer[4096];
        for (const ScrubFile& file : files) {
            for (ssize_t size = 0; (size = read(file.input, buffer, sizeof(buffer))) > 0;) {
                std::fill_n(buffer, size, 'x');
                if (write(file.output, buffer, static_cast<std::size_t>(size)) != size)
                    return Error{ErrorCode::DiskFull, "disk full"};
            }
        }
        started.push_back(files.size());
        waiting.push_back(std::move(done));
        return std::make_unique<Pending>();
    }

    void finish_all()
    {
        while (!waiting.empty()) {
            const auto done = std::move(waiting.back());
            waiting.pop_back();
            done(true);
        }
    }

    std::vector<std::function<void(bool)>> waiting;
    std::vector<std::size_t> started; // files of each call
};

// Sessions that do what the test says.
class FakeHost final : public SessionHost {
public:
    struct Session {
        SessionRequest request;
        SessionEvents events;
        bool told_to_end = false;
        bool destroyed = false;
        std::vector<SessionChange> changes;
        std::vector<std::string> kept;
    };

    std::uint64_t memory_available() const override { return 1U << 30; }
    Result<std::unique_ptr<SessionPlace>> make_place(std::uint64_t id, uid_t person, bool on_disk) override
    {
        return std::unique_ptr<SessionPlace>(std::make_unique<Place>(*this, Made{id, person, on_disk}));
    }

    std::vector<std::uint64_t> kept() const override { return left; }
    std::unique_ptr<RunningSession> adopt(std::uint64_t, SessionEvents events) override
    {
        started.push_back(std::make_shared<Session>(Session{{}, std::move(events), false, false, {}, {}}));
        return std::make_unique<Running>(started.back());
    }

    struct Made {
        std::uint64_t id;
        uid_t person;
        bool on_disk;
        bool operator==(const Made&) const = default;
    };

    std::vector<std::shared_ptr<Session>> started;
    std::vector<std::uint64_t> left; // by an earlier tacetd
    std::vector<Made> waiting;       // places whose session has not begun
    bool waiting_die = false;

private:
    class Place final : public SessionPlace {
    public:
        Place(FakeHost& host, Made made) : host_(host), made_(made) { host_.waiting.push_back(made_); }
        ~Place() override { std::erase(host_.waiting, made_); }
        bool is_waiting() const override { return !host_.waiting_die; }
        Result<std::unique_ptr<RunningSession>> begin(const SessionRequest& request, SessionFiles, SessionEvents events) override
        {
            EXPECT_EQ(made_, (Made{request.id, request.uid, request.on_disk}));
            host_.started.push_back(std::make_shared<Session>(Session{request, std::move(events), false, false, {}, {}}));
            return std::unique_ptr<RunningSession>(std::make_unique<Running>(host_.started.back()));
        }

    private:
        FakeHost& host_;
        Made made_;
    };

    class Running final : public RunningSession {
    public:
        explicit Running(std::shared_ptr<Session> session) : session_(std::move(session)) {}
        ~Running() override { session_->destroyed = true; }
        void end() override { session_->told_to_end = true; }
        SessionMemory memory() const override { return {4096, 0}; }
        void files(Reply<std::vector<SessionChange>> reply) override { reply(session_->changes); }
        void keep(const std::string& path, UniqueFd, Reply<void> reply) override
        {
            session_->kept.push_back(path);
            reply({});
        }

    private:
        std::shared_ptr<Session> session_;
    };
};

} // namespace tacet
