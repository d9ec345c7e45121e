/* SPDX-License-Identifier: GPL-2.0-only */
/* Entry of every call of a task under the hook. */
#ifndef _TACET_ENGINE_DISPATCH_H
#define _TACET_ENGINE_DISPATCH_H

#include <linux/types.h>

struct pt_regs;
struct tacet_task;

/* True: the call has been dealt with and @result is its result; false: the kernel runs it. */
bool tacet_dispatch_enter(struct tacet_task *context, struct pt_regs *regs, long *result);

#endif
