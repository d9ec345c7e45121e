// SPDX-License-Identifier: GPL-2.0-only
/* Makes system calls in the current task. */
#include "base/symbol.h"
#include "call/entry.h"
#include "call/run.h"

long tacet_run_other(unsigned int number, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	struct pt_regs regs = *current_pt_regs();

	regs.orig_ax = number;
	regs.ax = -ENOSYS;
	regs.di = a;
	regs.si = b;
	regs.dx = c;
	regs.r10 = d;
	return static_call(tacet_system_call)(&regs, number);
}

long tacet_run(const struct tacet_entry *entry)
{
	struct pt_regs *regs = entry->regs, shortened;
	unsigned int number = regs->orig_ax;

	/* The program must find its registers as they were, so a shortened length goes into a copy. */
	if (entry->args[2] != regs->dx) {
		shortened = *regs;
		shortened.dx = entry->args[2];
		regs = &shortened;
	}
	return static_call(tacet_system_call)(regs, number);
}
