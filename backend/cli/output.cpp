// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/output.h"

#include <libsmartcols.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <format>
#include <iostream>
#include <utility>

#include "common/text.h"

namespace tacet::cli {
namespace {

int write_error = 0; // errno of the first write that failed

void flush()
{
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && write_error == 0)
        write_error = errno;
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

void Table::Free::operator()(libscols_table* table) const
{
    scols_unref_table(table);
}

Table::Table(const std::vector<std::string>& head) : table_(scols_new_table())
{
    // Cells are escaped here: also what turns the direction of writing.
    scols_table_enable_noencoding(table_.get(), 1);
    scols_table_set_column_separator(table_.get(), "  ");
    for (const std::string& name : head)
        scols_table_new_column(table_.get(), name.c_str(), 0, &name == &head.back() ? SCOLS_FL_WRAP : 0);
}

void Table::add(const std::vector<std::string>& row)
{
    libscols_line* line = scols_table_new_line(table_.get(), nullptr);
    for (std::size_t column = 0; column < row.size(); ++column)
        scols_line_set_data(line, column, escape_control(row[column]).c_str());
}

bool Table::empty() const
{
    return scols_table_get_nlines(table_.get()) == 0;
}

void Table::print() const
{
    if (empty())
        return;
    scols_print_table(table_.get());
    flush();
}

void print_text(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
    flush();
}

void print_json(const Json& json)
{
    print_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void print_line(std::string_view line)
{
    print_text(escape_control(line) + "\n");
}

void print_error(std::string_view line)
{
    std::cerr << "tacet: " << escape_control(line) << '\n';
}

bool finish_output()
{
    flush();
    static bool told = false;
    if (write_error != 0 && !std::exchange(told, true))
        print_error(std::string("the output could not be written: ") + std::strerror(write_error));
    return write_error == 0;
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
