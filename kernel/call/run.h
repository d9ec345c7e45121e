/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes system calls in the current task. */
#ifndef _TACET_CALL_RUN_H
#define _TACET_CALL_RUN_H

#include "call/entry.h"

/* Makes the call itself, with the arguments of @entry. */
long tacet_run(struct tacet_entry *entry);
/*
 * Tells tracers and audit of the call, once. The kernel does so behind the hook, where a call that the
 * module makes or refuses does not come.
 */
void tacet_run_tell(struct tacet_entry *entry);
/* Makes another call on behalf of the current task. */
long tacet_run_other(unsigned int number, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

#endif
