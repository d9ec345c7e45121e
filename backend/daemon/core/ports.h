// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the bus that services need, as interfaces that tests replace.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "common/result.h"
#include "daemon/core/caller.h"
#include "daemon/core/question.h"

namespace tacet {

template <typename T>
using Reply = std::function<void(Result<T>)>;

// These are shown by the dialog that asks for a password. "polkit.message" takes the place of the action's own words.
using Details = std::map<std::string, std::string>;

// The interface to polkit.
class Authority {
public:
    virtual ~Authority() = default;
    // This may ask the person for a password. So done is called at any later time, or at once.
    virtual void check(const Caller& caller, std::string_view action, Details details, std::function<void(bool)> done) = 0;
};

// The apps that show questions.
class Agents {
public:
    virtual ~Agents() = default;
    virtual Result<void> add(const Caller& caller, const std::string& path) = 0;
    virtual void remove(const Caller& caller) = 0;
    virtual bool present(uid_t owner) = 0;
    virtual bool any_present() = 0;
    virtual void ask(const Question& question) = 0;
    // reason is "answered", "rule", "expired" or "gone".
    virtual void withdraw(uid_t owner, QuestionId id, std::string_view reason) = 0;

    // An agent registered, or its session became the active one. Open questions must be asked.
    std::function<void(uid_t owner)> on_arrived;
    std::function<void(uid_t owner)> on_left;
};

// The contract's signals.
class Signals {
public:
    virtual ~Signals() = default;
    virtual void labels_changed(uid_t owner) = 0;
    virtual void breaches_changed(uid_t owner) = 0;
    virtual void rules_changed(uid_t owner) = 0;
    virtual void log_added(uid_t owner, std::uint64_t id) = 0;
    virtual void protection_changed() = 0;
    virtual void sessions_changed(uid_t owner) = 0;
};

} // namespace tacet
