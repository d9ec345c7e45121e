// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that the original runs for both halves. In place of data from a labelled file, the doppelganger
 * gets scrubbed data.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/socket.h>

#include "base/labelset.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "call/run.h"
#include "channel/channel.h"
#include "engine/intake.h"
#include "engine/ops.h"
#include "engine/repeat.h"
#include "engine/replay.h"
#include "engine/step.h"
#include "label/mark.h"
#include "pair/clone.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"

static bool peeks(const struct tacet_entry *entry)
{
	return (entry->number == __NR_recvfrom && entry->args[3] & MSG_PEEK) ||
	       (entry->number == __NR_recvmsg && entry->args[2] & MSG_PEEK);
}

static long run_labelled(struct tacet_entry *entry, struct tacet_step *step, struct file *file)
{
	int error = file ? tacet_intake_reader(entry, file) : 0;

	if (error)
		return error;
	return entry->call->flags & TACET_CALL_ORDERED ? tacet_step_run_in_order(entry, step) : tacet_run(entry);
}

/*
 * The data that was read is labelled, perhaps only since the read began to wait. The doppelganger gets
 * scrubbed data.
 */
static int scrub_payload(struct tacet_entry *entry, struct tacet_step *step, struct file *file, loff_t position,
			 long result)
{
	struct tacet_labelset *set = tacet_mark_label(file);
	struct tacet_channel *channel;
	int error = 0;

	if (set) {
		error = tacet_intake_file(entry, set, file);
		tacet_labelset_put(set);
		step->file = get_file(file);
		step->position = position >= 0 ? position : file->f_pos - result;
		step->reads_shadow = true;
	} else {
		channel = tacet_channel_of_reader(file);
		if (!channel)
			return 0;
		error = tacet_intake_channel(entry, channel);
		tacet_channel_read(channel, step->out.data + step->out.payload_offset, step->out.payload_length,
				   peeks(entry));
		tacet_channel_put(channel);
	}
	return error;
}

static loff_t explicit_position(const struct tacet_entry *entry)
{
	return entry->call->flags & TACET_CALL_POSITIONED ? (loff_t)entry->args[3] : -1;
}

/* With MSG_TRUNC TCP throws data away and writes nothing, but says how much it was. */
static bool reads_nothing(const struct tacet_entry *entry)
{
	return entry->number == __NR_recvfrom && entry->args[3] & MSG_TRUNC;
}

/* Tells whether the call may wait for long. Openings and reads of files seldom do. */
static bool is_about_to_wait(const struct tacet_entry *entry, struct file *file)
{
	if (file)
		return !S_ISREG(file_inode(file)->i_mode);
	return entry->call->flags & TACET_CALL_POLLS && entry->call->in[0].kind != TACET_BUFFER_STRING;
}

long tacet_replay_original(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_step_begin(entry);
	struct file *file = NULL;
	long result;
	int error = 0;

	if (!step)
		return TACET_LOST;
	if (entry->call->in[0].kind)
		error = tacet_marshal_in(entry->call, entry->args, &step->in);
	if (error == -E2BIG || error == -ENOMEM || reads_nothing(entry)) {
		tacet_pair_taint(entry->pair, "arguments-not-copied");
		return TACET_LOST;
	}
	if (entry->call->kind == TACET_CALL_READ)
		file = tacet_entry_file(entry);
	if (is_about_to_wait(entry, file))
		tacet_ring_urge(entry->context->ring);
	result = run_labelled(entry, step, file);
	error = tacet_marshal_out(entry->call, entry->args, result, &step->out);
	if (!error && file && result > 0)
		error = scrub_payload(entry, step, file, explicit_position(entry), result);
	/* At the end of the data the doppelganger has got as much as the original, but that amount is derived. */
	if (file && !result && tacet_channel_length_derived(file))
		tacet_pair_taint(entry->pair, "length-is-derived");
	if (file)
		fput(file);
	if (error) {
		/* The call has happened, and only the doppelganger cannot follow. */
		tacet_pair_taint(entry->pair, "result-not-copied");
		return result;
	}
	return tacet_step_finish(entry, step, result);
}

static long watched_read(struct tacet_entry *entry)
{
	if (!tacet_intake_without_event(entry))
		return TACET_PASS;
	tacet_pair_change(entry->pair, TACET_PAIR_WATCH, TACET_PAIR_WANT);
	tacet_clone_doppelganger(entry);
	return TACET_LOST;
}

/* While the call waits for a pipe or socket, other data may come than it would get now. */
static long tainted_read(struct tacet_entry *entry)
{
	struct file *file = tacet_entry_file(entry);
	long result;

	if (!file)
		return TACET_PASS;
	result = tacet_intake_reader(entry, file) ? -ENOMEM : TACET_PASS;
	if (result == TACET_PASS && !S_ISREG(file_inode(file)->i_mode)) {
		result = tacet_run(entry);
		/* The task has the data by now. Without memory it keeps the name and label of the data before. */
		if (result > 0)
			tacet_intake_reader(entry, file);
	}
	fput(file);
	return result;
}

const struct tacet_call_ops tacet_replay_ops = {
	.original = tacet_replay_original,
	.doppelganger = tacet_repeat_compared,
};

const struct tacet_call_ops tacet_read_ops = {
	.original = tacet_replay_original,
	.doppelganger = tacet_repeat_compared,
	.watched = watched_read,
	.tainted = tainted_read,
};

const struct tacet_call_ops tacet_both_ops = {
	.original = tacet_replay_original,
	.doppelganger = tacet_repeat_both,
};
