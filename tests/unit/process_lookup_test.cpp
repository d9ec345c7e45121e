// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/process_lookup.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "common/clock.h"
#include "daemon/kernel_link/process_table.h"

namespace tacet {
namespace {

// The first word of the file /proc/PID/NAME, whose words end with `end`.
std::string first_word(pid_t pid, const std::string& name, char end)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/" + name);
    std::string word;
    std::getline(file, word, end);
    return word;
}

// A shell that prints a process named sleep, which it started by further shells, and waits for it.
class Started {
public:
    explicit Started(const char* line) : pipe_(popen(line, "r"))
    {
        if (pipe_ == nullptr || std::fscanf(pipe_, "%d", &pid_) != 1)
            throw std::runtime_error("nothing was started");
        // The shell tells the number of a copy of itself, which then becomes the program. It gets its name before its command.
        while (first_word(pid_, "cmdline", '\0') != "sleep")
            usleep(1000);
    }
    ~Started()
    {
        kill(pid_, SIGKILL);
        pclose(pipe_);
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    // As the kernel tells it: the start in /proc is the same, cut to ticks.
    [[nodiscard]] ProcessIdentity identity() const
    {
        std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
        std::string word;
        for (int field = 1; field < 22; ++field)
            file >> word;
        long long ticks = 0;
        file >> ticks;
        return {pid_, std::chrono::nanoseconds(ticks * (1'000'000'000LL / sysconf(_SC_CLK_TCK)) + 1)};
    }

private:
    FILE* pipe_;
    int pid_ = 0;
};

ProcessFacts inspect_it(const ProcessIdentity& process)
{
    return lookup::inspect(process.pid, process.start);
}

TEST(ProcessLookup, NamesTheStarterPastShells)
{
    const Started sleeper("sh -c 'env bash -c \"sleep 60 & echo \\$!; wait\"; true'; true");
    const ProcessFacts facts = inspect_it(sleeper.identity());
    EXPECT_EQ(facts.parent, first_word(getpid(), "comm", '\n'));
    EXPECT_EQ(facts.command, (std::vector<std::string>{"sleep", "60"}));
}

// The kernel tells a start by this clock. Ticks are longer than the steps, so one of these is in the right tick.
TEST(ProcessLookup, KnowsAProcessByItsStartOnTheBootClock)
{
    const SystemClock clock;
    const BootTime before = clock.boottime();
    const Started sleeper("sleep 60 & echo $!; wait");
    const BootTime after = clock.boottime();
    const auto is_known = [pid = sleeper.identity().pid](BootTime start) { return ProcProcessTable().is_alive({pid, start}); };
    const BootTime step = std::chrono::milliseconds(1);
    const BootTime tick(1'000'000'000LL / sysconf(_SC_CLK_TCK));
    bool known = false;
    for (BootTime start = before; !known && start < after + step; start += step)
        known = is_known(start);
    EXPECT_TRUE(known);
    EXPECT_FALSE(is_known(before - tick));
    EXPECT_FALSE(is_known(after + tick));
}

TEST(ProcessLookup, TellsNothingOfAnotherProcessOfThatNumber)
{
    const Started sleeper("sleep 60 & echo $!; wait");
    ProcessIdentity earlier = sleeper.identity();
    EXPECT_TRUE(ProcProcessTable().is_alive(earlier));
    earlier.start -= std::chrono::seconds(1);
    EXPECT_FALSE(ProcProcessTable().is_alive(earlier));
    EXPECT_TRUE(inspect_it(earlier).parent.empty());
}

} // namespace
} // namespace tacet
