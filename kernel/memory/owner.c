// SPDX-License-Identifier: GPL-2.0-only
/* How many owners there are, so that nobody pays where there are none, and whose a task is. */
#include "memory/owner.h"

atomic_t tacet_owner_count = ATOMIC_INIT(0);
unsigned long tacet_owner_seen = INITIAL_JIFFIES - TACET_OWNER_AFTERMATH;
atomic_t tacet_owner_changes = ATOMIC_INIT(0);
DEFINE_PER_CPU(struct tacet_owned_task, tacet_owned_task);
