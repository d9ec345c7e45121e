// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's records turned into the daemon's types, with nothing trusted about their sizes and strings.
#pragma once

#include <optional>
#include <span>

#include <tacet.h>

#include "daemon/kernel_link/kernel_link.h"

namespace tacet {

// The next record, which is taken off data; nothing when what is left is no whole record or of an unknown type.
std::optional<KernelEvent> take_event(std::span<const char>& data);

Label from_kernel(const tacet_label& label);
// label must not have more than TACET_LABEL_MAX categories.
tacet_label to_kernel(const Label& label);
tacet_verdict to_kernel(const CachedVerdict& verdict);
tacet_policy to_kernel(const KernelPolicy& policy);

} // namespace tacet
