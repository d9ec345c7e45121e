// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/close_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>

#include "common/unique_fd.h"

namespace tacet {
namespace {

UniqueFd open_any()
{
    return UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool is_open(int file)
{
    return fcntl(file, F_GETFD) >= 0;
}

// The check closes files, so it runs in a process of its own.
bool holds_in_child(const std::function<bool()>& check)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(check() ? EXIT_SUCCESS : EXIT_FAILURE);
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

// Each gets the lowest free number, so they are in order.
std::array<UniqueFd, 5> open_five()
{
    return std::array{open_any(), open_any(), open_any(), open_any(), open_any()};
}

TEST(CloseFiles, ClosesBelowBetweenAndAbove)
{
    const auto files = open_five();
    const bool holds = holds_in_child([&] {
        close_all_but({files[3].get(), files[1].get()});
        return is_open(files[1].get()) && is_open(files[3].get()) && !is_open(files[0].get()) && !is_open(files[2].get())
               && !is_open(files[4].get());
    });
    EXPECT_TRUE(holds);
}

TEST(CloseFiles, KeepsTheFirstNumberAmongOthers)
{
    const auto files = open_five();
    const bool holds = holds_in_child([&] {
        if (dup2(files[0].get(), 0) != 0)
            return false;
        close_all_but({files[2].get(), 0});
        return is_open(0) && is_open(files[2].get()) && !is_open(files[1].get()) && !is_open(files[3].get());
    });
    EXPECT_TRUE(holds);
}

TEST(CloseFiles, KeepsNeighbours)
{
    const auto files = open_five();
    const bool holds = holds_in_child([&] {
        close_all_but({files[1].get(), files[2].get(), files[2].get()});
        return is_open(files[1].get()) && is_open(files[2].get()) && !is_open(files[0].get()) && !is_open(files[3].get());
    });
    EXPECT_TRUE(holds);
}

} // namespace
} // namespace tacet
