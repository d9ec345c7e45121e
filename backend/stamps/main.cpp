// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-stamps PLACE TAG: puts stamps into one kind of memory, writes a line and reads one, frees the stamps, writes a line
// again, and waits for the end of its input. TAG is the complement of the tag. Nothing but the stamps in that place has the tag
// itself. tacet-stamps cost KIND: does a piece of work (see work.h), and writes how many microseconds of processor time it took.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include <tacet.h>

#include "common/unique_fd.h"
#include "work.h"

namespace {

using namespace tacet;

constexpr std::size_t part_size = 4000; // a whole number of stamps
constexpr std::size_t parts = 64;
// Of pages that go back to the kernel. The more there are, the likelier some are not used again before the count.
constexpr std::size_t many_parts = 2048;
constexpr int pipe_size = 1 << 20; // bytes, which anybody may have
constexpr std::size_t pipes = 8;
constexpr std::size_t sockets = 32; // each holds some 180 kB
static_assert(part_size % sizeof(tacet_stamp) == 0);

using Fill = std::span<char>;

std::uint64_t complement = 0;

[[noreturn]] void fail(const char* what)
{
    std::perror(what);
    std::exit(EXIT_FAILURE);
}

void tell()
{
    if (write(STDOUT_FILENO, "\n", 1) != 1)
        fail("telling");
}

// Keeps what is filled until it shall be freed. Nothing is allocated from then on, as that would take what another program has
// freed.
void hold()
{
    tell();
    char line = 0;
    if (read(STDIN_FILENO, &line, 1) != 1)
        std::exit(EXIT_FAILURE);
}

// Works in place, so that no copy is left anywhere else.
void fill(Fill memory)
{
    std::uint32_t serial = 0;
    for (std::size_t at = 0; at + sizeof(tacet_stamp) <= memory.size(); at += sizeof(tacet_stamp)) {
        auto* stamp = reinterpret_cast<tacet_stamp*>(memory.data() + at);
        stamp->tag = ~complement;
        stamp->serial = serial++;
        std::uint64_t sum = 0xcbf29ce484222325;
        for (std::size_t byte = 0; byte < offsetof(tacet_stamp, checksum); ++byte)
            sum = (sum ^ static_cast<unsigned char>(memory[at + byte])) * 0x100000001b3;
        stamp->checksum = sum;
    }
}

void use_heap()
{
    std::array<char*, parts> blocks{};
    for (std::size_t index = 0; index < parts; ++index) {
        // From 100 to 6400 bytes.
        const std::size_t size = (index + 1) * 100;
        blocks[index] = static_cast<char*>(std::malloc(size));
        if (blocks[index] == nullptr)
            fail("memory");
        fill({blocks[index], size});
    }
    hold();
    for (char* block : blocks)
        std::free(block);
}

[[gnu::noinline]] void use_stack(std::size_t depth)
{
    alignas(tacet_stamp) std::array<char, part_size> frame;
    fill(frame);
    if (depth > 1)
        use_stack(depth - 1);
    else
        hold();
    // Otherwise the compiler could leave the array out.
    asm volatile("" : : "r"(frame.data()) : "memory");
}

void use_pages()
{
    void* memory = mmap(nullptr, many_parts * part_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        fail("memory");
    fill({static_cast<char*>(memory), many_parts * part_size});
    hold();
    munmap(memory, many_parts * part_size);
}

bool send_part(int to)
{
    std::array<char, part_size> part;
    fill(part);
    const bool sent = write(to, part.data(), part.size()) == static_cast<ssize_t>(part.size());
    explicit_bzero(part.data(), part.size());
    return sent;
}

// A pipe or a pair of sockets.
struct Channel {
    UniqueFd from;
    UniqueFd to;
};

// Sends as much as there is room for, and reads it again. The program itself keeps nothing of it.
void send(std::span<const Channel> channels)
{
    std::size_t sent = 0;
    for (const Channel& channel : channels) {
        if (fcntl(channel.to.get(), F_SETFL, O_NONBLOCK) != 0 || fcntl(channel.from.get(), F_SETFL, O_NONBLOCK) != 0)
            fail("sending");
        while (sent < many_parts && send_part(channel.to.get()))
            ++sent;
    }
    if (sent == 0)
        fail("sending");
    hold();
    std::array<char, part_size> part;
    for (const Channel& channel : channels) {
        while (read(channel.from.get(), part.data(), part.size()) > 0)
            ;
    }
    explicit_bzero(part.data(), part.size());
}

void use_pipe()
{
    std::array<Channel, pipes> channels;
    for (Channel& channel : channels) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0)
            fail("pipe");
        channel = {UniqueFd(ends[0]), UniqueFd(ends[1])};
        // A user who has many pipes gets less.
        fcntl(ends[1], F_SETPIPE_SZ, pipe_size);
    }
    send(channels);
}

void use_socket()
{
    std::array<Channel, sockets> channels;
    for (Channel& channel : channels) {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
            fail("socket");
        channel = {UniqueFd(ends[0]), UniqueFd(ends[1])};
    }
    send(channels);
}

void use_file()
{
    const UniqueFd file(open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    std::array<char, part_size> part;
    fill(part);
    for (std::size_t count = 0; count < many_parts; ++count) {
        if (write(file.get(), part.data(), part.size()) != static_cast<ssize_t>(part.size()))
            fail("file");
    }
    explicit_bzero(part.data(), part.size());
    hold();
}

void use(std::string_view place)
{
    if (place == "heap")
        use_heap();
    else if (place == "stack")
        use_stack(parts);
    else if (place == "pages")
        use_pages();
    else if (place == "pipe")
        use_pipe();
    else if (place == "socket")
        use_socket();
    else if (place == "file")
        use_file();
    else
        std::exit(EXIT_FAILURE);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    if (std::string_view(argv[1]) == "cost") {
        const auto time = do_work(argv[2]);
        return time && std::printf("%ju\n", static_cast<std::uintmax_t>(*time)) > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    complement = std::strtoull(argv[2], nullptr, 10);
    use(argv[1]);
    tell();
    char byte = 0;
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
    return EXIT_SUCCESS;
}
