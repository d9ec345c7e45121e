// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the kernel's records into the daemon's types, and trusts nothing about their sizes and strings.
#pragma once

#include <optional>
#include <span>

#include <tacet.h>

#include "daemon/kernel_link/kernel_link.h"

namespace tacet {

// Takes the next record off data. Returns nothing if the rest is no whole record, or one of an unknown type.
std::optional<KernelEvent> take_event(std::span<const char>& data);

Label from_kernel(const tacet_label& label);
// label must not have more than TACET_LABEL_MAX categories.
tacet_label to_kernel(const Label& label);
tacet_verdict to_kernel(const CachedVerdict& verdict);
tacet_policy to_kernel(const KernelPolicy& policy);

} // namespace tacet
