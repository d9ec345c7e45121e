// SPDX-License-Identifier: GPL-3.0-or-later
// What freed memory holds while libtacet-heap.so is preloaded. The tests read memory that they have freed, on purpose.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "common/heap_errors.h"

namespace {

constexpr unsigned char mark = 0xA7;
// glibc writes its own links into the beginning of a freed block, and a length behind it.
constexpr std::size_t links = 32;

bool is_control()
{
    return getenv("TACET_HEAP_CONTROL") != nullptr;
}

// The bytes of the mark in memory, which may be freed.
std::size_t count_marks(std::uintptr_t place, std::size_t size, std::size_t from = links)
{
    std::size_t found = 0;
    for (std::size_t i = from; i < size; ++i)
        found += *reinterpret_cast<volatile unsigned char*>(place + i) == mark;
    return found;
}

void expect_cleared(std::uintptr_t place, std::size_t size)
{
    if (is_control())
        EXPECT_GT(count_marks(place, size), 0U) << size;
    else
        EXPECT_EQ(count_marks(place, size), 0U) << size;
}

// Up to the usable size, which memset would be forbidden.
void* marked(void* block)
{
    auto* bytes = static_cast<volatile unsigned char*>(block);
    for (std::size_t i = 0; i < malloc_usable_size(block); ++i)
        bytes[i] = mark;
    return block;
}

std::uintptr_t number(const void* block)
{
    return reinterpret_cast<std::uintptr_t>(block);
}

// All blocks are in the heap, and it keeps what is freed. So freed memory can be looked at.
class Remains : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        mallopt(M_MMAP_THRESHOLD, 32 << 20);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
    }
};

TEST_F(Remains, OfFreedBlocks)
{
    for (std::size_t size = 64; size <= std::size_t{4} << 20; size += size / 3) {
        void* block = marked(std::malloc(size));
        void* behind = std::malloc(64);
        const auto place = number(block);
        const auto usable = malloc_usable_size(block);
        std::free(block);
        expect_cleared(place, usable);
        std::free(behind);
    }
}

// Small blocks are cleared in other ways than large ones, and neither the block before nor the one behind is touched.
TEST_F(Remains, OfEachSmallSize)
{
    constexpr std::size_t small_links = 16;
    for (std::size_t size = 24; size <= 400; size += 8) {
        const std::array<void*, 3> blocks{marked(std::malloc(size)), marked(std::malloc(size)), marked(std::malloc(size))};
        const auto place = number(blocks[1]);
        const auto usable = malloc_usable_size(blocks[1]);
        std::free(blocks[1]);
        EXPECT_EQ(count_marks(place, usable, small_links), is_control() ? usable - small_links : 0) << size;
        for (void* neighbour : {blocks[0], blocks[2]}) {
            EXPECT_EQ(count_marks(number(neighbour), malloc_usable_size(neighbour), 0), malloc_usable_size(neighbour)) << size;
            std::free(neighbour);
        }
    }
}

TEST_F(Remains, OfBlocksThatMoved)
{
    for (std::size_t size = 64; size <= std::size_t{1} << 20; size += size / 2) {
        void* block = marked(std::malloc(size));
        void* behind = std::malloc(64); // so that it cannot grow where it is
        const auto place = number(block);
        const auto usable = malloc_usable_size(block);
        void* moved = std::realloc(block, usable * 4);
        EXPECT_EQ(count_marks(number(moved), usable), usable - links);
        // glibc alone may find room behind it.
        if (!is_control() || number(moved) != place)
            expect_cleared(place, usable);
        std::free(moved);
        std::free(behind);
    }
}

TEST_F(Remains, OfBlocksThatBecameSmaller)
{
    for (std::size_t size = 1024; size <= std::size_t{1} << 20; size += size / 2) {
        void* block = marked(std::malloc(size));
        void* behind = std::malloc(64);
        const auto usable = malloc_usable_size(block);
        void* smaller = std::realloc(block, 256);
        EXPECT_EQ(count_marks(number(smaller), 256), 256 - links);
        expect_cleared(number(smaller) + 256, usable - 256);
        std::free(smaller);
        std::free(behind);
    }
}

