// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/lookups/lookup_account.h"

#include <sys/epoll.h>

#include <algorithm>

#include "common/channel.h"

namespace tacet {
namespace {

// This is for one item. A disk that has to spin up answers within it.
constexpr auto usual_limit = std::chrono::seconds(5);
// This is shorter, as a program waits for the question about it.
constexpr auto process_limit = std::chrono::seconds(1);
constexpr auto idle_limit = std::chrono::seconds(10);

BootTime in(std::chrono::seconds time)
{
    return SystemClock().boottime() + time;
}

} // namespace

void LookupAccount::ask(LookupRequest request, Done done)
{
    const std::size_t items = request.items.size();
    if (items == 0 || items_ + items > items_max) {
        done(std::vector<LookupReply>(items));
        return;
    }
    items_ += items;
    tasks_.push_back({std::move(request), {}, std::move(done)});
    if (!is_busy_)
        begin();
}

void LookupAccount::begin()
{
    is_busy_ = true;
    if (auto sent = send_rest(); sent)
        start_limit();
    else // Who is told may ask again at once, and so may the next one.
        limit_ = loop_.soon([this] {
            finish();
            return false;
        });
}

void LookupAccount::start_limit()
{
    const auto limit = tasks_.front().request.verb == "process" ? process_limit : usual_limit;
    limit_ = loop_.at(in(limit), [this] { give_up_item(); });
}

// Sends the items that have no reply yet.
Result<void> LookupAccount::send_rest()
{
    const auto at = worker();
    if (!at)
        return at.error();
    const Task& task = tasks_.front();
    LookupRequest rest{task.request.verb, task.request.head, {}};
    rest.items.assign(task.request.items.begin() + static_cast<std::ptrdiff_t>(task.replies.size()), task.request.items.end());
    const auto text = make_memory_file(to_text(rest));
    if (!text)
        return text.error();
    const int file = text->get();
    return send_message((*at)->channel.get(), "ask", {&file, 1});
}

Result<LookupAccount::WorkerPlace> LookupAccount::worker()
{
    if (!workers_.empty() && !workers_.back().is_dismissed)
        return std::prev(workers_.end());
    if (workers_.size() >= hanging_max)
        return Error{ErrorCode::TooMany, "look-ups of this user hang"};
    auto channel = make_channel();
    if (!channel)
        return channel.error();
    const auto place = workers_.emplace(workers_.end());
    auto process = ChildProcess::start(loop_, program_, channel->second.get(), [this, place](bool) { on_exit(place); });
    if (!process) {
        workers_.erase(place);
        return process.error();
    }
    place->process = std::move(*process);
    place->channel = std::move(channel->first);
    place->news = loop_.watch(place->channel.get(), EPOLLIN, [this, place](std::uint32_t) { take_reply(place); });
    return place;
}

void LookupAccount::take_reply(WorkerPlace from)
{
    auto message = receive_message(from->channel.get());
    if (!message || message->text.empty() || !is_busy_) {
        // The worker has died, or sends a reply that nobody asked for.
        dismiss(from, true);
        if (is_busy_)
            give_up_item();
        return;
    }
    Task& task = tasks_.front();
    task.replies.push_back({words_of(message->text), message->files.empty() ? UniqueFd() : std::move(message->files.front())});
    if (task.replies.size() == task.request.items.size())
        finish();
    else
        start_limit();
}

void LookupAccount::give_up_item()
{
    dismiss_all(true);
    Task& task = tasks_.front();
    task.replies.emplace_back();
    if (++task.hangs < hangs_max && task.replies.size() < task.request.items.size())
        begin();
    else
        finish();
}

void LookupAccount::finish()
{
    limit_.reset();
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    is_busy_ = false;
    task.replies.resize(task.request.items.size());
    items_ -= task.replies.size();
    ++telling_;
    task.done(std::move(task.replies));
    --telling_;
    if (is_busy_)
        return;
    if (!tasks_.empty())
        begin();
    else
        limit_ = loop_.at(in(idle_limit), [this] { dismiss_all(false); });
}

void LookupAccount::dismiss(WorkerPlace worker, bool by_force)
{
    worker->is_dismissed = true;
    worker->news.reset();
    worker->channel = UniqueFd();
    if (by_force)
        worker->process->kill();
    if (worker->has_ended)
        workers_.erase(worker);
}

void LookupAccount::dismiss_all(bool by_force)
{
    for (auto place = workers_.begin(); place != workers_.end();)
        dismiss(place++, by_force);
}

void LookupAccount::on_exit(WorkerPlace worker)
{
    worker->has_ended = true;
    // A worker that died by itself is dismissed when its channel tells so.
    if (worker->is_dismissed)
        workers_.erase(worker);
}

} // namespace tacet
