// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data that goes from file to file inside the kernel. It never enters a process, so there is nothing to
 * compare. Data from a labelled source is derived.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/blob.h"
#include "base/labelset.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "call/run.h"
#include "channel/channel.h"
#include "engine/emit.h"
#include "engine/intake.h"
#include "engine/ops.h"
#include "engine/repeat.h"
#include "engine/step.h"
#include "engine/transfer.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "label/shadow.h"
#include "pair/mapped.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "question/question.h"
#include "sink/sink.h"

#define CHUNK 65536

struct ends {
	struct file *source;
	struct file *sink;
	loff_t position; /* of the source; -1: its own or none */
	size_t length;
};

static loff_t user_offset(unsigned long pointer)
{
	loff_t offset;

	return pointer && !get_user(offset, (loff_t __user *)pointer) ? offset : -1;
}

static void find_ends(const struct tacet_entry *entry, struct ends *ends)
{
	const unsigned long *args = entry->args;
	struct file_clone_range range;

	*ends = (struct ends){ .position = -1, .length = args[4] };
	switch (entry->number) {
	case __NR_sendfile:
		ends->sink = fget(args[0]);
		ends->source = fget(args[1]);
		ends->position = user_offset(args[2]);
		ends->length = args[3];
		break;
	case __NR_tee:
		ends->source = fget(args[0]);
		ends->sink = fget(args[1]);
		ends->length = args[2];
		break;
	case __NR_splice:
	case __NR_copy_file_range:
		ends->source = fget(args[0]);
		ends->sink = fget(args[2]);
		ends->position = user_offset(args[1]);
		break;
	case __NR_ioctl:
		ends->sink = fget(args[0]);
		ends->length = 0;
		if (args[1] == FICLONE)
			ends->source = fget(args[2]);
		else if (!copy_from_user(&range, (void __user *)args[2], sizeof(range)))
			ends->source = fget(range.src_fd);
	}
}

static void put_ends(struct ends *ends)
{
	if (ends->source)
		fput(ends->source);
	if (ends->sink)
		fput(ends->sink);
}

static struct tacet_labelset *source_label(struct file *source)
{
	struct tacet_labelset *set = tacet_mark_label(source);
	struct tacet_channel *channel;

	if (set)
		return set;
	channel = tacet_channel_of_reader(source);
	if (!channel)
		return NULL;
	set = tacet_channel_label(channel);
	tacet_channel_put(channel);
	return set;
}

/* Returns a reference or NULL. */
static struct tacet_origin *source_origin(const struct ends *ends)
{
	struct tacet_origin *origin = NULL;
	struct tacet_channel *channel;

	if (S_ISREG(file_inode(ends->source)->i_mode))
		return tacet_origin_of_file(ends->source, current);
	channel = tacet_channel_of_reader(ends->source);
	if (channel) {
		origin = tacet_channel_origin(channel);
		tacet_channel_put(channel);
	}
	return origin;
}

/* Reads the bytes of the source at @position, for the question and for sending the scrubbed copy. */
static long read_source(const struct ends *ends, loff_t *position, u8 *data, size_t size)
{
	loff_t ignored = 0;

	if (S_ISREG(file_inode(ends->source)->i_mode))
		return kernel_read(ends->source, data, size, position);
	return kernel_read(ends->source, data, size, &ignored);
}

static loff_t source_position(const struct ends *ends)
{
	return ends->position >= 0 ? ends->position : ends->source->f_pos;
}

/* Takes the bytes from the source that the call would take, and sends them scrubbed. */
static long send_scrubbed(struct tacet_entry *entry, struct ends *ends)
{
	loff_t position = source_position(ends);
	u8 *data = kvmalloc(CHUNK, GFP_KERNEL);
	long got, sent;

	if (!data)
		return -ENOMEM;
	got = read_source(ends, &position, data, min_t(size_t, ends->length, CHUNK));
	if (got > 0 && S_ISREG(file_inode(ends->source)->i_mode) &&
	    tacet_shadow_read(ends->source, data, got, position - got))
		tacet_shadow_scrub(data, got);
	else if (got > 0 && !S_ISREG(file_inode(ends->source)->i_mode))
		tacet_shadow_scrub(data, got);
	sent = got > 0 ? tacet_emit(entry, ends->sink, data, got) : got;
	kvfree_sensitive(data, CHUNK);
	if (sent > 0 && ends->position < 0 && S_ISREG(file_inode(ends->source)->i_mode))
		ends->source->f_pos += sent;
	else if (sent > 0 && ends->position >= 0 && entry->number == __NR_sendfile &&
		 put_user(ends->position + sent, (loff_t __user *)entry->args[2]))
		return -EFAULT;
	return sent == TACET_PASS ? -EPERM : sent;
}

static enum tacet_action ask(struct tacet_entry *entry, const struct ends *ends, const struct tacet_peer *peer,
			     struct tacet_labelset *set)
{
	struct tacet_breach breach = {
		.file = ends->sink,
		.peer = *peer,
		.set = set,
		.origin = source_origin(ends),
		.length = S_ISREG(file_inode(ends->source)->i_mode) ? ends->length : 0,
		.calls_total = 1,
		.calls_equal = 1,
	};
	u8 *excerpts = kvzalloc(2 * TACET_EXCERPT_MAX, GFP_KERNEL);
	loff_t position = source_position(ends);
	enum tacet_action action;
	long got;

