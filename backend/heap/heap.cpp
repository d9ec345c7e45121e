// SPDX-License-Identifier: GPL-3.0-or-later
// libtacet-heap.so is preloaded into programs (LD_PRELOAD). It clears what they free, and leaves the rest to the allocator that
// they have: glibc's, or another that is linked as a library. It makes no system call after it has found the allocator, since a
// program may have forbidden it.
// A block that glibc has mapped by itself goes back to the kernel when it is freed, and the module clears its pages.
// One of some blocks is held back for a while after it was freed, to see whether the program still uses it.
#include <dlfcn.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "heap/errors.h"

namespace {

// Under this name the module has the dynamic linker load the library into a program that somebody chose. The programs that it
// starts may not be chosen. So this name does not stay in the environment.
constexpr std::string_view name_for_one = "/libtacet-heap-once.so";

constexpr std::size_t page = 4096;
// Of larger blocks a program may have used only a part. What it never touched stays untouched.
constexpr std::size_t large = std::size_t{128} << 10;
// Up to here a call of memset() takes longer than clearing.
constexpr std::size_t little = 256;
// glibc maps blocks of this size, unless it was told not to.
constexpr std::size_t surely_mapped = std::size_t{64} << 20;

// Up to 64 small blocks are held back: every 32nd that a thread frees.
constexpr std::size_t held_max = 64;
constexpr std::size_t held_size_max = page;
constexpr unsigned frees_per_held = 32;

struct Allocator {
    void* (*malloc)(std::size_t) = nullptr;
    void* (*realloc)(void*, std::size_t) = nullptr;
    void (*free)(void*) = nullptr;
    std::size_t (*usable_size)(void*) = nullptr;
    bool is_whole = false;
    bool is_glibc = false;
    bool has_headers = false;
};

// Constant initialization: other libraries free blocks before constructors run, and may have started threads. What is there
// once, never changes. Its free() is set last.
constinit Allocator next;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool is_looking = false;
// The word that glibc writes into a block that was freed, to see when it is freed again. If it is not known, one that no program
// has by chance.
constexpr std::uintptr_t unlikely_word = 0xb5297a4d6a3f19c7;
constinit std::uintptr_t freed_mark = 0;

constinit std::array<std::atomic<void*>, held_max> held{};
constinit std::atomic<std::size_t> held_count = 0;
// Not known to the program's data. So no block begins with this and its own address by chance.
constinit std::uintptr_t secret = 0;
[[gnu::tls_model("initial-exec")]] constinit thread_local unsigned frees_until_held = frees_per_held;

// Others look for it, so that it stays whole.
[[gnu::used]] constinit tacet::HeapErrors errors{tacet::heap_errors_words, 0, 0};

template <typename Function>
void look_up(Function& function, const char* name)
{
    function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// The word that glibc has before each block: the size with the word itself, and three flags.
// The library is compiled so that memcpy() is always a call.
std::size_t header_of(const void* block)
{
    std::size_t header = 0;
    __builtin_memcpy(&header, static_cast<const std::byte*>(block) - sizeof(header), sizeof(header));
    return header;
}

std::size_t size_in_header(const void* block)
{
    constexpr std::size_t flags = 7;
    return (header_of(block) & ~flags) - sizeof(std::size_t);
}

bool is_mapped_in_header(const void* block)
{
    constexpr std::size_t flag = 2;
    return (header_of(block) & flag) != 0;
}

// Tells whether glibc has mapped the block by itself. Then growing moves its pages, and copies nothing.
bool is_mapped(const void* block)
{
    return next.has_headers && is_mapped_in_header(block);
}

// A call of glibc's takes longer than to look by oneself.
std::size_t size_of(void* block)
{
    return next.has_headers ? size_in_header(block) : next.usable_size(block);
}

bool is_header_as_expected(const Allocator& allocator, std::size_t size)
{
    void* block = allocator.malloc(size);
    const bool expected =
        block != nullptr && !is_mapped_in_header(block) && size_in_header(block) == allocator.usable_size(block);
    allocator.free(block);
    return expected;
}

// The header is no promise of glibc's. So it is looked at where the answer is known.
bool are_headers_as_expected(const Allocator& allocator)
{
    void* mapped = allocator.malloc(surely_mapped);
    const bool expected = mapped != nullptr && is_mapped_in_header(mapped) && is_header_as_expected(allocator, 1)
                          && is_header_as_expected(allocator, little) && is_header_as_expected(allocator, page);
    allocator.free(mapped);
    return expected;
}

// The second word of a block, where glibc has its mark. It is read after the block was freed, too.
std::uintptr_t second_word(const volatile void* block)
{
    return static_cast<const volatile std::uintptr_t*>(block)[1];
}

// Two blocks of glibc's that were freed have the same mark. Before that they have different words there.
std::uintptr_t find_freed_mark(const Allocator& allocator)
{
    std::array<volatile std::uintptr_t*, 2> blocks{};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i] = static_cast<std::uintptr_t*>(allocator.malloc(little >> i));
        if (blocks[i] == nullptr)
            return unlikely_word;
        blocks[i][1] = i + 1;
    }
    for (const volatile std::uintptr_t* block : blocks)
        allocator.free(const_cast<std::uintptr_t*>(block));
    return second_word(blocks[0]) == second_word(blocks[1]) ? second_word(blocks[0]) : unlikely_word;
}

