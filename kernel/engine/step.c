// SPDX-License-Identifier: GPL-2.0-only
/* The original's calls become steps of the ring. */
#include <linux/mutex.h>
#include <linux/sched/signal.h>

#include "base/blob.h"
#include "base/counter.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/step.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"

struct tacet_step *tacet_step_begin(struct tacet_entry *entry)
{
	struct tacet_step *step;

	/* The thread may come from a call that began before its process was under the hook. */
	if (!entry->context->ring) {
		tacet_pair_taint(entry->pair, "thread-without-double");
		return NULL;
	}
	step = tacet_ring_reserve(entry->context->ring);
	if (!step)
		return NULL;
	step->number = entry->number;
	memcpy(step->args, entry->args, sizeof(step->args));
	tacet_counter_add(TACET_COUNTER_EVENTS);
	return step;
}

long tacet_step_finish(struct tacet_entry *entry, struct tacet_step *step, long result)
{
	struct tacet_task *context = entry->context;

	context->interrupted = tacet_is_restart(result);
	if (context->interrupted) {
		/* Nothing has happened yet: the call comes again, or a signal cuts it off. */
		tacet_ring_abandon(step);
		context->interrupted_number = entry->number;
		context->interrupted_result = result;
		context->interrupted_step = step;
		return result;
	}
	step->result = result;
	step->signal_follows = task_sigpending(current);
	tacet_ring_publish_lazily(context->ring);
	return result;
}

long tacet_step_finish_compared(struct tacet_entry *entry, struct tacet_step *step, long result)
{
	struct tacet_task *context = entry->context;

	context->interrupted = tacet_is_restart(result);
	context->interrupted_number = entry->number;
	context->interrupted_result = result;
	context->interrupted_step = NULL;
	step->result = result;
	step->signal_follows = task_sigpending(current);
	tacet_blob_reset_large(&context->ring->output);
	tacet_blob_reset_large(&context->ring->doppelganger_output);
	tacet_ring_complete_lazily(context->ring, step);
	return result;
}

long tacet_step_run_in_order(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_pair *pair = entry->pair;
	bool locks = get_nr_threads(current) > 1;
	long result;

	/* This wait ends soon, as memory calls wait for nothing but memory. */
	if (locks && mutex_lock_killable(&pair->memory_order))
		return -EINTR;
	result = tacet_run(entry);
	step->memory_ticket = ++pair->memory_issued;
	if (locks)
		mutex_unlock(&pair->memory_order);
	return result;
}

long tacet_step_answer(struct tacet_entry *entry, long result)
{
	struct tacet_step *step = tacet_step_begin(entry);

	return step ? tacet_step_finish(entry, step, result) : TACET_LOST;
}
