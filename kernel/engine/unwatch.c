// SPDX-License-Identifier: GPL-2.0-only
/* The watching of a process ends. */
#include <linux/sched/signal.h>

#include "call/entry.h"
#include "channel/channel.h"
#include "engine/unwatch.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"

/* Calls between two looks at whether a watched process still has to be. */
#define LAPSE_INTERVAL 64

bool tacet_unwatch_possible(const struct tacet_entry *entry)
{
	return entry->context->entries % LAPSE_INTERVAL == 0 && get_nr_threads(current) == 1 &&
	       !entry->pair->scrubbed && !tacet_channel_held();
}

bool tacet_unwatch_current(struct tacet_task *context)
{
	tacet_task_detach(context);
	/* A writer that found it under the hook has put the channel in before; one that did not comes to see it. */
	smp_mb();
	if (!tacet_channel_held() || !tacet_watch_task(current, TACET_PAIR_WATCH))
		return true;
	/* For the restart of the call. */
	set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
	return false;
}