// Nothing else that was made of the same bytes, such as the canary of stacks, can be told from it.
std::uintptr_t pick_secret()
{
    constexpr std::uintptr_t odd = 0x9e3779b97f4a7c15;
    std::array<std::uintptr_t, 2> words{};
    if (const auto* random = std::bit_cast<const void*>(getauxval(AT_RANDOM)); random != nullptr)
        std::memcpy(words.data(), random, sizeof(words));
    return std::rotl(words[0] * odd, 32) ^ (words[1] * odd);
}

const void* object_of(const void* function)
{
    Dl_info object{};
    return dladdr(function, &object) != 0 ? object.dli_fbase : nullptr;
}

// An allocator that has not all of these functions leaves some to another one, which does not know its blocks.
bool is_whole(const Allocator& allocator)
{
    const void* object = object_of(reinterpret_cast<const void*>(allocator.free));
    return object_of(reinterpret_cast<const void*>(allocator.malloc)) == object
           && object_of(reinterpret_cast<const void*>(allocator.realloc)) == object
           && object_of(reinterpret_cast<const void*>(allocator.usable_size)) == object;
}

Allocator look_up_allocator()
{
    Allocator found;
    look_up(found.malloc, "malloc");
    look_up(found.realloc, "realloc");
    look_up(found.usable_size, "malloc_usable_size");
    look_up(found.free, "free");
    void (*glibc_free)(void*) = nullptr;
    look_up(glibc_free, "__libc_free");
    found.is_whole = is_whole(found);
    found.is_glibc = found.is_whole && found.free == glibc_free;
    found.has_headers = found.is_glibc && are_headers_as_expected(found);
    return found;
}

// False while the dynamic linker looks for the allocator. Threads may do this at once: they find the same.
[[gnu::noinline]] bool get_ready()
{
    if (is_looking)
        return false;
    is_looking = true;
    const Allocator found = look_up_allocator();
    secret = pick_secret();
    freed_mark = found.has_headers ? find_freed_mark(found) : unlikely_word;
    next.malloc = found.malloc;
    next.realloc = found.realloc;
    next.usable_size = found.usable_size;
    next.is_whole = found.is_whole;
    next.is_glibc = found.is_glibc;
    std::atomic_ref(next.free).store(found.free, std::memory_order_release);
    std::atomic_ref(next.has_headers).store(found.has_headers, std::memory_order_release);
    is_looking = false;
    return true;
}

bool is_ready()
{
    return std::atomic_ref(next.free).load(std::memory_order_acquire) != nullptr || get_ready();
}

bool is_for_one(std::string_view variable)
{
    return variable.starts_with("LD_PRELOAD=") && variable.ends_with(name_for_one);
}

