// SPDX-License-Identifier: GPL-3.0-or-later
// A question in the form of the contract.
#pragma once

#include "daemon/bus/dictionary.h"
#include "daemon/core/question.h"

namespace tacet {

Dictionary to_bus(const Question& question);

} // namespace tacet
