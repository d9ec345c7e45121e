// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/ext4.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "common/argument_vector.h"

namespace tacet {

// This is quick: tables are zeroed as they are used.
bool make_ext4(const std::string& device, Journal journal)
{
    std::vector<std::string> words{"mkfs.ext4", "-q",           "-F", "-m", "0", "-E", "lazy_itable_init=1,nodiscard",
                                   "-O",        "^resize_inode"};
    if (journal == Journal::No)
        words.back() += ",^has_journal";
    words.push_back(device);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
    std::array<char*, 1> environment{};
    pid_t child = 0;
    const int failed =
        posix_spawn(&child, "/usr/sbin/mkfs.ext4", &files, nullptr, argument_vector(words).data(), environment.data());
    posix_spawn_file_actions_destroy(&files);
    int status = 0;
    return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace tacet
