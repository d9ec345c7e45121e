// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/permissions.h"

#include <algorithm>
#include <stdexcept>

namespace tacet {
namespace {

constexpr std::string_view label_remove = "org.tacet.tacet1.label-remove";
constexpr std::string_view label_others = "org.tacet.tacet1.label-others";
constexpr std::string_view answer = "org.tacet.tacet1.answer";
constexpr std::string_view rule = "org.tacet.tacet1.rule";
constexpr std::string_view rule_others = "org.tacet.tacet1.rule-others";
constexpr std::string_view pause = "org.tacet.tacet1.pause";
constexpr std::string_view session = "org.tacet.tacet1.session";
constexpr std::string_view resume = "org.tacet.tacet1.resume";

constexpr std::array<Permission, 14> table{{
    // Marking one's own files only adds protection: it must work without polkit too.
    {"Labels.Add", {"", "", label_others}},
    {"Labels.Remove", {label_remove, label_remove, label_others}},
    // As with marking: to be asked more needs no permission, to be asked less does.
    {"Labels.Guard", {"", label_remove, label_others}},
    {"Breaches.Answer", {answer, rule, rule_others}},
    // Anybody may offer to be asked; who is asked is decided at each question.
    {"Breaches.RegisterAgent", {"", "", ""}},
    {"Breaches.UnregisterAgent", {"", "", ""}},
    {"Rules.Add", {rule, rule, rule_others}},
    {"Rules.Remove", {rule, rule, rule_others}},
    {"Protection.Pause", {pause, pause, pause}},
    {"Protection.Resume", {resume, resume, resume}},
    {"Sessions.Start", {session, session, session}},
    // One's own session may be ended from anywhere.
    {"Sessions.End", {"", "", ""}},
    {"Sessions.EndAll", {"", "", ""}},
    {"Sessions.Keep", {"", "", ""}},
}};

std::string_view action_for(std::string_view method, Reach reach)
{
    const auto found = std::ranges::find(table, method, &Permission::method);
    if (found == table.end())
        throw std::logic_error("method without a permission: " + std::string(method));
    return found->actions[static_cast<std::size_t>(reach)];
}

} // namespace

std::span<const Permission> permissions()
{
    return table;
}

void Gate::pass(const Caller& caller, std::string_view method, Reach reach, std::function<void(Result<void>)> done)
{
    const std::string_view action = action_for(method, reach);
    if (action.empty() || caller.is_root()) {
        done({});
        return;
    }
    authority_.check(caller, action, [done = std::move(done)](bool allowed) {
        done(allowed ? Result<void>() : Error{ErrorCode::AccessDenied, "not authorized"});
    });
}

} // namespace tacet
