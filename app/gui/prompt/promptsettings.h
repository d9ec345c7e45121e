// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that the prompt remembers between questions.
#pragma once

#include "base/question.h"

namespace Tacet::PromptSettings {

Duration lastDuration();
// An Allow is not remembered: the next one must be meant as long as it is given.
void remember(const Answer &answer);

} // namespace Tacet::PromptSettings
