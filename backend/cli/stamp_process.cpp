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

// Runs the program with these words. Its standard input and output are the given ends of pipes.
pid_t start(bool chosen, const std::string& first, const std::string& second, const UniqueFd& input, const UniqueFd& output)
{
    const UniqueFd file = chosen ? open_program() : copy_program();
    const std::array<const char*, 4> words{"tacet-stamps", first.c_str(), second.c_str(), nullptr};
    const std::array<const char*, 1> environment{nullptr};
    const pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        dup2(input.get(), STDIN_FILENO);
        dup2(output.get(), STDOUT_FILENO);
        fexecve(file.get(), const_cast<char* const*>(words.data()), const_cast<char* const*>(environment.data()));
        _exit(EXIT_FAILURE);
    }
    return child;
}

} // namespace

std::uint64_t measure_work(const std::string& kind, bool chosen)
{
    auto [child_input, input] = make_pipe();
    auto [output, child_output] = make_pipe();
    const pid_t child = start(chosen, "cost", kind, child_input, child_output);
    child_output = UniqueFd();
    std::string text;
    std::array<char, 32> part{};
    for (ssize_t count = 0; (count = read(output.get(), part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(count));
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
        throw std::runtime_error("tacet-stamps could not do this work: " + kind);
    return std::stoull(text);
}

StampProcess::StampProcess(const std::string& place, std::uint64_t tag, bool chosen) : place_(place)
{
    auto [child_input, input] = make_pipe();
    auto [output, child_output] = make_pipe();
    pid_ = start(chosen, place, std::to_string(~tag), child_input, child_output);
    child_output = UniqueFd();
    input_ = std::move(input);
    reading_end_ = std::move(child_input);
    output_ = std::move(output);
    wait_for_line();
}

StampProcess::StampProcess(StampProcess&& other) noexcept
    : place_(std::move(other.place_)),
      pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      reading_end_(std::move(other.reading_end_)),
      output_(std::move(other.output_))
{
}

void StampProcess::wait_for_line()
{
    char line = 0;
    if (read(output_.get(), &line, 1) != 1) {
        end();
        throw std::runtime_error("tacet-stamps could not use this memory: " + place_);
    }
}

void StampProcess::free_stamps()
{
    // If it has ended, it writes no line, and that is found next.
    static_cast<void>(!write(input_.get(), "\n", 1));
    wait_for_line();
}

void StampProcess::end()
{
    input_ = UniqueFd();
    if (pid_ > 0)
        waitpid(std::exchange(pid_, -1), nullptr, 0);
}

} // namespace tacet::cli
