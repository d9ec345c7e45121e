// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/session_request.h"

#include <algorithm>
#include <charconv>

#include "contract/codes.h"

namespace tacet {
namespace {

const Error malformed{ErrorCode::InvalidArgument, "malformed session request"};

// Pairs of strings, each ended by NUL: key, value, key, value. Lists repeat their key.
class Writer {
public:
    void add(std::string_view key, std::string_view value)
    {
        valid_ = valid_ && value.find('\0') == std::string_view::npos;
        text_.append(key).push_back('\0');
        text_.append(value).push_back('\0');
    }
    void add(std::string_view key, std::uint64_t value) { add(key, std::to_string(value)); }
    Result<std::string> finish()
    {
        if (!valid_ || text_.size() > SessionRequest::text_max)
            return Error{ErrorCode::InvalidArgument, "command or environment too long, or with a NUL"};
        return std::move(text_);
    }

private:
    std::string text_;
    bool valid_ = true;
};

bool take_string(std::string_view& text, std::string_view& ret_string)
{
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos)
        return false;
    ret_string = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
}

template <typename T>
bool to_number(std::string_view text, T& ret_number)
{
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), ret_number);
    return failure == std::errc() && end == text.data() + text.size();
}

bool to_flag(std::string_view text, bool& ret_flag)
{
    ret_flag = text == "1";
    return text == "1" || text == "0";
}

bool add_word(std::vector<std::string>& words, std::string_view word)
{
    words.emplace_back(word);
    return words.size() <= SessionRequest::words_max;
}

bool set_text(SessionRequest& request, std::string_view key, std::string_view value)
{
    const std::pair<std::string_view, std::string*> texts[] = {{"user", &request.user}, {"directory", &request.directory}};
    for (const auto& [name, text] : texts) {
        if (name == key) {
            *text = value;
            return true;
        }
    }
    return false;
}

std::string option_text(const std::string& value)
{
    return value;
}

std::string option_text(bool value)
{
    return value ? "1" : "0";
}

std::string option_text(std::uint64_t value)
{
    return std::to_string(value);
}

std::string option_text(contract::StoreChoice value)
{
    return std::string(to_string(value));
}

bool read_option(std::string_view text, std::string& ret_value)
{
    ret_value = text;
    return true;
}

bool read_option(std::string_view text, bool& ret_value)
{
    return to_flag(text, ret_value);
}

bool read_option(std::string_view text, std::uint64_t& ret_value)
{
    return to_number(text, ret_value);
}

bool read_option(std::string_view text, contract::StoreChoice& ret_value)
{
    const auto choice = contract::parse_store_choice(text);
    ret_value = choice.value_or(contract::StoreChoice::Auto);
    return choice.has_value();
}

// False: there is no such option, or it does not take this value.
bool set_option(SessionOptions& options, std::string_view key, std::string_view value)
{
    bool is_set = false;
    for_each_session_option([&](std::string_view name, auto member) {
        if (name == key)
            is_set = read_option(value, options.*member);
    });
    return is_set;
}

bool set_field(SessionRequest& request, std::string_view key, std::string_view value)
{
    if (key == "id")
        return to_number(value, request.id);
    if (key == "uid")
        return to_number(value, request.uid);
    if (key == "gid")
        return to_number(value, request.gid);
    if (key == "since")
        return to_number(value, request.since);
    if (key == "on_disk")
        return to_flag(value, request.on_disk);
    if (key == "argument")
        return add_word(request.command, value);
    if (key == "environment")
        return add_word(request.environment, value);
    return set_text(request, key, value) || set_option(request.options, key, value);
}

bool is_complete(const SessionRequest& request)
{
    return request.id != 0 && request.uid != 0 && request.gid != 0 && !request.user.empty() && request.directory.starts_with('/')
           && !request.command.empty() && !request.command.front().empty();
}

} // namespace

Result<std::string> to_text(const SessionRequest& request)
{
    Writer writer;
    writer.add("id", request.id);
    writer.add("uid", request.uid);
    writer.add("gid", request.gid);
    writer.add("user", request.user);
    writer.add("directory", request.directory);
    writer.add("on_disk", request.on_disk ? "1" : "0");
    writer.add("since", request.since);
    for_each_session_option([&](const char* name, auto member) { writer.add(name, option_text(request.options.*member)); });
    for (const std::string& word : request.command)
        writer.add("argument", word);
    for (const std::string& word : request.environment)
        writer.add("environment", word);
    return writer.finish();
}

Result<SessionRequest> parse_request(std::string_view text)
{
    SessionRequest request;
    while (!text.empty()) {
        std::string_view key;
        std::string_view value;
        if (!take_string(text, key) || !take_string(text, value) || !set_field(request, key, value))
            return malformed;
    }
    if (!is_complete(request))
        return malformed;
    return request;
}

} // namespace tacet
