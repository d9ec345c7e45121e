// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd as it is, but with a kernel that a test plays: JSON commands on stdin, what the daemon told the kernel on stdout.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>

#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include "daemon/daemon.h"
#include "daemon/kernel_link/simulated_link.h"
#include "daemon/lookups/lookup_processes.h"

namespace {

using namespace tacet;
using Json = nlohmann::json;

// Reports each verdict the moment it is given.
class ReportingLink final : public KernelLink {
public:
    explicit ReportingLink(SimulatedLink& inner) : inner_(inner) {}

    ModuleState state() const override { return inner_.state(); }
    KernelFeatures features() override { return inner_.features(); }
    bool has_events() override { return inner_.has_events(); }
    Result<UniqueFd> open_file(int path) override { return inner_.open_file(path); }
    Result<void> set_label(int file, const Label& label, int shadow) override { return inner_.set_label(file, label, shadow); }
    Result<void> keep_label(int file, int shadow) override { return inner_.keep_label(file, shadow); }
    Result<Label> get_label(int file) override { return inner_.get_label(file); }
    Result<BootTime> extend(QuestionId question, BootTime deadline) override { return inner_.extend(question, deadline); }
    Result<void> set_policy(const KernelPolicy& policy) override { return inner_.set_policy(policy); }
    Result<void> flush() override { return inner_.flush(); }
    Result<void> set_guarded(const std::vector<CategoryId>& categories) override { return inner_.set_guarded(categories); }
    Result<void> set_memory(const MemoryPolicy& policy) override { return inner_.set_memory(policy); }
    Result<std::uint64_t> make_tag() override { return inner_.make_tag(); }
    void count_stamps(const std::vector<std::uint64_t>& tags,
                      std::function<void(Result<std::vector<std::uint64_t>>)> done) override
    {
        inner_.count_stamps(tags, std::move(done));
    }
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
    if (struct stat status{}; stat(question.file.c_str(), &status) == 0)
        question.origin = {status.st_dev, status.st_ino};
    question.label = make_label({category_id(json.value("category", "finance"), question.uid)});
    question.address = json.value("address", "192.0.2.7");
    question.port = json.value<std::uint16_t>("port", 80);
    question.protocol = "tcp";
    question.deadline = clock.boottime() + std::chrono::milliseconds(json.value("timeout_ms", 60'000));
    if (json.value("change", false)) {
        question.sink = Sink::Marked;
        question.target = question.file;
    }
    if (json.contains("device")) {
        question.sink = Sink::Device;
        question.target = json.at("device");
        question.address = "";
        question.port = 0;
    }
    question.tainted = json.value("tainted", false);
    question.can_take_over = json.value("can_take_over", false);
    question.length = 10;
    return question;
}

// A program has written derived data. path: as the program sees it; file: where it is.
void derive(const Json& json, SimulatedLink& kernel, KernelLink& link)
{
    Notice notice;
    notice.kind = NoticeKind::Labelled;
    notice.uid = json.at("uid");
    notice.pid = json.value("pid", 0);
    notice.path = json.at("path");
    notice.label = make_label({category_id("finance", json.value("person", notice.uid))});
    const std::string file = json.value("file", notice.path);
    struct stat status{};
    if (stat(file.c_str(), &status) != 0)
        return;
    notice.file = {status.st_dev, status.st_ino};
    kernel.put_label(file, notice.label);
    link.on_event(notice);
}

void tell_armed(const SimulatedLink& kernel)
{
    Json armed = Json::array();
    for (const FileIdentity& file : kernel.armed)
        armed.push_back({file.device, file.inode});
    std::cout << Json{{"armed", armed}} << std::endl;
}

void obey(const Json& command, SimulatedLink& kernel, KernelLink& link, const Clock& clock)
{
    if (command.contains("derive"))
        return derive(command["derive"], kernel, link);
    if (command.contains("armed"))
        return tell_armed(kernel);
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
    Result<std::unique_ptr<SessionPlace>> make_place(std::uint64_t, uid_t, bool) override
    {
        return Error{ErrorCode::Failed, "no sessions here"};
    }
    std::vector<std::uint64_t> kept() const override { return {}; }
    std::unique_ptr<RunningSession> adopt(std::uint64_t, SessionEvents) override { return nullptr; }
};

} // namespace

int main(int, char** argv)
try {
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
    LookupProcesses lookups(loop, std::getenv("TACET_LOOKUP"));
    NoHost host;
    NoNames names;
    ProcProcessTable processes;
    // The folder of the test, not the whole machine.
    auto daemon = std::make_unique<Daemon>(
        *store, Daemon::Settings{directory, std::filesystem::path(directory).parent_path()},
        Daemon::Surroundings{link, bus.agents(), bus.authority(), bus, worker, lookups, host, processes, clock, loop, names});
    daemon->take_over([&] {
        bus.publish(daemon->services());
        std::cout << Json{{"ready", true}} << std::endl;
    });
    const auto commands = loop.watch(STDIN_FILENO, EPOLLIN, [&](std::uint32_t) {
        // Lines that the stream has read ahead do not wake the loop.
        do {
            std::string line;
            if (!std::getline(std::cin, line))
                return loop.exit(0);
            obey(Json::parse(line), kernel, link, clock);
        } while (std::cin.rdbuf()->in_avail() > 0);
    });
    const int code = loop.run();
    const bool is_settled = daemon->is_settled();
    daemon.reset();
    return !is_settled || seal(*store) ? code : EXIT_FAILURE;
} catch (const std::exception& failure) {
    std::cerr << failure.what() << std::endl;
    return EXIT_FAILURE;
}
