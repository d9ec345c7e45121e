// SPDX-License-Identifier: GPL-3.0-or-later
// Output to the terminal: aligned, without control characters; or JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/client.h"

namespace tacet::cli {

// Columns as wide as their widest cell; the last is not padded.
class Table {
public:
    explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.size() == 1; }
    void print() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

void print_json(const Json& json);
void print_line(std::string_view line);
void print_error(std::string_view line);

std::string local_time(std::uint64_t unix_seconds);
// "1.5 MiB"
std::string size_text(std::uint64_t bytes);
std::string join(const Json& words);
// One line in words; for logs and lists.
std::string describe_question(const Json& question);
std::string describe_entry(const Json& entry);

} // namespace tacet::cli
