// SPDX-License-Identifier: GPL-2.0-only
/* The doppelganger's side of a paired call: it makes none of its own but on its memory. */
#include <linux/sched/signal.h>

#include "counter.h"
#include "engine.h"
#include "marshal.h"
#include "shadow.h"

/* A fatal signal ends the doppelganger on its way to user mode, so that it never runs on. */
long tacet_doppelganger_die(void)
{
	send_sig(SIGKILL, current, 1);
	return -EINTR;
}

long tacet_doppelganger_diverge(struct tacet_entry *entry, const char *reason)
{
	tacet_pair_taint(entry->pair, reason);
	return tacet_doppelganger_die();
}

static unsigned int compared_arguments(const struct tacet_call *call)
{
	/* Another length is another output, not another way. */
	if (call->class == TACET_CALL_OUTPUT)
		return call->fd_argument >= 0 ? BIT(call->fd_argument) : 0;
	return call->compared;
}

static bool same_call(const struct tacet_entry *entry, const struct tacet_record *record)
{
	unsigned int compared = compared_arguments(entry->call), i;

	if (record->number != entry->number)
		return false;
	for (i = 0; i < TACET_CALL_ARGUMENTS; i++)
		if (compared & BIT(i) && record->args[i] != entry->args[i])
			return false;
	return true;
}

long tacet_doppelganger_replay(struct tacet_entry *entry, struct tacet_record *record)
{
	if (record->reads_shadow &&
	    tacet_shadow_read(record->file, record->out.data + record->out.payload_offset,
			      record->out.payload_length, record->position))
		return tacet_doppelganger_diverge(entry, "shadow-not-readable");
	if (tacet_marshal_replay(entry->call, entry->args, record->result, &record->out))
		return tacet_doppelganger_diverge(entry, "buffers-differ");
	return record->result;
}

static long replay_compared(struct tacet_entry *entry, struct tacet_record *record)
{
	struct tacet_blob *in = &entry->context->scratch;

	if (entry->call->in[0].kind) {
		tacet_blob_reset(in);
		if (tacet_marshal_in(entry->call, entry->args, in))
			tacet_blob_reset(in);
		if (!tacet_blob_equal(in, &record->in))
			return tacet_doppelganger_diverge(entry, "arguments-differ");
	}
	return tacet_doppelganger_replay(entry, record);
}

/* An address that the original's kernel chose is asked for here. */
static void ask_for_same_place(struct tacet_entry *entry, const struct tacet_record *record,
			       struct pt_regs *regs)
{
	if (entry->number == __NR_mremap && !IS_ERR_VALUE(record->result) &&
	    record->result != entry->args[0]) {
		regs->r10 |= MREMAP_MAYMOVE | MREMAP_FIXED;
		regs->r8 = record->result;
	}
}

long tacet_doppelganger_both(struct tacet_entry *entry, struct tacet_record *record)
{
	struct pt_regs regs = *entry->regs;
	struct tacet_pair *pair = entry->pair;
	long result;

	if (record->memory_ticket &&
	    tacet_wait(pair->wait, atomic64_read(&pair->memory_done) + 1 == record->memory_ticket ||
				   !tacet_pair_lives(pair), MAX_SCHEDULE_TIMEOUT) < 0)
		return tacet_doppelganger_die();
	ask_for_same_place(entry, record, &regs);
	result = static_call(tacet_system_call)(&regs, regs.orig_ax);
	if (record->memory_ticket) {
		atomic64_set(&pair->memory_done, record->memory_ticket);
		if (wq_has_sleeper(&pair->wait))
			wake_up_all(&pair->wait);
	}
	if (result != record->result)
		return tacet_doppelganger_diverge(entry, "memory-differs");
	return result;
}

static long output(struct tacet_entry *entry, struct tacet_record *record)
{
	struct tacet_blob *in = &entry->context->scratch;
	struct tacet_ring *ring = entry->context->ring;

	if (smp_load_acquire(&record->stage) == TACET_STAGE_ISSUED) {
		tacet_blob_reset(in);
		if (tacet_marshal_in(entry->call, entry->args, in))
			tacet_blob_reset(in);
		record->equal = tacet_blob_equal(in, &record->in);
		record->scrubbed = in;
		tacet_ring_set_stage(ring, record, TACET_STAGE_COMPARED);
		if (!tacet_ring_wait_completed(ring, record))
			return tacet_doppelganger_die();
	}
	return record->has_own_result ? record->own_result : record->result;
}

static long double_call(struct tacet_entry *entry, struct tacet_record *record)
{
	switch (entry->call->class) {
	case TACET_CALL_REPLAY:
		return replay_compared(entry, record);
	case TACET_CALL_BOTH:
		return tacet_doppelganger_both(entry, record);
	case TACET_CALL_OUTPUT:
		return output(entry, record);
	case TACET_CALL_SPECIAL:
		return tacet_doppelganger_special(entry, record);
	default:
		return record->result;
	}
}

/* The original handled a signal here: so does this task, at its next return to user mode. */
static long handle_signal(struct tacet_entry *entry, struct tacet_record *record)
{
	long result = record->interrupted ? record->result : -ERESTARTNOINTR;

	tacet_signal_mirror(record);
	tacet_ring_consume(entry->context->ring);
	return result;
}

static void look_for_signal(struct tacet_entry *entry)
{
	struct tacet_ring *ring = entry->context->ring;
	struct tacet_record *next = tacet_ring_following(ring);

	if (next && next->kind == TACET_RECORD_SIGNAL && !next->interrupted) {
		tacet_signal_mirror(next);
		/* Two at once: the call and the signal after it. */
		tacet_ring_consume(ring);
	}
}

static long follow(struct tacet_entry *entry)
{
	struct tacet_ring *ring = entry->context->ring;
	struct tacet_record *record;
	long result;

	for (;;) {
		record = tacet_ring_next(ring);
		if (!record)
			return tacet_doppelganger_die();
		if (record->kind == TACET_RECORD_SIGNAL)
			return handle_signal(entry, record);
		if (!same_call(entry, record))
			return tacet_doppelganger_diverge(entry, "calls-differ");
		result = double_call(entry, record);
		if (fatal_signal_pending(current))
			return -EINTR;
		if (record->signal_follows && !tacet_is_restart(result))
			look_for_signal(entry);
		tacet_ring_consume(ring);
		/* The original comes again with this call, or has a signal to tell of. */
		if (!tacet_is_restart(result))
			return result;
	}
}

long tacet_doppelganger_call(struct tacet_entry *entry)
{
	if (!entry->context->arranged && !tacet_clone_arrange(entry))
		return tacet_doppelganger_die();
	if (in_ia32_syscall())
		return tacet_doppelganger_diverge(entry, "32-bit-call");
	if (entry->call->class == TACET_CALL_LOCAL)
		return TACET_PASS;
	return follow(entry);
}
