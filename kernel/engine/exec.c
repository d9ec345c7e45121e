// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process becomes another program. Its doppelganger ends with the old one. The new program gets a
 * doppelganger of its own only if its arguments or environment differ. Otherwise none of the data that
 * was read lives on in it.
 */
#include <linux/binfmts.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/blob.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/exec.h"
#include "engine/intake.h"
#include "engine/ops.h"
#include "engine/step.h"
#include "engine/unwatch.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"

#define STRINGS_MAX (4 << 20)

/* Appends the strings of a NULL-terminated vector. Returns 0 or -errno. */
static int append_vector(struct tacet_blob *blob, const char __user *const __user *vector)
{
	const char __user *string;
	long length;
	int error = 0;

	while (vector && !error) {
		if (get_user(string, vector++))
			return -EFAULT;
		if (!string)
			break;
		length = strnlen_user(string, MAX_ARG_STRLEN);
		if (!length)
			return -EFAULT;
		if (blob->length + length > STRINGS_MAX)
			return -E2BIG;
		error = tacet_blob_append_user(blob, string, length);
	}
	return error;
}

static int gather_strings(const struct tacet_entry *entry, struct tacet_blob *blob)
{
	unsigned int first = entry->number == __NR_execveat ? 2 : 1;
	int error = append_vector(blob, (const char __user *const __user *)entry->args[first]);

	return error ?: append_vector(blob, (const char __user *const __user *)entry->args[first + 1]);
}

/*
 * The program has no doppelganger. A watched one is let go when it holds nothing to watch, as labelled
 * files raise events by themselves.
 */
static long unpaired_exec(struct tacet_entry *entry)
{
	long result = tacet_run(entry);

	if (!result)
		tacet_pair_forget_scrubbed(entry->pair);
	if (!result && tacet_pair_state(entry->pair) == TACET_PAIR_WATCH && !tacet_intake_possible())
		tacet_unwatch_current(entry->context);
	return result;
}

static struct tacet_pair *pair_of_program(struct tacet_pair *old, struct tacet_step *step)
{
	enum tacet_pair_state state = step->equal ? TACET_PAIR_WATCH : TACET_PAIR_WANT;
	struct tacet_pair *pair = tacet_pair_inherit(old, state, GFP_KERNEL);
	struct tacet_blob *strings;

	if (!pair)
		return NULL;
	tacet_pair_forget_scrubbed(pair);
	if (step->equal)
		return pair;
	strings = kzalloc(sizeof(*strings), GFP_KERNEL);
	if (!strings)
		goto put_pair;
	tacet_blob_init(strings);
	pair->exec_strings = strings;
	if (tacet_blob_append(strings, step->scrubbed->data, step->scrubbed->length))
		goto put_pair;
	pair->reason_said = false;
	return pair;

put_pair:
	tacet_pair_put(pair);
	return NULL;
}

/*
 * The contexts of a process's threads hang on their task. An exec in a thread gives it the leader's
 * number but keeps its task, so nothing else changes.
 */
static long original_exec(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_step_begin(entry);
	struct tacet_pair *pair;
	long result;
	int error;

	if (!step)
		return TACET_LOST;
	error = gather_strings(entry, &entry->context->ring->output);
	if (error && error != -EFAULT) {
		tacet_pair_taint(entry->pair, "arguments-too-large");
		return TACET_LOST;
	}
	step->stage = TACET_STAGE_ISSUED;
	tacet_ring_publish(entry->context->ring);
	if (!tacet_ring_wait_compared(entry->context->ring, step))
		return TACET_LOST;
	pair = pair_of_program(entry->pair, step);
	result = pair ? tacet_run(entry) : -ENOMEM;
	if (result) {
		if (pair)
			tacet_pair_put(pair);
		return tacet_step_finish_compared(entry, step, result);
	}
	tacet_task_leave_pair(entry->context, pair);
	if (tacet_pair_state(pair) == TACET_PAIR_WATCH && !tacet_intake_possible())
		tacet_unwatch_current(entry->context);
	return result;
}

static long doppelganger_exec(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_ring *ring = entry->context->ring;
	struct tacet_blob *strings = &ring->doppelganger_output;

	if (gather_strings(entry, strings))
		tacet_blob_reset(strings);
	step->equal = tacet_blob_equal(strings, &ring->output);
	step->scrubbed = strings;
	tacet_ring_set_stage(ring, step, TACET_STAGE_COMPARED);
	return tacet_ring_wait_completed(ring, step) ? step->result : tacet_task_die();
}

const struct tacet_call_ops tacet_exec_ops = {
	.original = original_exec,
	.doppelganger = doppelganger_exec,
	.watched = unpaired_exec,
	.tainted = unpaired_exec,
};
