// SPDX-License-Identifier: GPL-2.0-only
/* Calls by which a task ends or tells the kernel of its own memory. */
#include "call/entry.h"
#include "call/run.h"
#include "engine/ops.h"
#include "engine/process.h"
#include "engine/replay.h"
#include "engine/step.h"
#include "pair/ring.h"
#include "pair/task.h"

static long original_exit(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_step_begin(entry);

	entry->context->exiting = true;
	if (step)
		tacet_ring_publish(entry->context->ring);
	return TACET_PASS;
}

static long doppelganger_exit(struct tacet_entry *entry, struct tacet_step *step)
{
	entry->context->exiting = true;
	return TACET_PASS;
}

const struct tacet_call_ops tacet_process_exit_ops = {
	.original = original_exit,
	.doppelganger = doppelganger_exit,
};

static long doppelganger_sigreturn(struct tacet_entry *entry, struct tacet_step *step)
{
	return tacet_run(entry);
}

const struct tacet_call_ops tacet_process_sigreturn_ops = {
	.original = tacet_replay_original,
	.doppelganger = doppelganger_sigreturn,
};

/* Each half has a number of its own, and the doppelganger is told the original's. */
static long doppelganger_tid_address(struct tacet_entry *entry, struct tacet_step *step)
{
	tacet_run(entry);
	return step->result;
}

const struct tacet_call_ops tacet_process_tid_address_ops = {
	.original = tacet_replay_original,
	.doppelganger = doppelganger_tid_address,
};
