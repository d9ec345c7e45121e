// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/failures.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "cli/output.h"
#include "contract/codes.h"

namespace tacet::cli {
namespace {

// The word of an error of the bus itself; empty for another.
std::string_view bus_word(const sdbus::Error& error)
{
    constexpr std::string_view prefix = "org.freedesktop.DBus.Error.";
    const std::string_view name = error.getName();
    return name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view();
}

// The bus says so too when a daemon dies before it answers.
bool is_disconnect(const sdbus::Error& error)
{
    return bus_word(error) == "NoReply" && error.getMessage().find("disconnected") != std::string::npos;
}

} // namespace

bool means_absent(const sdbus::Error& error)
{
    static const std::set<std::string_view> words{"ServiceUnknown", "NameHasNoOwner", "Disconnected", "FileNotFound", "NoServer"};
    const std::string_view word = bus_word(error);
    const std::string_view name = error.getName();
    return words.contains(word) || word.starts_with("Spawn") || is_disconnect(error)
           || name.starts_with("org.freedesktop.systemd1.") || name.starts_with("System.Error.ECONN")
           || name == "System.Error.ENOENT";
}

bool means_timeout(const sdbus::Error& error)
{
    const std::string_view word = bus_word(error);
    return word == "Timeout" || word == "TimedOut" || (word == "NoReply" && !is_disconnect(error))
           || error.getName() == "System.Error.ETIMEDOUT";
}

std::string message_of(const sdbus::Error& error)
{
    if (means_absent(error)) {
        const char* session = std::getenv("TACET_SESSION");
        return session == nullptr ? "tacetd is not running"
                                  : "this is private session " + std::string(session) + "; tacetd cannot be reached from inside";
    }
    return means_timeout(error) ? "tacetd did not answer in time" : error.getMessage();
}

int exit_code_of(const sdbus::Error& error)
{
    if (means_absent(error))
        return exit_daemon_absent;
    return means_timeout(error) ? exit_timeout : exit_code_of(std::string_view(error.getName()));
}

int exit_code_of(std::string_view name)
{
    using contract::ErrorCode;
    if (name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired")
        return exit_denied;
    switch (contract::parse_error(name).value_or(ErrorCode::Failed)) {
    case ErrorCode::AccessDenied:
    case ErrorCode::NotOwner:
        return exit_denied;
    case ErrorCode::NotFound:
    case ErrorCode::NotLabelled:
    case ErrorCode::NoSuchQuestion:
    case ErrorCode::NoSuchRule:
    case ErrorCode::NoSuchSession:
        return exit_not_found;
    case ErrorCode::InvalidArgument:
    case ErrorCode::InvalidCategory:
    case ErrorCode::InvalidDuration:
    case ErrorCode::InvalidPath:
    case ErrorCode::InvalidScope:
    case ErrorCode::InvalidVerdict:
        return exit_usage;
    default:
        return exit_failure;
    }
}

void print_failure(bool json, std::string_view name, std::string_view message)
{
    if (json)
        print_json({{"error", name}, {"message", message}});
    print_error(message);
}

int run_each(const Arguments& arguments, const char* noun, const char* done, const std::function<void(std::uint64_t id)>& act)
{
    std::vector<std::uint64_t> ids;
    for (const std::string& word : arguments.operands())
        ids.push_back(to_number(word, UINT64_MAX));
    Json succeeded = Json::array();
    Json failures = Json::array();
    std::optional<sdbus::Error> first;
    std::optional<sdbus::Error> lost; // without the daemon the rest fails alike, and each would wait for it
    for (const std::uint64_t id : ids) {
        try {
            if (lost)
                throw sdbus::Error(*lost);
            act(id);
            succeeded.push_back(id);
            if (!arguments.has("json"))
                print_line(std::string(noun) + " " + std::to_string(id) + " " + done);
        } catch (const sdbus::Error& error) {
            if (ids.size() == 1)
                throw;
            if (means_absent(error) || means_timeout(error))
                lost = error;
            if (!first)
                first = error;
            failures.push_back({{"id", id}, {"error", error.getName()}, {"message", message_of(error)}});
            print_error(std::string(noun) + " " + std::to_string(id) + ": " + message_of(error));
        }
    }
    if (arguments.has("json"))
        print_json({{done, succeeded}, {"failures", failures}});
    if (!first)
        return exit_ok;
    return succeeded.empty() ? exit_code_of(*first) : exit_partial;
}

} // namespace tacet::cli
