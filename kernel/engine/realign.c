// SPDX-License-Identifier: GPL-2.0-only
/*
 * The halves have come to different calls. One of them makes a write that the other does not make, as
 * in a search without a match. A write that only the original makes counts as derived. A write that
 * only the doppelganger makes is dropped. Then both go on with the next call that they have in common.
 *
 * Calls that change what both halves see of the system cannot be left out. That could tell the
 * doppelganger of the secret.
 */
#include "base/blob.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "engine/realign.h"
#include "engine/repeat.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"

/* After more calls in a row that only one of the halves made, the pair is given up. */
#define APART_MAX 64

/* Drops a write that only the doppelganger makes. It is told that all of it was written. */
static long drop_output(struct tacet_entry *entry)
{
	struct tacet_blob *in = &entry->context->scratch;
	int error;

	tacet_blob_reset(in);
	error = tacet_marshal_in(entry->call, entry->args, in);
	return error ? error : in->payload_length;
}

/*
 * Leaves out a step that only the original made. The original may be waiting for the comparison.
 * Returns false if the doppelganger has to die.
 */
static bool pass_over(struct tacet_task *context, struct tacet_step *step)
{
	struct tacet_ring *ring = context->ring;
	bool comes_again;

	if (smp_load_acquire(&step->stage) == TACET_STAGE_ISSUED) {
		step->equal = false;
		step->scrubbed = NULL;
		tacet_ring_set_stage(ring, step, TACET_STAGE_COMPARED);
		if (!tacet_ring_wait_completed(ring, step))
			return false;
	}
	comes_again = tacet_is_restart(step->result);
	tacet_ring_consume(ring);
	ring->passed++;
	return comes_again || tacet_turn_pass_over(context);
}

bool tacet_realign(struct tacet_entry *entry, struct tacet_step *step, long *result)
{
	struct tacet_ring *ring = entry->context->ring;
	unsigned int flags = tacet_call_lookup(step->number)->flags;
	bool drops = entry->call->flags & TACET_CALL_WRITES;
	bool passes = flags & (TACET_CALL_WRITES | TACET_CALL_ASKS | TACET_CALL_TIME);

	/*
	 * If either half could have left out a write, an output that would be asked about waits for the
	 * doppelganger.
	 */
	if (drops && step->goes_outside)
		passes = false;
	if (++ring->apart > APART_MAX) {
		*result = tacet_repeat_diverge(entry, "calls-differ");
	} else if (entry->call->flags & TACET_CALL_TIME) {
		ring->dropped++;
		*result = TACET_PASS;
	} else if (passes) {
		if (pass_over(entry->context, step))
			return false;
		*result = tacet_task_die();
	} else if (drops) {
		ring->dropped++;
		*result = drop_output(entry);
	} else {
		*result = tacet_repeat_diverge(entry, "calls-differ");
	}
	return true;
}