void leave_environment(char** variable)
{
    if (variable == nullptr)
        return;
    while (*variable != nullptr && !is_for_one(*variable))
        ++variable;
    for (; *variable != nullptr; ++variable)
        variable[0] = variable[1];
}

// Before the program's threads begin.
[[gnu::constructor]] void start()
{
    static_cast<void>(is_ready());
    leave_environment(environ);
}

bool is_zero(const std::byte* begin, std::size_t size)
{
    return begin[0] == std::byte{} && std::memcmp(begin, begin + 1, size - 1) == 0;
}

using Words [[gnu::vector_size(16), gnu::aligned(1), gnu::may_alias]] = long long;

template <int count>
void clear_words(std::byte* at)
{
    for (int i = 0; i < count; ++i)
        *reinterpret_cast<Words*>(at + i * sizeof(Words)) = Words{};
}

// Clears at both ends, so that what is between them may be cleared twice.
template <int count>
void clear_ends(std::byte* block, std::size_t size)
{
    clear_words<count>(block);
    clear_words<count>(block + size - count * sizeof(Words));
}

static_assert(little == 16 * sizeof(Words));

// Of at least one Words.
[[gnu::always_inline]] inline void clear_little(std::byte* block, std::size_t size)
{
    if (size <= 2 * sizeof(Words))
        clear_ends<1>(block, size);
    else if (size <= 4 * sizeof(Words))
        clear_ends<2>(block, size);
    else if (size <= 8 * sizeof(Words))
        clear_ends<4>(block, size);
    else
        clear_ends<8>(block, size);
}

[[gnu::noinline]] void clear_much(void* block, std::size_t size)
{
    if (size < large) {
        std::memset(block, 0, size);
        return;
    }
    auto* at = static_cast<std::byte*>(block);
    const std::byte* end = at + size;
    while (at < end) {
        const std::size_t to_boundary = page - reinterpret_cast<std::uintptr_t>(at) % page;
        const auto left = static_cast<std::size_t>(end - at);
        const std::size_t part = to_boundary < left ? to_boundary : left;
        if (!is_zero(at, part))
            std::memset(at, 0, part);
        at += part;
    }
}

void clear(void* block, std::size_t size)
{
    if (size >= sizeof(Words) && size <= little)
        clear_little(static_cast<std::byte*>(block), size);
    else
        clear_much(block, size);
}

void count(std::uint64_t& number)
{
    std::atomic_ref(number).fetch_add(1, std::memory_order_relaxed);
}

// A block that is held begins with these bytes. glibc's mark follows, as if the block had been freed. The rest of it is zeros.
// A program that writes over the marks and frees the block again does harm, as it does with glibc alone.
std::uintptr_t mark_of(const void* block)
{
    return secret ^ reinterpret_cast<std::uintptr_t>(block);
}

bool is_held(const void* block)
{
    std::uintptr_t beginning = 0;
    __builtin_memcpy(&beginning, block, sizeof(beginning));
    return beginning == mark_of(block);
}

// glibc ends a program that frees a block twice. It sees that by its mark.
bool was_freed(const void* block)
{
    return second_word(block) == freed_mark;
}

using Marks = std::array<std::uintptr_t, 2>;

// Takes back what was held.
void look_at(void* block)
{
    const std::size_t size = size_of(block);
    const bool is_marked = is_held(block) && was_freed(block);
    std::memset(block, 0, sizeof(Marks));
    if (is_marked && is_zero(static_cast<const std::byte*>(block), size))
        return;
    count(errors.writes);
    std::memset(block, 0, size);
}

// Takes a block that was cleared, and frees another one instead, if there is any.
[[gnu::noinline]] void hold(void* block)
{
    frees_until_held = frees_per_held;
    const Marks marks{mark_of(block), freed_mark};
    std::memcpy(block, marks.data(), sizeof(marks));
    const std::size_t place = held_count.fetch_add(1, std::memory_order_relaxed) % held_max;
    void* earlier = held[place].exchange(block, std::memory_order_acq_rel);
    if (earlier == nullptr)
        return;
    look_at(earlier);
    next.free(earlier);
}

