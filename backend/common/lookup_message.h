// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd and tacet-lookup talk by these messages. Each has words, and a reply may have a file.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "common/clock.h"
#include "common/file_key.h"
#include "common/result.h"
#include "common/unique_fd.h"

namespace tacet {

using Words = std::vector<std::string>;
using contract::Presence;

// One reply comes for each item, in their order. A look through file systems has no items, and ends with "end".
struct LookupRequest {
    std::string verb;
    Words head;
    std::vector<Words> items;
};

struct LookupReply {
    Words words;
    UniqueFd file;
};

// Each word ends with its first NUL. A damaged store may give a word that has more.
std::string to_text(const Words& words);
Words words_of(std::string_view text);
std::string to_text(const LookupRequest& request);
Result<LookupRequest> parse_lookup(std::string_view text);

// The request "paths" is about files that somebody names. They are found by a user's rights, and as a process of his sees them.
struct PathAsker {
    pid_t pid = 0;
    uid_t uid = 0;
    std::vector<gid_t> groups;
    bool with_all_rights = false; // these take the place of the user's
};
LookupRequest path_request(const PathAsker& asker, const std::vector<std::string>& paths);
PathAsker asker_of(const LookupRequest& request);

// The request "files" is about labelled files that are known.
struct SoughtFile {
    FileKey key;
    std::string path; // the place where it was seen last
    pid_t pid = 0;    // a process that had it there, for a key that is a number
};
LookupRequest file_request(const std::vector<SoughtFile>& files);
SoughtFile sought_file(const Words& item);

// This is the answer to each of both.
struct Finding {
    Presence presence = Presence::Failed; // Kept means that the file is there
    Error error{ErrorCode::Failed, "the look-up took too long"};
    FileKey key;      // has only a file system if the file is not there but may have been moved on it
    std::string path; // leads to the file now, or is empty if none is known
    UniqueFd file;    // is O_PATH
};
LookupReply to_reply(Finding finding);
Finding finding_of(LookupReply reply);

// The request "process" is about the facts that a question shows of its process.
struct ProcessFacts {
    std::vector<std::string> command;
    std::string parent;
    std::string fingerprint; // that of the executable file; changes when the file is replaced or written
};
LookupRequest process_request(pid_t pid, BootTime start);
LookupReply to_reply(const ProcessFacts& facts);
ProcessFacts facts_of(const LookupReply& reply);

// The request "person" is about an entry of the list of users.
struct Person {
    std::string name;
    gid_t group = 0;
};
LookupRequest person_request(uid_t uid);
LookupReply to_reply(const Person& person);
// Returns NotFound if there is no such user.
Result<Person> person_of(const LookupReply& reply);

// The request "labels" is about every file that carries a label. If only is true, these file systems are looked through, and
// otherwise all but these. A folder limits the look to what is in it. Each mounted file system that is looked through begins with
// "into FILE_SYSTEM" and ends with "through FILE_SYSTEM". In between come findings, and now and then "going". A finding without a
// file tells of a place that could not be looked at. "seen FILE_SYSTEM" tells of one that is mounted and not looked through.
LookupRequest label_request(const std::string& folder, bool only, const std::vector<std::string>& file_systems);

} // namespace tacet