	/* A look at a channel's bytes would take them out, so the question shows none of them. */
	breach.scrubbed = excerpts;
	if (excerpts && S_ISREG(file_inode(ends->source)->i_mode)) {
		got = read_source(ends, &position, excerpts, min_t(size_t, ends->length, TACET_EXCERPT_MAX));
		breach.data = excerpts;
		breach.scrubbed = excerpts + TACET_EXCERPT_MAX;
		breach.length = max(got, 0L);
		breach.scrubbed_length = breach.length;
		if (got > 0 && tacet_shadow_read(ends->source, excerpts + TACET_EXCERPT_MAX, got, position - got))
			breach.scrubbed_length = 0;
	}
	action = tacet_question_ask(&breach);
	tacet_origin_put(breach.origin);
	kvfree_sensitive(excerpts, 2 * TACET_EXCERPT_MAX);
	return action;
}

static long into_channel(struct tacet_entry *entry, struct ends *ends, struct tacet_labelset *set)
{
	struct tacet_channel *channel;
	size_t length = min_t(size_t, ends->length, TACET_BLOB_MAX);
	struct tacet_origin *origin = source_origin(ends);
	long result;

	channel = tacet_channel_write(ends->sink, set, origin, NULL, NULL, length);
	tacet_origin_put(origin);
	if (IS_ERR(channel))
		return PTR_ERR(channel);
	result = tacet_run(entry);
	if (channel)
		tacet_channel_wrote(channel, length, result);
	return result;
}

static long outside(struct tacet_entry *entry, struct ends *ends, const struct tacet_peer *peer,
		    struct tacet_labelset *set)
{
	switch (ask(entry, ends, peer, set)) {
	case TACET_ACTION_ALLOW:
		return tacet_run(entry);
	case TACET_ACTION_SCRUB:
		return entry->number == __NR_ioctl ? -EPERM : send_scrubbed(entry, ends);
	case TACET_ACTION_QUIT:
		return -EINTR;
	default:
		return -EPERM;
	}
}

/* The kernel's answers to such data have no counterpart for a doppelganger. */
static long into_kernel(struct tacet_entry *entry, struct ends *ends, struct tacet_labelset *set)
{
	struct tacet_origin *origin = source_origin(ends);
	int error = tacet_intake_label(entry, set, origin);

	tacet_origin_put(origin);
	if (error)
		return error;
	tacet_pair_taint(entry->pair, "output-cannot-be-labelled");
	return tacet_run(entry);
}

static long transfer_labelled(struct tacet_entry *entry, struct ends *ends, struct tacet_labelset *set)
{
	struct tacet_peer peer = {};
	struct tacet_origin *origin;
	int error;

	switch (tacet_sink_classify(ends->sink, NULL, 0, &peer)) {
	case TACET_SINK_EXEMPT:
		return tacet_run(entry);
	case TACET_SINK_KERNEL:
		return into_kernel(entry, ends, set);
	case TACET_SINK_LABELLED:
		origin = source_origin(ends);
		error = tacet_label_derive(ends->sink, set, tacet_origin_source(origin));
		tacet_origin_put(origin);
		if (!error) {
			tacet_mapped_await(ends->sink, jiffies + TACET_MAPPED_TIMEOUT);
			return tacet_run(entry);
		}
		if (error != -EOPNOTSUPP)
			return error;
		peer.sink = TACET_SINK_FILE;
		return outside(entry, ends, &peer, set);
	case TACET_SINK_CHANNEL:
		return into_channel(entry, ends, set);
	default:
		return outside(entry, ends, &peer, set);
	}
}

static long transfer(struct tacet_entry *entry)
{
	struct tacet_labelset *set = NULL;
	struct ends ends;
	long result;

	find_ends(entry, &ends);
	/* The call itself refuses other files. */
	if (ends.source && ends.source->f_mode & FMODE_READ && ends.sink && ends.sink->f_mode & FMODE_WRITE)
		set = source_label(ends.source);
	entry->context->reading = true;
	result = set ? transfer_labelled(entry, &ends, set) : tacet_run(entry);
	entry->context->reading = false;
	tacet_labelset_put(set);
	put_ends(&ends);
	return result;
}

static int gather_output(const struct tacet_entry *entry, struct tacet_step *step, long result)
{
	return tacet_is_restart(result) || entry->number == __NR_ioctl ?
		       0 :
		       tacet_marshal_out(entry->call, entry->args, result, &step->out);
}

long tacet_transfer(struct tacet_entry *entry)
{
	struct tacet_step *step;
	long result;

	if (!tacet_pair_lives(entry->pair))
		return transfer(entry);
	step = tacet_step_begin(entry);
	if (!step)
		return TACET_LOST;
	result = transfer(entry);
	if (gather_output(entry, step, result)) {
		tacet_pair_taint(entry->pair, "result-not-copied");
		return result;
	}
	return tacet_step_finish(entry, step, result);
}

/* The pages would be lent to a pipe and could change in it. On ENOSYS programs write instead. */
static long original_vector(struct tacet_entry *entry)
{
	return tacet_step_answer(entry, -ENOSYS);
}

/* On ENOSYS programs read instead. */
static long watched_vector(struct tacet_entry *entry)
{
	return tacet_intake_without_event(entry) ? -ENOSYS : TACET_PASS;
}

static long tainted_vector(struct tacet_entry *entry)
{
	return -ENOSYS;
}

const struct tacet_call_ops tacet_transfer_ops = {
	.original = tacet_transfer,
	.doppelganger = tacet_repeat_replay,
	.watched = tacet_transfer,
	.tainted = tacet_transfer,
};

const struct tacet_call_ops tacet_transfer_vector_ops = {
	.original = original_vector,
	.doppelganger = tacet_repeat_nothing,
	.watched = watched_vector,
	.tainted = tainted_vector,
};
