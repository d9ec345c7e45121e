// SPDX-License-Identifier: GPL-3.0-or-later
// A question as the contract tells it.
#pragma once

#include "daemon/bus/dictionary.h"
#include "daemon/core/question.h"

namespace tacet {

Dictionary to_bus(const Question& question);

} // namespace tacet
