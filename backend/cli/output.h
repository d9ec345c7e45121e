// SPDX-License-Identifier: GPL-3.0-or-later
// Output to the terminal: aligned, without control characters; or JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/client.h"

struct libscols_table;

namespace tacet::cli {

// Columns as wide as their widest cell. On a terminal the last column is folded where it is too wide.
class Table {
public:
    explicit Table(const std::vector<std::string>& head);

    void add(const std::vector<std::string>& row);
    bool empty() const;
    void print() const;

private:
    struct Free {
        void operator()(libscols_table* table) const;
    };

    std::unique_ptr<libscols_table, Free> table_;
};

// Text of our own, as it is.
void print_text(std::string_view text);
void print_json(const Json& json);
void print_line(std::string_view line);
void print_error(std::string_view line);
// Whether all that was printed arrived. At the first failure it says so on standard error.
bool finish_output();

std::string local_time(std::uint64_t unix_seconds);
// "1.5 MiB"
std::string size_text(std::uint64_t bytes);
std::string join(const Json& words);
// One line in words; for logs and lists.
std::string describe_question(const Json& question);
std::string describe_entry(const Json& entry);

} // namespace tacet::cli
