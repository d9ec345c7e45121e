// SPDX-License-Identifier: GPL-2.0-only
/* The doppelganger's side of a paired call: it makes none of its own but on its memory. */
#include <linux/mman.h>
#include <linux/sched/signal.h>

#include "base/blob.h"
#include "base/symbol.h"
#include "base/wait.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "call/run.h"
#include "engine/doppelganger.h"
#include "engine/output.h"
#include "engine/realign.h"
#include "engine/special.h"
#include "engine/takeover.h"
#include "label/shadow.h"
#include "pair/clone.h"
#include "pair/futex.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/signal.h"
#include "pair/task.h"
#include "pair/turn.h"

/* Less than the original waits at a barrier, more than it takes to come to a call on a busy machine. */
#define TIME_PATIENCE HZ

long tacet_doppelganger_diverge(struct tacet_entry *entry, const char *reason)
{
	tacet_pair_taint(entry->pair, reason);
	return tacet_task_die();
}

static unsigned int compared_arguments(const struct tacet_call *call)
{
	/* Another length is another output, not another way. */
	if (call->class == TACET_CALL_OUTPUT)
		return call->fd_argument >= 0 ? BIT(call->fd_argument) : 0;
	return call->compared;
}

static bool same_call(const struct tacet_entry *entry, const struct tacet_step *step)
{
	unsigned int compared = compared_arguments(entry->call), i;

	if (step->number != entry->number)
		return false;
	for (i = 0; i < TACET_CALL_ARGUMENTS; i++)
		if (compared & BIT(i) && step->args[i] != entry->args[i])
			return false;
	return true;
}

long tacet_doppelganger_replay(struct tacet_entry *entry, struct tacet_step *step)
{
	if (step->reads_shadow &&
	    tacet_shadow_read(step->file, step->out.data + step->out.payload_offset,
			      step->out.payload_length, step->position))
		return tacet_doppelganger_diverge(entry, "shadow-not-readable");
	if (tacet_marshal_replay(entry->call, entry->args, step->result, &step->out))
		return tacet_doppelganger_diverge(entry, "buffers-differ");
	return step->result;
}

bool tacet_doppelganger_equals(struct tacet_entry *entry, const struct tacet_step *step)
{
	struct tacet_blob *in = &entry->context->scratch;

	if (!entry->call->in[0].kind)
		return true;
	tacet_blob_reset(in);
	if (tacet_marshal_in(entry->call, entry->args, in))
		tacet_blob_reset(in);
	return tacet_blob_equal(in, &step->in);
}

static long replay_compared(struct tacet_entry *entry, struct tacet_step *step)
{
	if (!tacet_doppelganger_equals(entry, step))
		return tacet_doppelganger_diverge(entry, "arguments-differ");
	return tacet_doppelganger_replay(entry, step);
}

/* An address that the original's kernel chose is asked for here. */
static void ask_for_same_place(struct tacet_entry *entry, const struct tacet_step *step,
			       struct pt_regs *regs)
{
	if (entry->number == __NR_mremap && !IS_ERR_VALUE(step->result) &&
	    step->result != entry->args[0]) {
		regs->r10 |= MREMAP_MAYMOVE | MREMAP_FIXED;
		regs->r8 = step->result;
	}
}

bool tacet_doppelganger_wait_memory(struct tacet_pair *pair, const struct tacet_step *step)
{
	return !step->memory_ticket ||
	       tacet_wait(pair->wait, atomic64_read(&pair->memory_done) + 1 == step->memory_ticket ||
				      !tacet_pair_lives(pair), MAX_SCHEDULE_TIMEOUT) >= 0;
}

void tacet_doppelganger_pass_memory_on(struct tacet_pair *pair, const struct tacet_step *step)
{
	if (!step->memory_ticket)
		return;
	atomic64_set(&pair->memory_done, step->memory_ticket);
	if (wq_has_sleeper(&pair->wait))
		wake_up_all(&pair->wait);
}

long tacet_doppelganger_both(struct tacet_entry *entry, struct tacet_step *step)
{
	struct pt_regs regs = *entry->regs;
	long result;

	if (!tacet_doppelganger_wait_memory(entry->pair, step))
		return tacet_task_die();
	ask_for_same_place(entry, step, &regs);
	result = static_call(tacet_system_call)(&regs, regs.orig_ax);
	tacet_doppelganger_pass_memory_on(entry->pair, step);
	if (result != step->result)
		return tacet_doppelganger_diverge(entry, "memory-differs");
	return result;
}

/* How much of the doppelganger's own was written, which may be longer or shorter: the count must not tell it of the original's. */
static long own_count(const struct tacet_entry *entry, const struct tacet_step *step)
{
	size_t own;

	if (!tacet_realign_only_writes(entry->number) || step->result < 0)
		return step->result;
	own = tacet_output_length(entry);
	return (size_t)step->result == step->length ? own : min_t(size_t, step->result, own);
}

