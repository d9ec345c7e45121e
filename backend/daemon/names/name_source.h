// SPDX-License-Identifier: GPL-3.0-or-later
// The source of names for addresses, as an interface that tests replace.
#pragma once

#include <functional>

#include "daemon/names/learned_names.h"

namespace tacet {

class NameSource {
public:
    virtual ~NameSource() = default;
    // Tells whether the DNS is seen now.
    virtual bool watching() const = 0;
    // Calls done within a moment, when every name from before this call has been delivered. A program sends as soon as it has
    // its answer. done may be called at once.
    virtual void catch_up(std::function<void()> done) = 0;

    std::function<void(const LearnedName&)> on_learned;
    std::function<void()> on_state;
};

} // namespace tacet