bool is_turn_to_hold()
{
    return --frees_until_held == 0;
}

// Of a block with glibc's mark. If the library does not hold it, glibc ends the program, or finds that the mark is an earlier
// one. glibc uses the first two words of such a block.
[[gnu::noinline]] void free_again(void* block)
{
    if (is_held(block)) {
        count(errors.frees);
        return;
    }
    clear(static_cast<std::byte*>(block) + sizeof(Marks), size_in_header(block) - sizeof(Marks));
    next.free(block);
}

[[gnu::noinline]] void clear_and_free_any(void* block, std::size_t size)
{
    clear(block, size);
    if (size >= sizeof(Marks) && size <= held_size_max && is_turn_to_hold())
        hold(block);
    else
        next.free(block);
}

void clear_and_free_little(void* block, std::size_t size)
{
    clear_little(static_cast<std::byte*>(block), size);
    if (is_turn_to_hold()) [[unlikely]]
        hold(block);
    else
        next.free(block);
}

// What the dynamic linker frees while it looks for the allocator is lost.
[[gnu::noinline]] void free_without_header(void* block)
{
    if (!is_ready())
        return;
    if (!next.is_whole)
        next.free(block);
    else if (is_held(block))
        count(errors.frees);
    else
        clear_and_free_any(block, next.usable_size(block));
}

// Little blocks of glibc's are most of what programs free. So their way is short: what it seldom comes to has functions of its
// own.
[[gnu::always_inline]] inline void clear_and_free(void* block)
{
    if (!std::atomic_ref(next.has_headers).load(std::memory_order_acquire)) [[unlikely]]
        free_without_header(block);
    else if (is_mapped_in_header(block)) [[unlikely]]
        next.free(block);
    else if (was_freed(block)) [[unlikely]]
        free_again(block);
    else if (const std::size_t size = size_in_header(block); size <= little)
        clear_and_free_little(block, size);
    else
        clear_and_free_any(block, size);
}

// A block that grows again and again is not copied each time. Programs let large ones grow by a quarter, so that the reserve is
// half of those. A program may have many smaller ones, which are copied soon.
std::size_t with_reserve(std::size_t size)
{
    constexpr std::size_t without = 256;
    if (size < without || size > PTRDIFF_MAX / 2)
        return size;
    return size + (size < large ? size / 8 : size / 2);
}

void* move(void* block, std::size_t used, std::size_t size, std::size_t wanted)
{
    void* moved = next.malloc(wanted);
    if (moved == nullptr && wanted > size)
        moved = next.malloc(size);
    if (moved == nullptr)
        return nullptr;
    std::memcpy(moved, block, used);
    clear_and_free(block);
    return moved;
}

// The pages behind the new end go back to the kernel. The rest of its last page stays.
void clear_end_of_mapped(std::byte* block, std::size_t size)
{
    const std::size_t usable = next.usable_size(block);
    if (size != 0 && size < usable)
        clear(block + size, std::min(usable - size, page));
}

} // namespace

// Weak, since nobody links this library: these two are not the ones that other files of this tree mean.
extern "C" {

[[gnu::weak, gnu::visibility("default")]] void free(void* block) noexcept
{
    if (block != nullptr)
        clear_and_free(block);
}

[[gnu::weak, gnu::visibility("default")]] void* realloc(void* block, std::size_t size) noexcept
{
    if (!is_ready()) {
        errno = ENOMEM;
        return nullptr;
    }
    if (block == nullptr || !next.is_whole)
        return next.realloc(block, size);
    if (is_mapped(block)) {
        clear_end_of_mapped(static_cast<std::byte*>(block), size);
        return next.realloc(block, size);
    }
    const std::size_t usable = size_of(block);
    if (size <= usable) {
        // glibc makes a block smaller where it is, and cannot fail. Others may move it.
        if (!next.is_glibc && size != 0 && size < usable / 2)
            return move(block, size, size, size);
        clear(static_cast<std::byte*>(block) + size, usable - size);
        return next.is_glibc || size == 0 ? next.realloc(block, size) : block;
    }
    return move(block, usable, size, with_reserve(size));
}
}
