// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/output.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <format>
#include <iostream>

#include "common/text.h"

namespace tacet::cli {
namespace {

// Characters, not bytes; wide ones are counted as one.
std::size_t width(const std::string& text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string peer(const Json& item)
{
    const std::string host = item.value("host", "");
    const auto port = item.value("port", 0);
    if (host.empty())
        return item.value("target", "");
    return port == 0 ? host : host + ":" + std::to_string(port);
}

std::string program(const Json& item)
{
    const std::string executable = item.value("executable", "");
    return executable.empty() ? item.value("comm", "?") : executable;
}

std::string describe_wish(const Json& question)
{
    const std::string file = question.value("file", "") + " (" + join(question["categories"]) + ")";
    if (question.value("sink", "") == "marked")
        return (question.value("removes", false) ? "remove or replace " : "change ") + file;
    return "send " + std::to_string(question.value("length", std::uint64_t{0})) + " bytes derived from " + file + " to "
           + peer(question);
}

} // namespace

void Table::print() const
{
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], width(escape_control(row[column])));
    }
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string cell = escape_control(row[column]);
            line += cell;
            if (column + 1 < row.size())
                line += std::string(widths[column] - width(cell) + 2, ' ');
        }
        std::cout << line << '\n';
    }
}

void print_json(const Json& json)
{
    std::cout << json.dump(2) << '\n';
}

void print_line(std::string_view line)
{
    std::cout << escape_control(line) << std::endl;
}

void print_error(std::string_view line)
{
    std::cerr << "tacet: " << escape_control(line) << std::endl;
}

std::string local_time(std::uint64_t unix_seconds)
{
    const auto time = static_cast<std::time_t>(unix_seconds);
    std::tm broken{};
    localtime_r(&time, &broken);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &broken);
    return text.data();
}

std::string size_text(std::uint64_t bytes)
{
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
    constexpr double step = 1024;
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; amount >= step && unit + 1 < units.size(); ++unit)
        amount /= step;
    return std::format("{:.{}f} {}", amount, unit == 0 || amount >= 100 ? 0 : 1, units[unit]);
}

std::string join(const Json& words)
{
    std::string joined;
    for (const Json& word : words)
        joined += (joined.empty() ? "" : ",") + word.get<std::string>();
    return joined;
}

std::string describe_question(const Json& question)
{
    std::string line = "question " + std::to_string(question.value("id", std::uint64_t{0})) + ": " + program(question) + " (pid "
                       + std::to_string(question.value("pid", 0)) + ") wants to " + describe_wish(question);
    if (const Json chain = question.value("chain", Json::array()); !chain.empty())
        line += "; it came through " + join(chain);
    if (question.value("tainted", false))
        line += "; what exactly is derived cannot be told";
    if (question.value("can_take_over", false))
        line += "; it could go on with the scrubbed copy (takeover)";
    if (question.value("in_session", false))
        line += "; in a private session: the answer is not kept";
    if (question.value("binary_changed", false))
        line += "; the program changed since the last answer";
    return line;
}

std::string describe_entry(const Json& entry)
{
    std::string line = local_time(entry.value("time", std::uint64_t{0})) + "  " + entry.value("kind", "");
    for (const auto& [label, value] : std::to_array<std::pair<const char*, std::string>>({
             {"", entry.value("verdict", "")},
             {"", entry.value("executable", "").empty() ? entry.value("comm", "") : entry.value("executable", "")},
             {"", entry.value("file", "")},
             {"-> ", peer(entry)},
             {"reason: ", entry.value("reason", "")},
         })) {
        if (!value.empty())
            line += std::string("  ") + label + value;
    }
    if (const auto rule = entry.value("rule", std::uint64_t{0}); rule != 0)
        line += "  (rule " + std::to_string(rule) + ")";
    return line;
}

} // namespace tacet::cli
