// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/stamp_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace tacet::cli {
namespace {

constexpr const char* program = TACET_LIBEXECDIR "/tacet-stamps";

[[noreturn]] void fail(const char* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

UniqueFd open_program()
{
    UniqueFd file(open(program, O_RDONLY | O_CLOEXEC));
    if (!file)
        fail(program);
    return file;
}

// Another file with the same program.
UniqueFd copy_program()
{
    const UniqueFd from = open_program();
    UniqueFd to(memfd_create("tacet-stamps", MFD_CLOEXEC));
    struct stat status{};
    if (!to || fstat(from.get(), &status) != 0
        || sendfile(to.get(), from.get(), nullptr, static_cast<std::size_t>(status.st_size)) != status.st_size)
        fail("copying tacet-stamps");
    return to;
}

std::array<UniqueFd, 2> make_pipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        fail("pipe");
    return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

} // namespace

StampProcess::StampProcess(const std::string& place, std::uint64_t tag, bool chosen)
{
    const UniqueFd file = chosen ? open_program() : copy_program();
    auto [child_input, input] = make_pipe();
    auto [output, child_output] = make_pipe();
    const std::string complement = std::to_string(~tag);
    const std::array<const char*, 4> words{"tacet-stamps", place.c_str(), complement.c_str(), nullptr};
    const std::array<const char*, 1> environment{nullptr};
    pid_ = fork();
    if (pid_ < 0)
        fail("fork");
    if (pid_ == 0) {
        dup2(child_input.get(), STDIN_FILENO);
        dup2(child_output.get(), STDOUT_FILENO);
        fexecve(file.get(), const_cast<char* const*>(words.data()), const_cast<char* const*>(environment.data()));
        _exit(EXIT_FAILURE);
    }
    child_output = UniqueFd();
    input_ = std::move(input);
    char line = 0;
    if (read(output.get(), &line, 1) != 1) {
        end();
        throw std::runtime_error("tacet-stamps could not use this memory: " + place);
    }
}

StampProcess::StampProcess(StampProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)), input_(std::move(other.input_))
{
}

void StampProcess::end()
{
    input_ = UniqueFd();
    if (pid_ > 0)
        waitpid(std::exchange(pid_, -1), nullptr, 0);
}

} // namespace tacet::cli
