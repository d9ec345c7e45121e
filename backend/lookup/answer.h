// SPDX-License-Identifier: GPL-3.0-or-later
// Answers one request of tacetd.
#pragma once

#include <functional>

#include "common/lookup_message.h"

namespace tacet::lookup {

// send is called for each reply, in their order.
void answer(const LookupRequest& request, const std::function<void(LookupReply)>& send);

} // namespace tacet::lookup
