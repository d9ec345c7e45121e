// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd as it is, but with a kernel that a test plays: JSON commands on stdin, what the daemon told the kernel on stdout.
#include <fcntl.h>
#include <sys/epoll.h>

#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include "daemon/daemon.h"
#include "daemon/kernel_link/simulated_link.h"

namespace {

using namespace tacet;
using Json = nlohmann::json;

// Reports each verdict the moment it is given.
class ReportingLink final : public KernelLink {
public:
    explicit ReportingLink(SimulatedLink& inner) : inner_(inner) {}

    ModuleState state() const override { return inner_.state(); }
    KernelFeatures features() override { return inner_.features(); }
    Result<UniqueFd> open_file(int path) override { return inner_.open_file(path); }
    Result<void> set_label(int file, const Label& label, int shadow) override { return inner_.set_label(file, label, shadow); }
    Result<void> keep_label(int file, int shadow) override { return inner_.keep_label(file, shadow); }
    Result<Label> get_label(int file) override { return inner_.get_label(file); }
    Result<void> set_policy(const KernelPolicy& policy) override { return inner_.set_policy(policy); }
    Result<void> flush() override { return inner_.flush(); }
    Result<void> set_guarded(const std::vector<CategoryId>& categories) override { return inner_.set_guarded(categories); }
    Result<void> answer(const CachedVerdict& verdict) override
    {
        auto answered = inner_.answer(verdict);
        if (answered)
            std::cout << Json{{"id", verdict.question},
                              {"verdict", to_string(verdict.verdict)},
                              {"until", verdict.until.count()},
                              {"scope", verdict.scope == CacheScope::Flow ? "flow" : "process"}}
                      << std::endl;
        return answered;
    }

private:
    SimulatedLink& inner_;
};

Question question_of(const Json& json, const Clock& clock)
{
    Question question;
    question.id = json.at("id");
    question.uid = json.at("uid");
    question.process = {json.value("pid", 1), BootTime(json.value("start", 1))};
    question.executable = json.value("executable", "/usr/bin/curl");
    question.comm = json.value("comm", "curl");
    question.file = json.at("file");
    question.label = make_label({category_id(json.value("category", "finance"), question.uid)});
    question.address = json.value("address", "192.0.2.7");
    question.port = json.value<std::uint16_t>("port", 80);
    question.protocol = "tcp";
    question.deadline = clock.boottime() + std::chrono::milliseconds(json.value("timeout_ms", 60'000));
    if (json.value("change", false)) {
        question.sink = Sink::Marked;
        question.target = question.file;
    }
    question.tainted = json.value("tainted", false);
    question.can_take_over = json.value("can_take_over", false);
    question.length = 10;
    return question;
}

void obey(const Json& command, SimulatedLink& kernel, KernelLink& link, const Clock& clock)
{
    if (command.contains("ask")) {
        const Question question = question_of(command["ask"], clock);
        kernel.open.insert(question.id);
        link.on_event(Asked{question});
    } else if (command.contains("withdraw")) {
        Notice notice;
        notice.id = command["withdraw"];
        link.on_event(notice);
    } else if (command.contains("module")) {
        kernel.state_ = command["module"] ? ModuleState::Active : ModuleState::Absent;
        link.on_state(kernel.state_);
    }
}

class NoNames final : public NameSource {
public:
    bool watching() const override { return true; }
    void catch_up(std::function<void()> done) override { done(); }
};

class NoHost final : public SessionHost {
public:
    std::uint64_t memory_available() const override { return 0; }
    Result<std::unique_ptr<RunningSession>> launch(const SessionRequest&, SessionFiles, SessionEvents) override
    {
        return Error{ErrorCode::Failed, "no sessions here"};
    }
};

} // namespace

int main(int, char** argv)
{
    std::ios::sync_with_stdio(false);
    const std::string directory = argv[1];
    EventLoop loop;
    loop.exit_on_signals();
    auto store = open_store(directory, migrations());
    if (!store)
        return EXIT_FAILURE;
    const SystemClock clock;
    SimulatedLink kernel;
    ReportingLink link(kernel);
    BusServer bus(loop);
    ScrubProcess worker(loop, std::getenv("TACET_SCRUB"));
    NoHost host;
    NoNames names;
    ProcProcessTable processes;
    Daemon daemon(*store, directory, {link, bus.agents(), bus.authority(), bus, worker, host, processes, clock, loop, names});
    daemon.take_over(false);
    bus.publish(daemon.services());
    const auto commands = loop.watch(STDIN_FILENO, EPOLLIN, [&](std::uint32_t) {
        // Lines that the stream has read ahead do not wake the loop.
        do {
            std::string line;
            if (!std::getline(std::cin, line))
                return loop.exit(0);
            obey(Json::parse(line), kernel, link, clock);
        } while (std::cin.rdbuf()->in_avail() > 0);
    });
    std::cout << Json{{"ready", true}} << std::endl;
    return loop.run();
}
