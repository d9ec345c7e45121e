// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/heap_reach.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace tacet {
namespace {

// Names of executables begin so. They keep freed memory for later, and the library does not see it.
constexpr std::array<std::string_view, 7> own_allocators{"chrom", "electron", "firefox",    "java",
                                                         "node",  "python3",  "thunderbird"};

// Nothing else is opened, as a FIFO would wait. A program that raises privileges, also by capabilities, loads no library.
bool is_plain_file(const std::string& program)
{
    struct stat status{};
    return stat(program.c_str(), &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & (S_ISUID | S_ISGID)) == 0
           && getxattr(program.c_str(), "security.capability", nullptr, 0) < 0;
}

template <typename Structure>
bool read_at(std::ifstream& file, std::uint64_t offset, Structure& structure)
{
    std::array<char, sizeof(Structure)> bytes{};
    if (!file.seekg(static_cast<std::streamoff>(offset)).read(bytes.data(), bytes.size()))
        return false;
    std::memcpy(&structure, bytes.data(), bytes.size());
    return true;
}

// Programs of another C library, or of an older one that they bring along, name another linker.
bool is_the_linker(std::ifstream& file, const Elf64_Phdr& segment)
{
    constexpr std::string_view linker = "/lib64/ld-linux-x86-64.so.2";
    std::array<char, linker.size() + 1> name{};
    return segment.p_filesz == name.size() && read_at(file, segment.p_offset, name) && linker == name.data();
}

// Tells whether this machine's dynamic linker starts it.
bool loads_libraries(const std::string& program)
{
    constexpr unsigned segments_max = 128;
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr head{};
    if (!read_at(file, 0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64
        || head.e_machine != EM_X86_64 || head.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    for (unsigned index = 0; index < std::min<unsigned>(head.e_phnum, segments_max); ++index) {
        Elf64_Phdr segment{};
        if (!read_at(file, head.e_phoff + index * sizeof(segment), segment))
            return false;
        if (segment.p_type == PT_INTERP)
            return is_the_linker(file, segment);
    }
    return false;
}

} // namespace

bool is_heap_reached(const std::string& program)
{
    const std::string_view name = std::string_view(program).substr(program.rfind('/') + 1);
    const auto begins_so = [name](std::string_view beginning) { return name.starts_with(beginning); };
    return is_plain_file(program) && loads_libraries(program) && std::ranges::none_of(own_allocators, begins_so);
}

} // namespace tacet
