// SPDX-License-Identifier: GPL-2.0-only
/* Makes system calls in the current task. */
#include <linux/audit.h>
#include <linux/thread_info.h>

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

void tacet_run_tell(struct tacet_entry *entry)
{
	struct pt_regs *regs = entry->regs;

	if (!entry->untold)
		return;
	entry->untold = false;
	if (test_syscall_work(SYSCALL_TRACEPOINT))
		tacet_trace_entry(tacet_symbols.sys_enter, regs, regs->orig_ax);
	if (test_syscall_work(SYSCALL_AUDIT) && audit_context())
		static_call(tacet_audit_entry)(regs->orig_ax, regs->di, regs->si, regs->dx, regs->r10);
}

long tacet_run(struct tacet_entry *entry)
{
	struct pt_regs *regs = entry->regs, shortened;
	unsigned int number = regs->orig_ax;

	tacet_run_tell(entry);
	/* The program must find its registers as they were, so a shortened length goes into a copy. */
	if (entry->args[2] != regs->dx) {
		shortened = *regs;
		shortened.dx = entry->args[2];
		regs = &shortened;
	}
	return static_call(tacet_system_call)(regs, number);
}
