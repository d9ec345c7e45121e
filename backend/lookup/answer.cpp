// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup/answer.h"

#include <pwd.h>

#include <cstdlib>
#include <set>
#include <string>

#include "lookup/file_lookup.h"
#include "lookup/label_scan.h"
#include "lookup/path_lookup.h"
#include "lookup/process_lookup.h"

namespace tacet::lookup {
namespace {

using Send = std::function<void(LookupReply)>;

void find_paths(const LookupRequest& request, const Send& send)
{
    const PathAsker asker = asker_of(request);
    for (const Words& item : request.items)
        send(to_reply(find_path(item.empty() ? std::string() : item.front(), asker)));
}

void find_files(const LookupRequest& request, const Send& send)
{
    const FileLookup lookup;
    for (const Words& item : request.items)
        send(to_reply(lookup.find(sought_file(item))));
}

void inspect_processes(const LookupRequest& request, const Send& send)
{
    for (const Words& item : request.items)
        send(to_reply(item.size() == 2 ? inspect(std::atoi(item[0].c_str()), BootTime(std::atoll(item[1].c_str())))
                                       : ProcessFacts{}));
}

void find_persons(const LookupRequest& request, const Send& send)
{
    for (const Words& item : request.items) {
        const passwd* entry = item.empty() ? nullptr : getpwuid(static_cast<uid_t>(std::strtoul(item[0].c_str(), nullptr, 10)));
        send(entry != nullptr ? to_reply(Person{entry->pw_name, entry->pw_gid}) : LookupReply{});
    }
}

void look_for_labels(const LookupRequest& request, const Send& send)
{
    if (request.head.size() < 2)
        return;
    const std::set<std::string> named(request.head.begin() + 2, request.head.end());
    const bool only = request.head[1] == "only";
    find_labels(request.head[0], [&](const std::string& file_system) { return named.contains(file_system) == only; },
                {[&](Finding finding) { send(to_reply(std::move(finding))); },
                 [&](const std::string& verb, const std::string& file_system) { send({{verb, file_system}, UniqueFd()}); }});
    send({{"end"}, UniqueFd()});
}

} // namespace

void answer(const LookupRequest& request, const Send& send)
{
    if (request.verb == "paths")
        find_paths(request, send);
    else if (request.verb == "files")
        find_files(request, send);
    else if (request.verb == "process")
        inspect_processes(request, send);
    else if (request.verb == "person")
        find_persons(request, send);
    else if (request.verb == "labels")
        look_for_labels(request, send);
}

} // namespace tacet::lookup
