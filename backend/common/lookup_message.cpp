// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/lookup_message.h"

#include <array>
#include <cstdlib>

#include "common/text.h"

namespace tacet {
namespace {

const Error malformed{ErrorCode::Failed, "malformed message of a look-up"};

std::string to_hex(const std::vector<std::uint8_t>& bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes)
        text.append({digits[byte >> 4], digits[byte & 15]});
    return text;
}

std::vector<std::uint8_t> from_hex(const std::string& text)
{
    std::vector<std::uint8_t> bytes;
    for (std::size_t place = 0; place + 1 < text.size(); place += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::strtoul(text.substr(place, 2).c_str(), nullptr, 16)));
    return bytes;
}

unsigned long long number_of(const std::string& text)
{
    unsigned long long number = 0;
    static_cast<void>(parse_number(text, UINT64_MAX, number));
    return number;
}

// A missing word counts as empty. The other side is ours, so a short message is one that says nothing.
const std::string& word(const Words& words, std::size_t place)
{
    static const std::string none;
    return place < words.size() ? words[place] : none;
}

bool take(const Words& words, std::size_t& place, Words& ret_taken)
{
    unsigned long long count = 0;
    if (place == words.size() || !parse_number(words[place], words.size() - place - 1, count))
        return false;
    ++place;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(place);
    ret_taken.assign(first, first + static_cast<std::ptrdiff_t>(count));
    place += count;
    return true;
}

} // namespace

std::string to_text(const Words& words)
{
    std::string text;
    for (const std::string& one : words)
        text.append(one.c_str()).push_back('\0');
    return text;
}

Words words_of(std::string_view text)
{
    Words words;
    for (std::size_t end = 0; (end = text.find('\0')) != std::string_view::npos; text.remove_prefix(end + 1))
        words.emplace_back(text.substr(0, end));
    return words;
}

std::string to_text(const LookupRequest& request)
{
    std::string text = to_text(Words{request.verb, std::to_string(request.head.size())}) + to_text(request.head);
    for (const Words& item : request.items)
        text += to_text(Words{std::to_string(item.size())}) + to_text(item);
    return text;
}

Result<LookupRequest> parse_lookup(std::string_view text)
{
    const Words words = words_of(text);
    LookupRequest request;
    std::size_t place = 1;
    if (words.empty() || !take(words, place, request.head))
        return malformed;
    request.verb = words.front();
    while (place < words.size()) {
        if (!take(words, place, request.items.emplace_back()))
            return malformed;
    }
    return request;
}

LookupRequest path_request(const PathAsker& asker, const std::vector<std::string>& paths)
{
    LookupRequest request{
        "paths", {std::to_string(asker.pid), std::to_string(asker.uid), asker.with_all_rights ? "all" : ""}, {}};
    for (const gid_t group : asker.groups)
        request.head.push_back(std::to_string(group));
    for (const std::string& path : paths)
        request.items.push_back({path});
    return request;
}

PathAsker asker_of(const LookupRequest& request)
{
    PathAsker asker;
    asker.pid = static_cast<pid_t>(number_of(word(request.head, 0)));
    asker.uid = static_cast<uid_t>(number_of(word(request.head, 1)));
    asker.with_all_rights = word(request.head, 2) == "all";
    for (std::size_t place = 3; place < request.head.size(); ++place)
        asker.groups.push_back(static_cast<gid_t>(number_of(request.head[place])));
    return asker;
}

LookupRequest file_request(const std::vector<SoughtFile>& files)
{
    LookupRequest request{"files", {}, {}};
    for (const SoughtFile& file : files)
        request.items.push_back({file.key.file_system, to_hex(file.key.handle), file.path, std::to_string(file.pid)});
    return request;
}

SoughtFile sought_file(const Words& item)
{
    return {{word(item, 0), from_hex(word(item, 1))}, word(item, 2), static_cast<pid_t>(number_of(word(item, 3)))};
}

LookupReply to_reply(Finding finding)
{
    return {{std::string(to_string(finding.presence)), std::to_string(static_cast<int>(finding.error.code)),
             finding.error.message, finding.key.file_system, to_hex(finding.key.handle), finding.path},
            std::move(finding.file)};
}

Finding finding_of(LookupReply reply)
{
    Finding finding;
    const auto presence = contract::parse_presence(word(reply.words, 0));
    const unsigned long long code = number_of(word(reply.words, 1));
    if (!presence || code >= contract::error_names.size() || (*presence == Presence::Kept && !reply.file))
        return finding;
    finding.presence = *presence;
    finding.error = {static_cast<ErrorCode>(code), word(reply.words, 2)};
    finding.key = {word(reply.words, 3), from_hex(word(reply.words, 4))};
    finding.path = word(reply.words, 5);
    finding.file = std::move(reply.file);
    return finding;
}

LookupRequest process_request(pid_t pid, BootTime start)
{
    return {"process", {}, {{std::to_string(pid), std::to_string(start.count())}}};
}

LookupReply to_reply(const ProcessFacts& facts)
{
    LookupReply reply{{facts.parent, facts.fingerprint}, UniqueFd()};
    reply.words.insert(reply.words.end(), facts.command.begin(), facts.command.end());
    return reply;
}

ProcessFacts facts_of(const LookupReply& reply)
{
    ProcessFacts facts{{}, word(reply.words, 0), word(reply.words, 1)};
    for (std::size_t place = 2; place < reply.words.size(); ++place)
        facts.command.push_back(reply.words[place]);
    return facts;
}

LookupRequest person_request(uid_t uid)
{
    return {"person", {}, {{std::to_string(uid)}}};
}

LookupReply to_reply(const Person& person)
{
    return {{person.name, std::to_string(person.group)}, UniqueFd()};
}

Result<Person> person_of(const LookupReply& reply)
{
    if (word(reply.words, 0).empty())
        return Error{ErrorCode::NotFound, "no such user"};
    return Person{reply.words[0], static_cast<gid_t>(number_of(word(reply.words, 1)))};
}

LookupRequest label_request(const std::string& folder, bool only, const std::vector<std::string>& file_systems)
{
    LookupRequest request{"labels", {folder, only ? "only" : "all but"}, {}};
    request.head.insert(request.head.end(), file_systems.begin(), file_systems.end());
    return request;
}

} // namespace tacet
