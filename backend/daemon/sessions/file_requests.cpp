// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/file_requests.h"

#include <sys/epoll.h>

#include <charconv>

#include "common/session_changes.h"

namespace tacet {
namespace {

const Error unanswered{ErrorCode::Failed, "the session ended, or its files cannot be read"};

// Parses "failed CODE WHY".
Error parse_failure(std::string_view text)
{
    constexpr std::string_view start = "failed ";
    int code = 0;
    if (!text.starts_with(start))
        return unanswered;
    text.remove_prefix(start.size());
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), code);
    constexpr int last = static_cast<int>(ErrorCode::AccessDenied);
    if (failure != std::errc() || end == text.data() + text.size() || code < 0 || code > last)
        return unanswered;
    return {static_cast<ErrorCode>(code), std::string(end + 1, text.data() + text.size())};
}

} // namespace

FileRequests::~FileRequests()
{
    for (Request& request : std::exchange(requests_, {}))
        request.reply(unanswered);
}

void FileRequests::send(const char* what, std::vector<int> files, Reply<Message> reply)
{
    auto channel = make_channel();
    if (!channel || requests_.size() == pending_max)
        return reply(channel ? Error{ErrorCode::TooMany, "too many files at a time"} : channel.error());
    files.insert(files.begin(), channel->second.get());
    if (auto sent = send_message(control_, what, files); !sent)
        return reply(sent.error());
    const auto request = requests_.insert(requests_.end(), {std::move(channel->first), nullptr, std::move(reply)});
    request->news = loop_.watch(request->channel.get(), EPOLLIN, [this, request](std::uint32_t) { answer(request); });
}

void FileRequests::answer(std::list<Request>::iterator request)
{
    std::list<Request> answered;
    answered.splice(answered.end(), requests_, request);
    auto message = receive_message(request->channel.get());
    const Reply<Message> reply = std::move(request->reply);
    if (!message || message->text != "done")
        reply(parse_failure(message ? std::string_view(message->text) : std::string_view()));
    else
        reply(std::move(message));
}

void FileRequests::files(Reply<std::vector<SessionChange>> reply)
{
    send("files", {}, [reply](const Result<Message>& message) {
        if (!message || message->files.size() != 1)
            return reply(message ? unanswered : message.error());
        const auto text = read_memory_file(message->files[0].get(), change_text_max);
        reply(text ? parse_changes(*text) : text.error());
    });
}

void FileRequests::keep(const std::string& path, const UniqueFd& file, Reply<void> reply)
{
    const auto name = make_memory_file(path);
    if (!name)
        return reply(name.error());
    send("keep", {file.get(), name->get()},
         [reply](const Result<Message>& message) { reply(message ? Result<void>() : Result<void>(message.error())); });
}

} // namespace tacet
