// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel module as the daemon sees it; DeviceLink is the real one.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "common/result.h"
#include "common/unique_fd.h"
#include "contract/codes.h"
#include "daemon/core/label.h"
#include "daemon/core/question.h"
#include "daemon/core/verdict.h"

namespace tacet {

using contract::ModuleState;

struct KernelFeatures {
    bool labels = false;
    bool interposition = false;
    bool doppelgangers = false;
    bool channels = false;
    bool sessions = false;
    bool objects = false;
};

struct KernelPolicy {
    std::chrono::milliseconds question_timeout{60'000};
    std::chrono::milliseconds barrier_timeout{3'000};
};

// Whose freed memory is cleared, and which. programs are paths of executables.
struct MemoryPolicy {
    contract::MemoryScope scope = contract::MemoryScope::Off;
    std::vector<contract::MemoryLayer> layers;
    std::vector<std::string> programs;
};

inline constexpr std::size_t guarded_max = 60;

// The verdict holds for this flow, or for the process and the same peer. With FlowFile and File it holds if the data is of the
// same file.
enum class CacheScope { Flow, Process, File, FlowFile };

struct CachedVerdict {
    QuestionId question = 0;
    Verdict verdict = Verdict::Block;
    CacheScope scope = CacheScope::Flow;
    BootTime until{}; // zero if it ends with its scope
};

enum class NoticeKind { Withdrawn, Labelled, Stale, Tainted, Refused, Lost };

struct Notice {
    NoticeKind kind = NoticeKind::Withdrawn;
    std::uint64_t id = 0;
    pid_t pid = 0;
    uid_t uid = 0;
    FileIdentity file;
    Label label;
    std::string comm;
    std::string reason;
    std::string path;
};

// A question as the kernel reports it, without the facts that /proc, the index and the rules add.
struct Asked {
    Question question;
};
// A question that was blocked unasked: there was no reader, or it timed out.
struct Missed {
    Question question;
};
using KernelEvent = std::variant<Asked, Missed, Notice>;

class KernelLink {
public:
    virtual ~KernelLink() = default;

    virtual ModuleState state() const = 0;
    virtual KernelFeatures features() = 0;

    // Tells whether there are events that nobody has taken yet.
    virtual bool has_events() = 0;

    // Opens the regular file behind an O_PATH descriptor for reading. The reader is not watched for it.
    virtual Result<UniqueFd> open_file(int path) = 0;

    // file: from open_file(). shadow: fd of the shadow file, or -1. The empty label removes the label.
    virtual Result<void> set_label(int file, const Label& label, int shadow) = 0;
    // Brings the label that the inode carries into force. Returns NotLabelled if it carries none.
    virtual Result<void> keep_label(int file, int shadow) = 0;
    virtual Result<Label> get_label(int file) = 0;

    virtual Result<void> answer(const CachedVerdict& verdict) = 0;
    // Moves the deadline of an open question, as far as the kernel grants it. Returns the one in force.
    virtual Result<BootTime> extend(QuestionId question, BootTime deadline) = 0;
    virtual Result<void> set_policy(const KernelPolicy& policy) = 0;
    virtual Result<void> flush() = 0;
    // The kernel asks about changes to files with one of these. Returns TooMany above guarded_max.
    virtual Result<void> set_guarded(const std::vector<CategoryId>& categories) = 0;

    // Says whose freed memory is cleared. Returns TooMany if the paths are too long together.
    virtual Result<void> set_memory(const MemoryPolicy& policy) = 0;
    // Makes a random tag for stamps in memory.
    virtual Result<std::uint64_t> make_tag() = 0;
    // Counts the stamps with each of these tags. It takes seconds, and done is called later.
    virtual void count_stamps(const std::vector<std::uint64_t>& tags,
                              std::function<void(Result<std::vector<std::uint64_t>>)> done) = 0;

    std::function<void(const KernelEvent&)> on_event;
    std::function<void(ModuleState)> on_state;
};

} // namespace tacet
