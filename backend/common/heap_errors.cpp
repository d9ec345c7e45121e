// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/heap_errors.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "heap/errors.h"

namespace tacet {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view library = "/libtacet-heap";
// The library's data has some hundred bytes.
constexpr std::uint64_t data_max = std::uint64_t{1} << 20;

struct Range {
    std::uint64_t begin;
    std::uint64_t end;
};

// A line of /proc/PID/maps tells where the library's data lies.
std::optional<Range> data_of(std::string_view line)
{
    Range range{};
    const char* end = line.data() + line.size();
    const auto [dash, first_error] = std::from_chars(line.data(), end, range.begin, 16);
    if (first_error != std::errc{} || dash == end)
        return std::nullopt;
    const auto [space, second_error] = std::from_chars(dash + 1, end, range.end, 16);
    if (second_error != std::errc{} || !std::string_view(space, end).starts_with(" rw")
        || line.find(library) == std::string_view::npos)
        return std::nullopt;
    return range.end <= range.begin || range.end - range.begin > data_max ? std::nullopt : std::optional(range);
}

std::optional<HeapErrors> find_in(std::ifstream& memory, const Range& range)
{
    std::string bytes(range.end - range.begin, '\0');
    if (!memory.seekg(static_cast<std::streamoff>(range.begin)).read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        return std::nullopt;
    const std::size_t place = bytes.find(std::string_view(heap_errors_words.data(), heap_errors_words.size()));
    HeapErrors found{};
    if (place == std::string::npos || bytes.size() - place < sizeof(found))
        return std::nullopt;
    std::memcpy(&found, bytes.data() + place, sizeof(found));
    return found;
}

} // namespace

std::optional<ProcessErrors> heap_errors_of(pid_t process)
{
    const fs::path folder = fs::path("/proc") / std::to_string(process);
    std::ifstream maps(folder / "maps");
    for (std::string line; std::getline(maps, line);) {
        const auto range = data_of(line);
        if (!range)
            continue;
        std::ifstream memory(folder / "mem", std::ios::binary);
        if (const auto found = find_in(memory, *range))
            return ProcessErrors{process, found->writes, found->frees};
    }
    return std::nullopt;
}

std::vector<ProcessErrors> heap_errors_of(const std::string& program)
{
    std::vector<ProcessErrors> errors;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        pid_t process = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error != std::errc{} || *end != '\0' || fs::read_symlink(entry.path() / "exe", ignored) != program)
            continue;
        const auto found = heap_errors_of(process);
        if (found && (found->writes != 0 || found->frees != 0))
            errors.push_back(*found);
    }
    return errors;
}

} // namespace tacet
