// SPDX-License-Identifier: GPL-2.0-only
/* Every call of a task under the hook enters here. */
#include <linux/thread_info.h>

#include "base/blob.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/message.h"
#include "call/run.h"
#include "engine/dispatch.h"
#include "engine/doppelganger.h"
#include "engine/original.h"
#include "pair/task.h"
#include "pair/watch.h"

#define TRANSFER_MAX ((unsigned long)TACET_BLOB_MAX / 2)

/*
 * A blob holds no more than this, and a question is about one destination. A short count is always
 * legal.
 */
static void shorten(struct tacet_entry *entry)
{
	switch (entry->number) {
	case __NR_sendmmsg:
		entry->args[2] = tacet_message_same_destination((void __user *)entry->args[1], entry->args[2]);
		break;
	case __NR_read:
	case __NR_write:
	case __NR_pread64:
	case __NR_pwrite64:
		entry->args[2] = min(entry->args[2], TRANSFER_MAX);
	}
}

/* Tracers see the original's calls. They would see a doppelganger's end, but not begin. */
static void hide_from_tracers(void)
{
	if (test_syscall_work(SYSCALL_TRACEPOINT))
		clear_task_syscall_work(current, SYSCALL_TRACEPOINT);
}

static void enter(struct tacet_entry *entry, struct tacet_task *context, struct pt_regs *regs)
{
	*entry = (struct tacet_entry){
		.context = context,
		.pair = tacet_task_pair(context),
		.regs = regs,
		.number = syscall_get_nr(current, regs),
		.untold = context->role == TACET_ROLE_ORIGINAL,
	};
	WRITE_ONCE(context->entries, context->entries + 1);
	tacet_watch_adopt(entry->pair);
	if (context->child) {
		tacet_task_put(context->child);
		context->child = NULL;
	}
	if (entry->number == __NR_restart_syscall && context->interrupted)
		entry->number = context->interrupted_number;
	entry->call = tacet_call_lookup(entry->number);
	syscall_get_arguments(current, regs, entry->args);
	shorten(entry);
}

void tacet_dispatch_answered(struct tacet_task *context, struct pt_regs *regs)
{
	struct tacet_entry entry;

	enter(&entry, context, regs);
	tacet_original_answered(&entry, regs->ax);
}

bool tacet_dispatch_enter(struct tacet_task *context, struct pt_regs *regs, long *result)
{
	struct tacet_entry entry;

	enter(&entry, context, regs);
	if (context->role == TACET_ROLE_DOPPELGANGER) {
		hide_from_tracers();
		*result = tacet_doppelganger_call(&entry);
	} else {
		*result = tacet_original_call(&entry);
	}
	if (*result == TACET_PASS)
		return false;
	tacet_run_tell(&entry);
	return true;
}
