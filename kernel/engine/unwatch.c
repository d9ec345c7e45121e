// SPDX-License-Identifier: GPL-2.0-only
/* Ends the watching of a process. */
#include <linux/sched/signal.h>

#include "call/entry.h"
#include "engine/intake.h"
#include "engine/unwatch.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"

/* This many calls lie between two checks whether a watched process still has to be watched. */
#define LAPSE_INTERVAL 64

bool tacet_unwatch_possible(const struct tacet_entry *entry)
{
	return entry->context->entries % LAPSE_INTERVAL == 0 && get_nr_threads(current) == 1 &&
	       !entry->pair->scrubbed && !tacet_intake_possible();
}

bool tacet_unwatch_current(struct tacet_task *context)
{
	tacet_task_detach(context);
	/*
	 * A writer that found the task under the hook had put its channel in before, so the check below
	 * sees it. A later writer puts the task under the hook again.
	 */
	smp_mb();
	if (!tacet_intake_possible() || !tacet_watch_task(current, TACET_PAIR_WATCH))
		return true;
	/* The restart of the call needs work at the exit. */
	set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
	return false;
}
