// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/gate.h"

#include <algorithm>
#include <stdexcept>

namespace tacet {

std::string_view Gate::action_for(std::string_view method, Reach reach) const
{
    const auto found = std::ranges::find(permissions_, method, &Permission::method);
    if (found == permissions_.end())
        throw std::logic_error("method without a permission: " + std::string(method));
    return found->actions[static_cast<std::size_t>(reach)];
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
