// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/lookups/lookup_processes.h"

#include <sys/epoll.h>

#include "common/channel.h"
#include "daemon/core/account.h"
#include "daemon/lookups/lookup_account.h"

namespace tacet {
namespace {

struct Look final : public Pending {
    UniqueFd channel;
    std::unique_ptr<ChildProcess> process;
    std::unique_ptr<Pending> news;
};

LookupReply next_reply(int channel)
{
    auto message = receive_message(channel);
    if (!message)
        return {};
    return {words_of(message->text), message->files.empty() ? UniqueFd() : std::move(message->files.front())};
}

} // namespace

LookupProcesses::LookupProcesses(EventLoop& loop, std::string program) : loop_(loop), program_(std::move(program)) {}

LookupProcesses::~LookupProcesses() = default;

void LookupProcesses::ask(uid_t account, LookupRequest request, std::function<void(std::vector<LookupReply>)> done)
{
    account = account == own_account ? own_account : account_of(account);
    std::erase_if(accounts_, [&](const auto& item) { return item.first != account && item.second->is_idle(); });
    auto& entry = accounts_[account];
    if (entry == nullptr)
        entry = std::make_unique<LookupAccount>(loop_, program_);
    entry->ask(std::move(request), std::move(done));
}

std::unique_ptr<Pending> LookupProcesses::look_through(LookupRequest request, std::function<void(LookupReply)> each)
{
    auto look = std::make_unique<Look>();
    auto channel = make_channel();
    const auto text = make_memory_file(to_text(request));
    const int file = text ? text->get() : -1;
    auto process = channel ? ChildProcess::start(loop_, program_, channel->second.get(), [](bool) {})
                           : Result<std::unique_ptr<ChildProcess>>(channel.error());
    if (!text || !process || !send_message(channel->first.get(), "ask", {&file, 1})) {
        look->news = loop_.idle([each = std::move(each)] {
            each({});
            return false;
        });
        return look;
    }
    look->channel = std::move(channel->first);
    look->process = std::move(*process);
    look->news = loop_.watch(look->channel.get(), EPOLLIN, [self = look.get(), each = std::move(each)](std::uint32_t) {
        LookupReply reply = next_reply(self->channel.get());
        if (reply.words.empty())
            self->news.reset();
        each(std::move(reply));
    });
    return look;
}

} // namespace tacet
