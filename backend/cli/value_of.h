// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <utility>

#include "common/result.h"

namespace tacet::cli {

// Throws std::runtime_error with the message of a failure.
template <typename Value>
Value value_of(Result<Value> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

} // namespace tacet::cli
