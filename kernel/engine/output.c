// SPDX-License-Identifier: GPL-2.0-only
/* Data leaves the process. It is compared, and where it differs it is followed or asked about. */
#include <linux/file.h>
#include <linux/net.h>
#include <linux/sched/mm.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <linux/xattr.h>

#include "base/blob.h"
#include "base/counter.h"
#include "base/labelset.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "call/run.h"
#include "channel/channel.h"
#include "engine/bus.h"
#include "engine/emit.h"
#include "engine/merge.h"
#include "engine/mount.h"
#include "engine/ops.h"
#include "engine/output.h"
#include "engine/refuse.h"
#include "engine/step.h"
#include "engine/takeover.h"
#include "event/notice.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "label/shadow.h"
#include "pair/mapped.h"
#include "pair/mapping.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "question/question.h"
#include "sink/sink.h"

/* The destination of the data, as far as it is known before the comparison. */
struct destination {
	struct file *file;
	enum tacet_sink_class class;
	struct tacet_peer peer;
	struct tacet_labelset *set;  /* a reference */
	struct tacet_origin *origin; /* a reference or NULL */
};

/* Copies the explicit address of sendto, sendmsg or connect. Returns its length, or 0 if there is none. */
static int explicit_address(const struct tacet_entry *entry, struct sockaddr_storage *address)
{
	const void __user *pointer = NULL;
	struct user_msghdr header;
	int length = 0;

	switch (entry->number) {
	case __NR_connect:
		pointer = (const void __user *)entry->args[1];
		length = entry->args[2];
		break;
	case __NR_sendto:
		pointer = (const void __user *)entry->args[4];
		length = entry->args[5];
		break;
	case __NR_sendmsg:
	case __NR_sendmmsg:
		/* All messages of sendmmsg go to the destination of the first one, see dispatch.c. */
		if (copy_from_user(&header, (void __user *)entry->args[1], sizeof(header)))
			return 0;
		pointer = header.msg_name;
		length = header.msg_namelen;
	}
	if (!pointer || length < (int)sizeof(sa_family_t))
		return 0;
	length = min_t(int, length, sizeof(*address));
	memset(address, 0, sizeof(*address));
	return copy_from_user(address, pointer, length) ? 0 : length;
}

static size_t vector_length(unsigned long address, unsigned long count)
{
	const struct iovec __user *vector = (const struct iovec __user *)address;
	struct iovec part;
	size_t length = 0;

	for (count = min(count, (unsigned long)UIO_MAXIOV); count; count--, vector++) {
		if (copy_from_user(&part, vector, sizeof(part)))
			break;
		length += min_t(size_t, part.iov_len, MAX_RW_COUNT - length);
	}
	return length;
}

static size_t output_length(const struct tacet_entry *entry)
{
	struct user_msghdr header;

	switch (entry->number) {
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
		return vector_length(entry->args[1], entry->args[2]);
	case __NR_sendmsg:
		if (copy_from_user(&header, (void __user *)entry->args[1], sizeof(header)))
			return 0;
		return vector_length((unsigned long)header.msg_iov, header.msg_iovlen);
	default:
		return min_t(size_t, entry->args[2], MAX_RW_COUNT);
	}
}

static bool find_destination(const struct tacet_entry *entry, struct destination *to)
{
	struct sockaddr_storage address;
	int length;

	memset(to, 0, sizeof(*to));
	to->file = tacet_entry_file(entry);
	if (!to->file)
		return false;
	length = explicit_address(entry, &address);
	to->class = tacet_sink_classify(to->file, length ? (struct sockaddr *)&address : NULL, length, &to->peer);
	to->set = tacet_pair_label(entry->pair, &to->origin);
	if (to->class == TACET_SINK_EXEMPT && tacet_bus_orders_a_program(entry, to->file)) {
		to->class = TACET_SINK_OUTSIDE;
		to->peer.sink = TACET_SINK_OTHER;
	}
	return true;
}

static void put_destination(struct destination *to)
{
	if (to->file)
		fput(to->file);
	tacet_origin_put(to->origin);
	tacet_labelset_put(to->set);
}

static bool carries_label_already(const struct destination *to)
{
	struct tacet_labelset *carried = tacet_mark_label(to->file);
	bool contains = tacet_labelset_contains(carried, to->set);

	tacet_labelset_put(carried);
	if (contains && carried)
		tacet_label_mix(to->file, tacet_origin_source(to->origin));
	return contains && carried;
}

/*
 * Sends the bytes that were compared. Another thread, or a process that shares the memory, could change
 * them between the comparison and the call. In that case the kernel's copy is sent.
 */