// The pages behind the new end go back to the kernel. The rest of the last one stays.
TEST_F(Remains, OfMappedBlocksThatBecameSmaller)
{
    constexpr std::size_t page = 4096;
    for (const std::size_t size : {std::size_t{16} << 10, std::size_t{300'000}, std::size_t{33'000'000}}) {
        void* block = marked(std::malloc(std::size_t{64} << 20));
        void* smaller = std::realloc(block, size);
        EXPECT_EQ(count_marks(number(smaller), size, 0), size);
        const std::uintptr_t end = number(smaller) + size;
        expect_cleared(end, (page - end % page) % page);
        std::free(smaller);
    }
}

TEST_F(Remains, OfOtherFormsOfAllocation)
{
    const auto freed = [](void* block, auto free_it) {
        marked(block);
        void* behind = std::malloc(64);
        const auto place = number(block);
        const auto usable = malloc_usable_size(block);
        free_it(block);
        expect_cleared(place, usable);
        std::free(behind);
    };
    freed(std::calloc(100, 7), [](void* block) { std::free(block); });
    freed(std::aligned_alloc(256, 4096), [](void* block) { std::free(block); });
    freed(memalign(4096, 10'000), [](void* block) { std::free(block); });
    freed(reallocarray(nullptr, 100, 9), [](void* block) { std::free(reallocarray(block, 1000, 90)); });
    freed(::operator new(777), [](void* block) { ::operator delete(block); });
    freed(::operator new(777, std::align_val_t{64}), [](void* block) { ::operator delete(block, std::align_val_t{64}); });
    freed(std::malloc(999), [](void* block) { static_cast<void>(std::realloc(block, 0)); });
}

// glibc's mark of a freed block may be left in one that was allocated since, and does not mean that this one is free.
TEST_F(Remains, OfABlockWithAnEarlierMark)
{
    constexpr std::size_t size = 1000;
    std::array<std::uintptr_t, 2> words{};
    void* earlier = std::malloc(size / 2);
    const auto place_of_earlier = number(earlier);
    std::free(earlier);
    std::memcpy(words.data(), reinterpret_cast<const void*>(place_of_earlier), sizeof(words));
    void* block = marked(std::malloc(size));
    std::memcpy(block, words.data(), sizeof(words));
    const auto place = number(block);
    std::free(block);
    expect_cleared(place, size);
}

// What the C library frees for the program: a line, and a file's buffer.
TEST_F(Remains, OfTheCLibrarysBlocks)
{
    char* line = nullptr;
    std::size_t size = 0;
    std::FILE* file = std::tmpfile();
    std::fprintf(file, "%s\n", std::string(2000, static_cast<char>(mark)).c_str());
    std::rewind(file);
    ASSERT_EQ(getline(&line, &size, file), 2001);
    const auto place = number(line);
    void* behind = std::malloc(64);
    std::free(line);
    expect_cleared(place, 2000);
    std::free(behind);
    std::fclose(file);
}

constexpr std::size_t size_of_wrong = 200;

// Frees blocks until the library holds one back. glibc would give others out again at once.
unsigned char* held_block()
{
    for (int round = 0; round < 1000; ++round) {
        auto* block = static_cast<unsigned char*>(std::malloc(size_of_wrong));
        const auto place = number(block);
        std::free(block);
        void* next = std::malloc(size_of_wrong);
        const bool is_same = number(next) == place;
        std::free(next);
        // Three are freed in each round, so that each of the three is held back now and then.
        std::free(std::malloc(size_of_wrong));
        if (!is_same)
            return reinterpret_cast<unsigned char*>(place);
    }
    return nullptr;
}

// The library looks at a block when as many others were held back after it.
void free_many()
{
    for (int round = 0; round < 10'000; ++round)
        std::free(marked(std::malloc(size_of_wrong)));
}

tacet::ProcessErrors errors_so_far()
{
    return tacet::heap_errors_of(getpid()).value_or(tacet::ProcessErrors{});
}

TEST(Errors, NoneAreCountedInAProgramWithoutThem)
{
    ASSERT_TRUE(tacet::heap_errors_of(getpid()));
    const auto before = errors_so_far();
    free_many();
    EXPECT_EQ(errors_so_far().writes, before.writes);
    EXPECT_EQ(errors_so_far().frees, before.frees);
}

TEST(Errors, WritingToFreedMemoryIsCounted)
{
    const auto before = errors_so_far();
    unsigned char* block = held_block();
    ASSERT_NE(block, nullptr);
    *const_cast<volatile unsigned char*>(block + 100) = mark;
    free_many();
    EXPECT_EQ(errors_so_far().writes, before.writes + 1);
    EXPECT_EQ(errors_so_far().frees, before.frees);
}

TEST(Errors, FreeingTwiceIsCountedAndDoesNoHarm)
{
    const auto before = errors_so_far();
    unsigned char* block = held_block();
    ASSERT_NE(block, nullptr);
    std::free(block);
    std::free(block);
    free_many();
    EXPECT_EQ(errors_so_far().frees, before.frees + 2);
    EXPECT_EQ(errors_so_far().writes, before.writes);
}

// A block that is held back bears a mark, which programs might be made to read.
TEST(Errors, MarksTellNothingOfTheCanary)
{
    std::uintptr_t canary = 0;
    std::uintptr_t beginning = 0;
    asm("mov %%fs:0x28, %0" : "=r"(canary));
    unsigned char* block = held_block();
    ASSERT_NE(block, nullptr);
    std::memcpy(&beginning, block, sizeof(beginning));
    EXPECT_NE(((beginning ^ number(block)) ^ canary) >> 8, 0U);
    free_many();
}

// Of blocks that the library does not hold back.
TEST(ErrorsDeathTest, FreeingTwiceEndsTheProgramAsWithoutTheLibrary)
{
    const auto free_twice = [] {
        for (int round = 0; round < 100; ++round) {
            void* block = std::malloc(size_of_wrong + static_cast<std::size_t>(round) * 16);
            std::free(block);
            std::free(block);
        }
    };
    EXPECT_DEATH(free_twice(), "double free");
}

TEST(Errors, ProcessesOfAProgramAreFound)
{
    unsigned char* block = held_block();
    ASSERT_NE(block, nullptr);
    std::free(block);
    std::array<char, 4096> path{};
    ASSERT_GT(readlink("/proc/self/exe", path.data(), path.size() - 1), 0);
    const auto found = tacet::heap_errors_of(path.data());
    EXPECT_TRUE(std::ranges::any_of(found, [](const auto& errors) { return errors.process == getpid() && errors.frees > 0; }));
    EXPECT_FALSE(tacet::heap_errors_of(1));
}

TEST(Contract, BlocksKeepTheirContent)
{
    std::mt19937 random(7);
    std::map<int, std::pair<unsigned char*, std::size_t>> blocks;
    const auto pick_size = [&] { return std::size_t{1} << random() % 20 | random() % 4096; };
    for (int round = 0; round < 60'000; ++round) {
        const int key = static_cast<int>(random() % 64);
        auto& [block, size] = blocks[key];
        const auto wanted = pick_size();
        const auto kept = std::min(size, wanted);
        auto* changed = static_cast<unsigned char*>(std::realloc(block, wanted));
        ASSERT_NE(changed, nullptr);
        ASSERT_GE(malloc_usable_size(changed), wanted);
        for (const std::size_t at : {std::size_t{0}, kept / 2, kept - 1})
            ASSERT_TRUE(kept == 0 || changed[at] == static_cast<unsigned char>(key + 1));
        std::memset(changed, key + 1, wanted);
        block = changed;
        size = wanted;
        if (random() % 4 == 0) {
            std::free(block);
            block = nullptr;
            size = 0;
        }
    }
    for (const auto& item : blocks)
        std::free(item.second.first);
}

TEST(Contract, FailingReallocKeepsTheBlock)
{
    auto* block = static_cast<char*>(std::malloc(100));
    std::strcpy(block, "kept");
    constexpr std::size_t most = PTRDIFF_MAX;
    // With a reserve of an eighth the third is next to nothing.
    for (const std::size_t too_much : {most, SIZE_MAX, SIZE_MAX / 9 * 8 + 9, SIZE_MAX - 100}) {
        volatile std::size_t wanted = too_much;
        EXPECT_EQ(std::realloc(block, wanted), nullptr);
        EXPECT_EQ(errno, ENOMEM);
    }
    EXPECT_STREQ(block, "kept");
    std::free(block);
}

TEST(Contract, FreeLeavesErrnoAlone)
{
    void* small = std::malloc(100);
    void* big = std::malloc(std::size_t{64} << 20);
    errno = E2BIG;
    std::free(nullptr);
    std::free(small);
    std::free(big);
    EXPECT_EQ(errno, E2BIG);
}

TEST(Contract, UntouchedPagesStaySo)
{
    const auto peak = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss; // KiB
    };
    const auto before = peak();
    for (int round = 0; round < 4; ++round) {
        auto* block = static_cast<unsigned char*>(std::malloc(std::size_t{512} << 20));
        ASSERT_NE(block, nullptr);
        block[0] = mark;
        block = static_cast<unsigned char*>(std::realloc(block, std::size_t{600} << 20));
        std::free(block);
    }
    EXPECT_LT(peak() - before, 64 << 10);
}

TEST(Contract, ThreadsAndTheirForks)
{
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed) {
        threads.emplace_back([seed] {
            std::mt19937 random(seed);
            std::vector<std::unique_ptr<std::vector<unsigned>>> kept(100);
            for (int round = 0; round < 20'000; ++round)
                kept[random() % kept.size()] = std::make_unique<std::vector<unsigned>>(random() % 3000, seed);
            for (const auto& item : kept) {
                if (item != nullptr && !item->empty() && item->front() != seed)
                    std::abort();
            }
        });
    }
    for (int number = 0; number < 20; ++number) {
        const pid_t child = fork();
        if (child == 0) {
            for (int round = 0; round < 1000; ++round)
                std::free(std::realloc(std::malloc(round), 3 * round));
            _exit(0);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace
