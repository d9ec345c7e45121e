// SPDX-License-Identifier: GPL-3.0-or-later
// The words of an answer: what happens, and for how long. They are spelled as in the D-Bus contract.
#pragma once

#include "contract/codes.h"

namespace tacet {

// The verdicts are in the order of precedence between two rules that are alike, the stricter one first. With Takeover the
// doppelganger takes the original's place, and the process goes on with scrubbed data.
using contract::Duration;
using contract::parse_duration;
using contract::parse_verdict;
using contract::to_string;
using contract::Verdict;

} // namespace tacet
