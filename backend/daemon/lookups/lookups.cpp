// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/lookups/lookups.h"

namespace tacet {
namespace {

std::function<void(std::vector<LookupReply>)> as_findings(FoundAll done)
{
    return [done = std::move(done)](std::vector<LookupReply> replies) {
        std::vector<Finding> findings;
        findings.reserve(replies.size());
        for (LookupReply& reply : replies)
            findings.push_back(finding_of(std::move(reply)));
        done(std::move(findings));
    };
}

} // namespace

void find_paths(Lookups& lookups, const Caller& caller, bool with_all_rights, const std::vector<std::string>& paths,
                FoundAll done)
{
    lookups.ask(caller.uid, path_request({caller.pid, caller.uid, caller.groups, with_all_rights}, paths),
                as_findings(std::move(done)));
}

void find_files(Lookups& lookups, uid_t account, const std::vector<SoughtFile>& files, FoundAll done)
{
    lookups.ask(account, file_request(files), as_findings(std::move(done)));
}

void inspect(Lookups& lookups, uid_t account, const ProcessIdentity& process, std::function<void(ProcessFacts)> done)
{
    lookups.ask(account, process_request(process.pid, process.start),
                [done = std::move(done)](const std::vector<LookupReply>& replies) { done(facts_of(replies.front())); });
}

void find_person(Lookups& lookups, uid_t uid, std::function<void(Result<Person>)> done)
{
    lookups.ask(uid, person_request(uid),
                [done = std::move(done)](const std::vector<LookupReply>& replies) { done(person_of(replies.front())); });
}

} // namespace tacet
