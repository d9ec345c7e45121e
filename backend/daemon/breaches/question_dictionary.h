// SPDX-License-Identifier: GPL-3.0-or-later
// A question in the form of the contract.
#pragma once

#include "daemon/bus/dictionary.h"
#include "daemon/core/question.h"

namespace tacet {

Dictionary to_bus(const Question& question);
// As the contract counts the time of an end.
std::uint64_t microseconds(BootTime time);

} // namespace tacet
