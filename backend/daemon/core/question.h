// SPDX-License-Identifier: GPL-3.0-or-later
// A question: an output of a process that may carry sensitive data, or a change to a guarded file. It waits for a verdict.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.h"
#include "contract/codes.h"
#include "daemon/core/label.h"

namespace tacet {

using QuestionId = std::uint64_t;

// With Sink::Marked nothing is sent, and the guarded file itself is about to change.
using contract::Sink;
using contract::to_string;

struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    auto operator<=>(const FileIdentity&) const = default;
};

// A process for as long as it lives. A pid is used again, but a pid with its start is not.
struct ProcessIdentity {
    pid_t pid = 0;
    BootTime start{};
    auto operator<=>(const ProcessIdentity&) const = default;
};

struct Question {
    QuestionId id = 0;
    UnixTime time = 0;
    BootTime deadline{};

    ProcessIdentity process;
    uid_t uid = 0;   // the process's user
    uid_t owner = 0; // the person who is asked
    std::string executable;
    std::vector<std::string> command;
    std::string comm;
    std::string parent;
    std::string fingerprint;     // of the executable file
    bool binary_changed = false; // since the last answer

    FileIdentity origin;
    std::string file;
    std::vector<std::string> chain; // programs that the data came through to this one; the first read the file
    Label label;
    std::vector<std::string> categories;
    // The label has no more than the file's own. So a rule about the file covers all that would be sent.
    bool label_within_file = false;

    Sink sink = Sink::Network;
    std::string address;
    std::string host;                       // the name that is shown, or the address without one
    std::vector<std::string> learned_names; // names by which the address was asked for lately, if host is one of them
    bool names_complete = true;             // false: there were more
    std::uint16_t port = 0;                 // 0 for a client that connected to this machine
    std::string protocol;
    std::string target;

    bool tainted = false;
    bool can_take_over = false;
    bool removes = false;    // Sink::Marked: the file would be removed or replaced
    bool in_session = false; // from a private session: nothing of the question is written down
    std::uint64_t length = 0;
    std::uint64_t scrubbed_length = 0;
    std::vector<std::uint8_t> preview;
    std::vector<std::uint8_t> scrubbed_preview;
    std::uint64_t calls_equal = 0;
    std::uint64_t calls_total = 0;
    std::uint64_t calls_realigned = 0; // of them, those that only one of the halves made
};

// The person who is asked about a process is its user. For a system user (root, www-data) it is the owner of the labelled
// file. The data is that person's, and no one sits before a system user's screen. The owner of a guarded file decides about
// changes to it.
bool is_person(uid_t uid);
uid_t question_owner(Sink sink, uid_t process_user, uid_t file_owner);

} // namespace tacet
