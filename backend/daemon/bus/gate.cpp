// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/gate.h"

#include <stdexcept>

#include "contract/methods.h"

namespace tacet {

void Gate::pass(const Caller& caller, const contract::Method& method, Reach reach, std::function<void(Result<void>)> done,
                Details details)
{
    if (!method.changes)
        throw std::logic_error("no permission is needed for " + std::string(method.name));
    const std::string_view action = method.actions[static_cast<std::size_t>(reach)];
    if (action.empty() || caller.is_root()) {
        done({});
        return;
    }
    authority_.check(caller, action, std::move(details), [done = std::move(done)](bool allowed) {
        done(allowed ? Result<void>() : Error{ErrorCode::AccessDenied, "not authorized"});
    });
}

} // namespace tacet
