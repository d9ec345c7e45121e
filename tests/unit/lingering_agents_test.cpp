// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/lingering_agents.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "common/unique_fd.h"

namespace tacet {
namespace {

// A process of this name, as long as the object lives.
class Process {
public:
    explicit Process(const char* name)
    {
        std::array<int, 2> ends{-1, -1};
        if (pipe(ends.data()) != 0)
            return;
        const UniqueFd named(ends[0]);
        const UniqueFd far(ends[1]);
        process_ = fork();
        if (process_ == 0) {
            prctl(PR_SET_NAME, name);
            static_cast<void>(!write(far.get(), "x", 1));
            pause();
            _exit(EXIT_SUCCESS);
        }
        char character = 0;
        static_cast<void>(!read(named.get(), &character, 1));
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process()
    {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    std::string line() const { return std::to_string(process_) + "\n"; }

private:
    pid_t process_ = -1;
};

TEST(LingeringAgents, AgentsAloneLinger)
{
    const Process first("gpg-agent");
    const Process second("scdaemon");
    EXPECT_TRUE(are_lingering_agents(first.line()));
    EXPECT_TRUE(are_lingering_agents(first.line() + second.line()));
}

TEST(LingeringAgents, AnyOtherProgramIsServed)
{
    const Process agent("gpg-agent");
    const Process program("gpg-agent-like");
    EXPECT_FALSE(are_lingering_agents(agent.line() + program.line()));
    EXPECT_FALSE(are_lingering_agents(program.line() + agent.line()));
    EXPECT_FALSE(are_lingering_agents(agent.line() + "0\n")); // a process of another namespace
    EXPECT_FALSE(are_lingering_agents(""));
}

} // namespace
} // namespace tacet
