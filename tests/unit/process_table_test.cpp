// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/process_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace tacet {
namespace {

std::string own_name()
{
    std::ifstream file("/proc/self/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

// A shell that prints a process, which it started by further shells, and waits for it.
class Started {
public:
    explicit Started(const char* line) : pipe_(popen(line, "r"))
    {
        if (pipe_ == nullptr || std::fscanf(pipe_, "%d", &pid_) != 1)
            throw std::runtime_error("nothing was started");
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

TEST(ProcessTable, NamesTheStarterPastShells)
{
    const Started sleeper("sh -c 'env bash -c \"sleep 60 & echo \\$!; wait\"; true'; true");
    const ProcessFacts facts = ProcProcessTable().inspect(sleeper.identity());
    EXPECT_EQ(facts.parent, own_name());
    EXPECT_EQ(facts.command, (std::vector<std::string>{"sleep", "60"}));
}

TEST(ProcessTable, TellsNothingOfAnotherProcessOfThatNumber)
{
    const Started sleeper("sleep 60 & echo $!; wait");
    ProcessIdentity earlier = sleeper.identity();
    EXPECT_TRUE(ProcProcessTable().is_alive(earlier));
    earlier.start -= std::chrono::seconds(1);
    EXPECT_FALSE(ProcProcessTable().is_alive(earlier));
    EXPECT_TRUE(ProcProcessTable().inspect(earlier).parent.empty());
}

} // namespace
} // namespace tacet
