// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two have come to different calls: one of them writes what the other does
 * not, as a search without a match does. What only the original writes counts as
 * derived; what only the doppelganger writes is dropped; then both go on with the
 * next call that they have in common. Calls that change what both see of the
 * system cannot be left out: that could tell the doppelganger of the secret.
 */
#include "base/blob.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "engine/doppelganger.h"
#include "engine/realign.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"

/* Calls in a row that only one of them made, before they are given up. */
#define APART_MAX 64

bool tacet_realign_only_writes(unsigned int number)
{
	switch (number) {
	case __NR_write:
	case __NR_pwrite64:
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
	case __NR_sendto:
	case __NR_sendmsg:
		return true;
	}
	return false;
}

bool tacet_realign_asks_the_time(unsigned int number)
{
	return number == __NR_clock_gettime || number == __NR_gettimeofday || number == __NR_time;
}

/* Asks the kernel and changes nothing: who did not ask misses nothing, as buffers that are made at the first write. */
static bool only_asks(unsigned int number)
{
	switch (number) {
	case __NR_stat:
	case __NR_fstat:
	case __NR_lstat:
	case __NR_newfstatat:
	case __NR_statx:
	case __NR_access:
	case __NR_faccessat:
	case __NR_faccessat2:
		return true;
	}
	return tacet_realign_asks_the_time(number);
}

/* The doppelganger's own: it is told that all of it was written. */
static long drop_output(struct tacet_entry *entry)
{
	struct tacet_blob *in = &entry->context->scratch;
	int error;

	tacet_blob_reset(in);
	error = tacet_marshal_in(entry->call, entry->args, in);
	return error ? error : in->payload_length;
}

/* The original's own, which may be waiting to be compared. False: the doppelganger has to die. */
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
	bool drops = tacet_realign_only_writes(entry->number);
	bool passes = tacet_realign_only_writes(step->number) || only_asks(step->number);

	/* Where it could be either, what would be asked about waits for its double. */
	if (drops && step->goes_outside)
		passes = false;
	if (++ring->apart > APART_MAX) {
		*result = tacet_doppelganger_diverge(entry, "calls-differ");
	} else if (tacet_realign_asks_the_time(entry->number)) {
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
		*result = tacet_doppelganger_diverge(entry, "calls-differ");
	}
	return true;
}
