// SPDX-License-Identifier: GPL-2.0-only
/* Calls that each half makes on its own. For threads that take turns they are replayed. */
#include "base/blob.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/local.h"
#include "engine/ops.h"
#include "engine/repeat.h"
#include "engine/step.h"
#include "pair/futex.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"

bool tacet_local_gather(const struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;

	if (!context->scratch_kept)
		context->scratch_kept = !tacet_futex_gather(entry, &context->scratch);
	return context->scratch_kept;
}

/* This is for threads that take turns: the doppelganger gets the result. */
static long original_local(struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	struct tacet_step *step;
	long result;

	if (!tacet_turn_taken(context) || !(entry->call->flags & TACET_CALL_TURNS))
		return TACET_PASS;
	/* The kernel writes the owner's number into such locks, and the doppelganger's threads have other numbers. */
	if (tacet_futex_lends_priority(entry)) {
		tacet_pair_taint(entry->pair, "lock-with-priority");
		return TACET_LOST;
	}
	step = tacet_step_begin(entry);
	if (!step)
		return TACET_LOST;
	if (!tacet_local_gather(entry) ||
	    tacet_blob_append(&step->in, context->scratch.data, context->scratch.length)) {
		tacet_pair_taint(entry->pair, "no-memory");
		return TACET_LOST;
	}
	if (tacet_futex_waits(entry))
		tacet_ring_urge(context->ring);
	result = tacet_run(entry);
	context->scratch_kept = tacet_is_restart(result);
	return tacet_step_finish(entry, step, result);
}

static long doppelganger_local(struct tacet_entry *entry, struct tacet_step *step)
{
	if (tacet_blob_equal(&entry->context->scratch, &step->in))
		return step->result;
	return tacet_repeat_diverge(entry, "locks-differ");
}

const struct tacet_call_ops tacet_local_ops = {
	.original = original_local,
	.doppelganger = doppelganger_local,
};