static long run_compared(struct tacet_entry *entry, const struct destination *to, const struct tacet_blob *blob)
{
	long result = TACET_PASS;

	if (atomic_read(&current->mm->mm_users) > 1 && to->class != TACET_SINK_LABELLED &&
	    !(entry->call->flags & TACET_CALL_CONNECTS))
		result = tacet_emit(entry, to->file, blob->data + blob->payload_offset, blob->payload_length);
	return result == TACET_PASS ? tacet_run(entry) : result;
}

static const u8 *payload(const struct tacet_blob *blob)
{
	return blob ? blob->data + blob->payload_offset : NULL;
}

static long write_channel(struct tacet_entry *entry, const struct destination *to, const struct tacet_blob *data,
			  const struct tacet_blob *scrubbed, bool equal)
{
	const u8 *doppelganger_data = scrubbed && scrubbed->payload_length == data->payload_length ? payload(scrubbed) :
												     NULL;
	struct tacet_channel *channel;
	long result;

	channel = tacet_channel_write(to->file, equal ? NULL : to->set, to->origin, payload(data), doppelganger_data,
				      data->payload_length);
	if (IS_ERR(channel))
		return PTR_ERR(channel);
	if (channel && !equal && !doppelganger_data)
		tacet_channel_differs_in_length(channel);
	result = run_compared(entry, to, data);
	if (channel)
		tacet_channel_wrote(channel, data->payload_length, result);
	return result;
}

static enum tacet_action ask(const struct tacet_entry *entry, const struct destination *to,
			     const struct tacet_blob *data, const struct tacet_blob *scrubbed)
{
	const struct tacet_ring *ring = entry->context->ring;
	struct tacet_breach breach = {
		.file = to->file,
		.peer = to->peer,
		.set = to->set,
		.origin = to->origin,
		.data = payload(data),
		.length = data->payload_length,
		.scrubbed = payload(scrubbed),
		.scrubbed_length = scrubbed ? scrubbed->payload_length : 0,
		.flags = tacet_pair_lives(entry->pair) && scrubbed ? 0 : TACET_QUESTION_TAINTED,
		.calls_total = ring ? ring->head + ring->dropped : 0,
		.calls_equal = ring ? ring->tail - ring->passed : 0,
		.calls_realigned = ring ? ring->passed + ring->dropped : 0,
	};

	if (entry->call->flags & TACET_CALL_CONNECTS)
		breach.flags |= TACET_QUESTION_CONNECT;
	if (scrubbed && tacet_takeover_possible(entry))
		breach.flags |= TACET_QUESTION_TAKEOVER;
	return tacet_question_ask(&breach);
}

static bool is_of_socket(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_SHARED && S_ISSOCK(file_inode(area->vm_file)->i_mode);
}

/* Such sockets send what lies in memory that is mapped from them, whatever the call says. */
static bool sends_mapped_memory(const struct destination *to)
{
	unsigned long address = 0;
	bool found = false;
	struct file *file;

	if (to->peer.family != AF_PACKET && to->peer.family != AF_XDP)
		return false;
	while (!found && (file = tacet_mapping_next_file(&address, is_of_socket))) {
		found = file_inode(file) == file_inode(to->file);
		fput(file);
	}
	return found;
}

/* Returns the result for the original. @step's own result is the doppelganger's. */
static long send_scrubbed(struct tacet_entry *entry, const struct destination *to, const struct tacet_blob *data,
			  const struct tacet_blob *scrubbed, struct tacet_step *step)
{
	long sent;

	if (!scrubbed || entry->call->flags & TACET_CALL_CONNECTS)
		return -EPERM;
	sent = tacet_emit(entry, to->file, payload(scrubbed), scrubbed->payload_length);
	if (sent == TACET_PASS)
		return -EPERM;
	if (sent < 0 || data->payload_length == scrubbed->payload_length)
		return sent;
	/* Each half is told that its own bytes went out. */
	if (step) {
		step->has_own_result = true;
		step->own_result = sent;
	}
	return sent == scrubbed->payload_length ? data->payload_length : min_t(long, sent, data->payload_length);
}

static long disclose(struct tacet_entry *entry, const struct destination *to, const struct tacet_blob *data,
		     const struct tacet_blob *scrubbed, struct tacet_step *step)
{
	switch (ask(entry, to, data, scrubbed)) {
	case TACET_ACTION_ALLOW:
		return run_compared(entry, to, data);
	case TACET_ACTION_SCRUB:
		return send_scrubbed(entry, to, data, scrubbed, step);
	case TACET_ACTION_TAKEOVER:
		return tacet_takeover(entry, step);
	case TACET_ACTION_QUIT:
		return -EINTR;
	default:
		return -EPERM;
	}
}

