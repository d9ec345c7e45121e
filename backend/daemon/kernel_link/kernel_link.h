// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel module as the daemon sees it; DeviceLink is the real one.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <variant>

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
};

struct KernelPolicy {
    std::chrono::milliseconds question_timeout{60'000};
    std::chrono::milliseconds barrier_timeout{3'000};
};

inline constexpr std::size_t guarded_max = 60;

// For this flow, or for the process to the same peer; FlowFile and File: where it sends of the same file.
enum class CacheScope { Flow, Process, File, FlowFile };

struct CachedVerdict {
    QuestionId question = 0;
    Verdict verdict = Verdict::Block;
    CacheScope scope = CacheScope::Flow;
    BootTime until{}; // zero: ends with its scope
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

// A question as the kernel tells it: without what /proc, the index and the rules add.
struct Asked {
    Question question;
};
// Blocked unasked: no reader, or timed out.
struct Missed {
    Question question;
};
using KernelEvent = std::variant<Asked, Missed, Notice>;

class KernelLink {
public:
    virtual ~KernelLink() = default;

    virtual ModuleState state() const = 0;
    virtual KernelFeatures features() = 0;

    // The regular file behind an O_PATH descriptor, for reading: whoever does it is not watched for it.
    virtual Result<UniqueFd> open_file(int path) = 0;

    // file: from open_file(). shadow: fd of the shadow file, or -1. The empty label unmarks.
    virtual Result<void> set_label(int file, const Label& label, int shadow) = 0;
    // Arms the label that the inode carries; returns NotLabelled when it carries none.
    virtual Result<void> keep_label(int file, int shadow) = 0;
    virtual Result<Label> get_label(int file) = 0;

    virtual Result<void> answer(const CachedVerdict& verdict) = 0;
    virtual Result<void> set_policy(const KernelPolicy& policy) = 0;
    virtual Result<void> flush() = 0;
    // Changes to files with one of these are asked about. TooMany above guarded_max.
    virtual Result<void> set_guarded(const std::vector<CategoryId>& categories) = 0;

    std::function<void(const KernelEvent&)> on_event;
    std::function<void(ModuleState)> on_state;
};

} // namespace tacet
