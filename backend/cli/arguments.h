// SPDX-License-Identifier: GPL-3.0-or-later
// What a command was given.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tacet::cli {

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Arguments {
public:
    // options: by their names without dashes; a flag has no value.
    Arguments(std::vector<std::string> operands, std::map<std::string, std::string> options)
        : operands_(std::move(operands)), options_(std::move(options))
    {
    }

    const std::vector<std::string>& operands() const { return operands_; }
    bool has(const std::string& option) const { return options_.contains(option); }
    std::optional<std::string> value(const std::string& option) const;
    // Throws UsageError when it is no number up to limit.
    std::optional<std::uint64_t> number(const std::string& option, std::uint64_t limit) const;

private:
    std::vector<std::string> operands_;
    std::map<std::string, std::string> options_;
};

// Throws UsageError.
std::uint64_t to_number(const std::string& word, std::uint64_t limit);

} // namespace tacet::cli
