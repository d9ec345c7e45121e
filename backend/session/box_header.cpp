// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/box_header.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "common/argument_vector.h"

namespace tacet {
namespace {

// The program's files, by their numbers there.
constexpr int header_file = 3;

class Spawned {
public:
    Spawned(const char* program, std::vector<std::string> words, const UniqueFd& input, const UniqueFd& output,
            const UniqueFd& file)
    {
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, input.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&files, output.get(), STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&files, file.get(), header_file);
        std::array<char*, 1> environment{};
        error_ = posix_spawn(&child_, program != nullptr ? program : TACET_LIBEXECDIR "/tacet-box", &files, nullptr,
                             argument_vector(words).data(), environment.data());
        posix_spawn_file_actions_destroy(&files);
    }

    int error() const { return error_; }
    BoxOutcome wait() const
    {
        int status = 0;
        const bool ended = waitpid(child_, &status, 0) == child_ && WIFEXITED(status);
        return ended ? static_cast<BoxOutcome>(WEXITSTATUS(status)) : BoxOutcome::Failed;
    }

private:
    pid_t child_ = -1;
    int error_ = 0;
};

TACET_WIPES_FRAME bool read_key(const UniqueFd& pipe, StoreKeyBytes& ret_key)
{
    while (ret_key.size < ret_key.bytes.size()) {
        const ssize_t more = read(pipe.get(), ret_key.bytes.data() + ret_key.size, ret_key.bytes.size() - ret_key.size);
        if (more <= 0)
            return false;
        ret_key.size += static_cast<std::size_t>(more);
    }
    return true;
}

enum class Work { Make, Open };

Result<void> run_program(const char* program, Work work, const UniqueFd& file, const UniqueFd& passphrase, StoreKeyBytes& ret_key)
{
    if (!passphrase)
        return Error{ErrorCode::InvalidArgument, "a box needs its passphrase"};
    const char* const word = work == Work::Make ? "make" : "open";
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return Error{ErrorCode::Failed, std::string("no pipe: ") + std::strerror(errno)};
    const UniqueFd key(ends[0]);
    UniqueFd far(ends[1]);
    const Spawned child(program, {"tacet-box", word, "/proc/self/fd/" + std::to_string(header_file)}, passphrase, far, file);
    far = UniqueFd();
    if (child.error() != 0)
        return Error{ErrorCode::Failed, std::string("tacet-box: ") + std::strerror(child.error())};
    const bool has_key = read_key(key, ret_key);
    const BoxOutcome outcome = child.wait();
    if (outcome == BoxOutcome::WrongPassphrase)
        return Error{ErrorCode::InvalidArgument, "wrong passphrase"};
    if (outcome != BoxOutcome::Done || !has_key)
        return Error{ErrorCode::Failed,
                     work == Work::Make ? "the box is not made" : "the box is damaged: its header cannot be read"};
    return {};
}

} // namespace

Result<void> make_box_header(const UniqueFd& file, const UniqueFd& passphrase, StoreKeyBytes& ret_key, const char* program)
{
    return run_program(program, Work::Make, file, passphrase, ret_key);
}

Result<void> open_box_header(const UniqueFd& file, const UniqueFd& passphrase, StoreKeyBytes& ret_key, const char* program)
{
    return run_program(program, Work::Open, file, passphrase, ret_key);
}

} // namespace tacet
