// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that see passwords and keys are chosen for the person, each once: what the person takes off the list stays off.
#pragma once

#include "base/memorypolicy.h"
#include "base/secretprograms.h"

namespace Tacet::FirstChoice {

// Returns the paths of the known programs that are to be chosen now, and keeps that they were. Nothing when that cannot be kept.
QStringList take(const QList<SecretProgram> &known, const MemoryPolicy &policy);

} // namespace Tacet::FirstChoice
