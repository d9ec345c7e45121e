/* SPDX-License-Identifier: GPL-2.0-only */
/* Every call of a task under the hook enters here. */
#ifndef _TACET_ENGINE_DISPATCH_H
#define _TACET_ENGINE_DISPATCH_H

#include <linux/types.h>

struct pt_regs;
struct tacet_task;

/* Returns true if the call has been dealt with and @result is its result. With false the kernel runs the call. */
bool tacet_dispatch_enter(struct tacet_task *context, struct pt_regs *regs, long *result);
/* Tells the doppelganger of a call that a filter of the program's own answered. The call is not made. */
void tacet_dispatch_answered(struct tacet_task *context, struct pt_regs *regs);

#endif