static long write_differing(struct tacet_entry *entry, struct destination *to, const struct tacet_blob *data,
			    const struct tacet_blob *scrubbed, struct tacet_step *step)
{
	int error;

	if (to->class == TACET_SINK_LABELLED) {
		error = tacet_label_derive(to->file, to->set, tacet_origin_source(to->origin));
		if (!error) {
			tacet_mapped_await(to->file, jiffies + TACET_MAPPED_TIMEOUT);
			return tacet_run(entry);
		}
		if (error != -EOPNOTSUPP)
			return error;
		to->class = TACET_SINK_OUTSIDE;
		to->peer.sink = TACET_SINK_FILE;
	}
	if (entry->call->flags & TACET_CALL_CONNECTS && to->class != TACET_SINK_OUTSIDE)
		return tacet_run(entry);
	if (to->class == TACET_SINK_CHANNEL)
		return write_channel(entry, to, data, scrubbed, false);
	return disclose(entry, to, data, scrubbed, step);
}

/* Compares nothing, and tells the doppelganger the result. */
static long output_unseen(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_step_begin(entry);

	if (!step)
		return TACET_LOST;
	step->length = output_length(entry);
	return tacet_step_finish(entry, step, tacet_run(entry));
}

/*
 * Returns 0, the call's error or TACET_LOST. The error is not left to the call itself, as another
 * thread could make the memory readable meanwhile.
 */
static long gather(struct tacet_entry *entry, struct tacet_blob *data)
{
	int error = tacet_marshal_in(entry->call, entry->args, data);

	if (error != -E2BIG && error != -ENOMEM)
		return error;
	tacet_pair_taint(entry->pair, "output-too-large");
	return TACET_LOST;
}

static long output_compared(struct tacet_entry *entry, struct destination *to)
{
	struct tacet_step *step = tacet_step_begin(entry);
	struct tacet_ring *ring = entry->context->ring;
	const struct tacet_blob *scrubbed;
	struct tacet_blob *data;
	long result, error;

	if (!step)
		return TACET_LOST;
	data = &ring->output;
	error = gather(entry, data);
	if (error)
		return error == TACET_LOST ? error : tacet_step_finish(entry, step, error);
	step->length = output_length(entry);
	step->goes_outside = to->class == TACET_SINK_OUTSIDE;
	step->stage = TACET_STAGE_ISSUED;
	tacet_ring_publish(ring);
	if (!tacet_ring_wait_compared(ring, step))
		return TACET_LOST;
	tacet_counter_add(TACET_COUNTER_COMPARED);
	scrubbed = step->scrubbed;
	if (!step->equal)
		result = write_differing(entry, to, data, scrubbed, step);
	else if (sends_mapped_memory(to))
		result = write_differing(entry, to, data, NULL, step);
	else if (to->class == TACET_SINK_CHANNEL && !(entry->call->flags & TACET_CALL_CONNECTS))
		result = write_channel(entry, to, data, scrubbed, true);
	else
		result = run_compared(entry, to, data);
	/* The step went with the old pair. */
	if (result == TACET_PASS || (step->equal && !tacet_is_restart(result) && tacet_merge(entry)))
		return result;
	return tacet_step_finish_compared(entry, step, result);
}

/* The output goes into something that cannot be labelled, so a difference ends the comparison. */
static long output_nowhere(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_step_begin(entry);
	long error;

	if (!step)
		return TACET_LOST;
	error = gather(entry, &entry->context->ring->output);
	if (error)
		return error == TACET_LOST ? error : tacet_step_finish(entry, step, error);
	step->length = output_length(entry);
	step->stage = TACET_STAGE_ISSUED;
	tacet_ring_publish(entry->context->ring);
	if (!tacet_ring_wait_compared(entry->context->ring, step))
		return TACET_LOST;
	if (!step->equal) {
		tacet_pair_taint(entry->pair, "output-cannot-be-labelled");
		return TACET_LOST;
	}
	return tacet_step_finish_compared(entry, step, tacet_run(entry));
}

static long original_output(struct tacet_entry *entry)
{
	struct destination to;
	long result;

	if (entry->call->fd_argument < 0)
		return output_nowhere(entry);
	if (!find_destination(entry, &to))
		return output_unseen(entry);
	if (to.class == TACET_SINK_EXEMPT || (to.class == TACET_SINK_LABELLED && carries_label_already(&to)))
		result = output_unseen(entry);
	else if (to.class == TACET_SINK_KERNEL)
		result = output_nowhere(entry);
	else
		result = output_compared(entry, &to);
	put_destination(&to);
	return result;
}

/* The generic scrubber stands in for the doppelganger. */
static int scrub_copy(const struct tacet_blob *data, struct tacet_blob *scrubbed)
{
	int error = tacet_blob_append(scrubbed, payload(data), data->payload_length);

	if (error)
		return error;
	scrubbed->payload_length = data->payload_length;
	tacet_shadow_scrub(scrubbed->data, scrubbed->payload_length);
	return 0;
}

