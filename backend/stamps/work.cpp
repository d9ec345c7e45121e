// SPDX-License-Identifier: GPL-3.0-or-later
#include "work.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "common/unique_fd.h"

namespace tacet {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10;
constexpr std::size_t area = std::size_t{1} << 20;

// Blocks of 16 bytes to 8 KiB, of which 64 live at a time.
bool use_heap()
{
    constexpr unsigned rounds = 200'000;
    std::array<void*, 64> blocks{};
    std::uint32_t number = 1;
    for (unsigned round = 0; round < rounds; ++round) {
        number = number * 1664525 + 1013904223; // Knuth's numbers
        const std::size_t size = std::size_t{16} << (number >> 16) % 10;
        void*& block = blocks[round % blocks.size()];
        std::free(block);
        block = std::malloc(size);
        if (block == nullptr)
            return false;
        std::memset(block, 1, size);
    }
    for (void* block : blocks)
        std::free(block);
    return true;
}

bool use_pages()
{
    constexpr unsigned rounds = 100;
    for (unsigned round = 0; round < rounds; ++round) {
        void* memory = mmap(nullptr, area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        std::memset(memory, 1, area);
        munmap(memory, area);
    }
    return true;
}

bool use_processes()
{
    constexpr unsigned rounds = 100;
    for (unsigned round = 0; round < rounds; ++round) {
        const pid_t child = fork();
        if (child < 0)
            return false;
        if (child == 0) {
            void* memory = std::malloc(piece);
            if (memory != nullptr)
                std::memset(memory, 1, piece);
            _exit(EXIT_SUCCESS);
        }
        waitpid(child, nullptr, 0);
    }
    return true;
}

bool use_pipe()
{
    constexpr unsigned rounds = 500;
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        return false;
    const UniqueFd from(ends[0]), to(ends[1]);
    std::array<char, piece> part{};
    for (unsigned round = 0; round < rounds; ++round) {
        if (write(to.get(), part.data(), part.size()) != static_cast<ssize_t>(part.size()))
            return false;
        for (std::size_t got = 0; got < part.size();) {
            const ssize_t count = read(from.get(), part.data(), part.size());
            if (count <= 0)
                return false;
            got += static_cast<std::size_t>(count);
        }
    }
    return true;
}

bool use_files()
{
    constexpr unsigned rounds = 200;
    std::array<char, piece> part{};
    for (unsigned round = 0; round < rounds; ++round) {
        const UniqueFd file(open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
        if (!file || write(file.get(), part.data(), part.size()) != static_cast<ssize_t>(part.size()))
            return false;
    }
    return true;
}

std::uint64_t processor_time()
{
    constexpr std::uint64_t second = 1'000'000;
    std::uint64_t sum = 0;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(who, &used);
        for (const timeval& time : {used.ru_utime, used.ru_stime})
            sum += static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_usec);
    }
    return sum;
}

struct Kind {
    std::string_view name;
    bool (*run)();
};

constexpr std::array kinds{Kind{"heap", use_heap}, Kind{"pages", use_pages}, Kind{"processes", use_processes},
                           Kind{"pipe", use_pipe}, Kind{"files", use_files}};

} // namespace

std::optional<std::uint64_t> do_work(std::string_view kind)
{
    for (const Kind& known : kinds) {
        if (known.name == kind) {
            const std::uint64_t before = processor_time();
            return known.run() ? std::optional(processor_time() - before) : std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace tacet
