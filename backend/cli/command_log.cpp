// SPDX-License-Identifier: GPL-3.0-or-later
// log, watch
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "cli/client.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "contract/methods.h"

namespace tacet::cli {
namespace {

constexpr std::uint64_t limit_default = 50;
constexpr std::uint64_t limit_max = 1000;

// A stream has one JSON object a line.
void print_news(const Json& item, bool json, const std::string& text)
{
    if (json)
        print_text(item.dump() + "\n");
    else
        print_line(text);
    // The others of the stream would not arrive either, and it may go on for ever.
    if (!finish_output())
        std::exit(exit_failure);
}

class Follower {
public:
    Follower(Client& client, bool json, std::uint64_t last) : client_(client), json_(json), last_(last) {}

    void print_log()
    {
        std::vector<Dictionary> page;
        do {
            page = client_.list(contract::log::list, last_, static_cast<std::uint32_t>(limit_max));
            for (const Dictionary& entry : page) {
                Json item = to_json(entry);
                last_ = item["id"];
                item["type"] = "log";
                print_news(item, json_, describe_entry(item));
            }
        } while (page.size() == limit_max);
    }

    void print_questions()
    {
        std::set<std::uint64_t> open;
        for (const Dictionary& question : client_.list(contract::breaches::list)) {
            Json item = to_json(question);
            const auto id = item["id"].get<std::uint64_t>();
            open.insert(id);
            item["type"] = "question";
            if (!known_.contains(id))
                print_news(item, json_, describe_question(item));
        }
        known_ = std::move(open);
    }

private:
    Client& client_;
    bool json_;
    std::uint64_t last_;
    std::set<std::uint64_t> known_;
};

std::uint64_t last_id(const Json& entries)
{
    return entries.empty() ? 0 : entries.back()["id"].get<std::uint64_t>();
}

int run_log(const Arguments& arguments)
{
    const bool json = arguments.has("json");
    const bool follows = arguments.has("follow");
    const auto after = arguments.number("after", UINT64_MAX).value_or(0);
    const auto limit = arguments.number("limit", limit_max).value_or(limit_default);
    Client client;
    const Json entries = to_json(client.list(contract::log::list, after, static_cast<std::uint32_t>(limit)));
    if (json && !follows)
        print_json(entries);
    else
        for (const Json& entry : entries)
            print_news(entry, json, describe_entry(entry));
    if (follows) {
        Follower follower(client, json, std::max<std::uint64_t>(after, last_id(entries)));
        client.follow([&] { follower.print_log(); }, [] {}, [&] { follower.print_log(); });
    }
    return exit_ok;
}

int run_watch(const Arguments& arguments)
{
    Client client;
    const Json newest = to_json(client.list(contract::log::list, std::uint64_t{0}, std::uint32_t{1}));
    Follower follower(client, arguments.has("json"), last_id(newest));
    const auto catch_up = [&] {
        follower.print_log();
        follower.print_questions();
    };
    client.follow([&] { follower.print_log(); }, [&] { follower.print_questions(); }, catch_up);
    return exit_ok;
}

} // namespace

std::span<const Command> log_commands()
{
    static const std::vector<Command> commands{
        {"log",
         "show the last decisions",
         {{"--follow", "go on with those that come"},
          {"--after", "those after the entry with this id", values::id},
          {"--limit", "at most so many, up to 1000 (50)", values::number},
          json},
         {},
         run_log,
         "  tacet log --limit 10\n"
         "  tacet log --follow"},
        {"watch", "show questions and decisions as they come", {json}, {}, run_watch, "  tacet watch --json"},
    };
    return commands;
}

} // namespace tacet::cli