static long output(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_ring *ring = entry->context->ring;
	struct tacet_blob *in = &ring->double_output;

	if (smp_load_acquire(&step->stage) == TACET_STAGE_ISSUED) {
		if (tacet_marshal_in(entry->call, entry->args, in))
			tacet_blob_reset(in);
		step->equal = tacet_blob_equal(in, &ring->output);
		step->scrubbed = in;
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

static long double_call(struct tacet_entry *entry, struct tacet_step *step)
{
	switch (entry->call->class) {
	case TACET_CALL_LOCAL:
		return tacet_blob_equal(&entry->context->scratch, &step->in) ? step->result :
									       tacet_doppelganger_diverge(entry, "locks-differ");
	case TACET_CALL_REPLAY:
		return replay_compared(entry, step);
	case TACET_CALL_BOTH:
		return tacet_doppelganger_both(entry, step);
	case TACET_CALL_OUTPUT:
		return output(entry, step);
	case TACET_CALL_SPECIAL:
		return tacet_special_doppelganger(entry, step);
	default:
		return step->result;
	}
}

/* The original handled a signal here: so does this task, at its next return to user mode. PASS: it has done so. */
static long handle_signal(struct tacet_entry *entry, struct tacet_step *step)
{
	long result = step->interrupted ? step->result : -ERESTARTNOINTR;

	/* It cut off a call that the doppelganger did not make. */
	if (step->interrupted && entry->context->ring->apart)
		return tacet_doppelganger_diverge(entry, "calls-differ");
	if (step->has_output && tacet_marshal_replay(entry->call, entry->args, result, &step->out))
		return tacet_doppelganger_diverge(entry, "buffers-differ");
	if (!tacet_signal_mirror(step))
		result = TACET_PASS;
	tacet_ring_consume(entry->context->ring);
	return result;
}

/*
 * A thread that looks at the clock while it holds a lock may do so more often than its original. Who waits for the lock would wait
 * for ever, and with it the original at its next barrier.
 */
static bool asks_on_its_own(const struct tacet_entry *entry)
{
	return tacet_realign_asks_the_time(entry->number) && get_nr_threads(current) > 1 &&
	       !tacet_ring_has_next(entry->context->ring, TIME_PATIENCE);
}

/* The original's thread is in user mode still, and handles it there. */
static bool signal_is_next(struct tacet_ring *ring)
{
	const struct tacet_step *step = tacet_ring_peek(ring);

	return step && step->kind == TACET_STEP_SIGNAL && !step->interrupted;
}

/* Back to user mode, when it is its turn there. */
static long in_turn(struct tacet_entry *entry, long result)
{
	return tacet_turn_take(entry->context) ? result : tacet_task_die();
}

static long in_own_turn(struct tacet_entry *entry, long result)
{
	return tacet_turn_take_own(entry->context) ? result : tacet_task_die();
}

static long follow(struct tacet_entry *entry)
{
	struct tacet_ring *ring = entry->context->ring;
	struct tacet_step *step;
	bool interrupted, signal_follows;
	long result;

	if (asks_on_its_own(entry)) {
		ring->dropped++;
		return in_own_turn(entry, TACET_PASS);
	}
	for (;;) {
		step = tacet_ring_next(ring);
		if (!step)
			return tacet_task_die();
		if (step->kind == TACET_STEP_SIGNAL) {
			interrupted = step->interrupted;
			result = handle_signal(entry, step);
			if (result != TACET_PASS)
				return interrupted ? in_turn(entry, result) : in_own_turn(entry, result);
			tacet_turn_release(entry->context);
			continue;
		}
		if (!same_call(entry, step)) {
			if (tacet_realign(entry, step, &result))
				return in_own_turn(entry, result);
			continue;
		}
		ring->apart = 0;
		result = double_call(entry, step);
		if (fatal_signal_pending(current))
			return -EINTR;
		signal_follows = step->signal_follows && !tacet_is_restart(result);
		tacet_ring_consume(ring);
		/* Who takes turns hears of it with the turn. */
		if (signal_follows && !tacet_turn_taken(entry->context))
			tacet_signal_mirror_next(ring);
		if (entry->call->special == TACET_SPECIAL_EXIT)
			return result;
		/* The original comes again with this call, or has a signal to tell of. */
		if (!tacet_is_restart(result))
			return in_turn(entry, result);
	}
}

/* In the turn that ends here: what others of its threads see of the call. */
static void leave_user_mode(struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	bool is_local = entry->call->class == TACET_CALL_LOCAL;

	if (is_local && tacet_futex_gather(entry, &context->scratch))
		tacet_blob_reset(&context->scratch);
	if (signal_is_next(context->ring))
		return;
	if (is_local && tacet_futex_writes(entry))
		tacet_run(entry);
	if (entry->number == __NR_exit)
		tacet_turn_end_thread();
	if (!is_local || tacet_futex_waits(entry))
		tacet_turn_release(context);
}

long tacet_doppelganger_call(struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	bool is_first = !context->arranged, takes_turns;

	if (is_first && !tacet_clone_arrange(entry))
		return tacet_task_die();
	if (in_ia32_syscall())
		return tacet_doppelganger_diverge(entry, "32-bit-call");
	takes_turns = tacet_turn_taken(context);
	if (entry->call->class == TACET_CALL_LOCAL && !(takes_turns && entry->call->flags & TACET_CALL_TURNS)) {
		/* As its original, which made it at this call, it has no turn to keep. */
		return is_first && takes_turns && thread_group_leader(current) && !context->inherits ?
			       in_turn(entry, tacet_run(entry)) : TACET_PASS;
	}
	if (takes_turns)
		leave_user_mode(entry);
	return follow(entry);
}
