// SPDX-License-Identifier: GPL-2.0-only
/* Which memory of programs that are in no session is cleared. The policy sets it. */
#include "memory/layer.h"

u32 tacet_memory_layers = TACET_LAYERS_ALL;