/* Access control lists are attributes, too: install(1) sets one where others would use chmod(). */
static bool sets_permissions(const struct tacet_entry *entry)
{
	char name[XATTR_NAME_MAX + 1];
	long length;

	if (entry->number != __NR_setxattr && entry->number != __NR_lsetxattr && entry->number != __NR_fsetxattr)
		return false;
	length = strncpy_from_user(name, (const char __user *)entry->args[1], sizeof(name));
	if (length <= 0 || length == sizeof(name))
		return false;
	return !strcmp(name, XATTR_NAME_POSIX_ACL_ACCESS) || !strcmp(name, XATTR_NAME_POSIX_ACL_DEFAULT);
}

/* Without a message for it, no program is started that could make the key. */
static bool asks_nobody_for_key(const struct tacet_entry *entry)
{
	return entry->number == __NR_request_key && !entry->args[2];
}

/*
 * The clients of dconf make the file of its changes two bytes long by a zero, and each maps it. That says
 * no more than that the file is there, while its label would follow all of them.
 */
static bool writes_lone_zero(const struct tacet_entry *entry, const struct destination *to)
{
	char byte;

	return entry->number == __NR_pwrite64 && entry->args[2] == 1 && entry->args[3] <= 1 &&
	       i_size_read(file_inode(to->file)) <= 2 && !get_user(byte, (char __user *)entry->args[1]) && !byte;
}

static long tainted_output(struct tacet_entry *entry)
{
	struct tacet_blob data, scrubbed;
	struct destination to;
	long result = TACET_PASS;

	if (sets_permissions(entry) || tacet_mount_stays_here(entry) || asks_nobody_for_key(entry))
		return TACET_PASS;
	if (entry->call->fd_argument < 0)
		return tacet_refuse_unlabelled(entry);
	if (!find_destination(entry, &to))
		return TACET_PASS;
	if (to.class == TACET_SINK_EXEMPT || to.class == TACET_SINK_KERNEL ||
	    entry->call->flags & TACET_CALL_CONNECTS) {
		/* The other messages may go elsewhere. */
		if (entry->number == __NR_sendmmsg)
			result = tacet_run(entry);
		goto put_destination;
	}
	if (to.class == TACET_SINK_LABELLED && writes_lone_zero(entry, &to)) {
		/* Not by the call itself: its byte could be another one by then. */
		result = tacet_emit(entry, to.file, "", 1);
		goto put_destination;
	}
	tacet_blob_init(&data);
	tacet_blob_init(&scrubbed);
	result = to.class == TACET_SINK_LABELLED ? 0 : tacet_marshal_in(entry->call, entry->args, &data);
	if (!result && to.class == TACET_SINK_OUTSIDE)
		result = scrub_copy(&data, &scrubbed);
	if (!result)
		result = write_differing(entry, &to, &data, &scrubbed, NULL);
	tacet_blob_release(&scrubbed);
	tacet_blob_release(&data);
put_destination:
	put_destination(&to);
	return result;
}

/*
 * Returns how much of the doppelganger's own data was written. That data may be longer or shorter than
 * the original's, whose count the doppelganger must not learn.
 */
static long own_count(const struct tacet_entry *entry, const struct tacet_step *step)
{
	size_t own;

	if (!(entry->call->flags & TACET_CALL_WRITES) || step->result < 0)
		return step->result;
	own = output_length(entry);
	return (size_t)step->result == step->length ? own : min_t(size_t, step->result, own);
}

static bool same_arguments(const struct tacet_entry *entry, const struct tacet_step *step)
{
	unsigned int i;

	for (i = 0; i < TACET_CALL_ARGUMENTS; i++)
		if (entry->call->compared & BIT(i) && step->args[i] != entry->args[i])
			return false;
	return true;
}

static long doppelganger_output(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_ring *ring = entry->context->ring;
	struct tacet_blob *in = &ring->doppelganger_output;
	bool same_place;

	if (smp_load_acquire(&step->stage) == TACET_STAGE_ISSUED) {
		if (tacet_marshal_in(entry->call, entry->args, in))
			tacet_blob_reset(in);
		same_place = same_arguments(entry, step);
		step->equal = same_place && tacet_blob_equal(in, &ring->output);
		/* A copy would go to the original's place, which is derived. */
		step->scrubbed = same_place ? in : NULL;
		tacet_ring_set_stage(ring, step, TACET_STAGE_COMPARED);
		if (!tacet_ring_wait_completed(ring, step))
			return tacet_task_die();
	}
	if (step->taken_by) {
		tacet_takeover_give(entry, step);
		return tacet_task_die();
	}
	return step->has_own_result ? step->own_result : own_count(entry, step);
}

const struct tacet_call_ops tacet_output_ops = {
	.original = original_output,
	.doppelganger = doppelganger_output,
	.tainted = tainted_output,
};
