// SPDX-License-Identifier: GPL-2.0-only
/* The doppelganger's calls. Each is the original's next step, or the halves are made to meet again. */
#include <linux/sched/signal.h>

#include "base/blob.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "call/run.h"
#include "engine/doppelganger.h"
#include "engine/ops.h"
#include "engine/realign.h"
#include "engine/repeat.h"
#include "pair/clone.h"
#include "pair/futex.h"
#include "pair/ring.h"
#include "pair/signal.h"
#include "pair/task.h"
#include "pair/turn.h"

/*
 * This is less than the original waits at a barrier. It is more than the original takes to come to a
 * call on a busy machine.
 */
#define TIME_PATIENCE HZ

static unsigned int compared_arguments(const struct tacet_call *call)
{
	/* A differing length is a differing output, and no divergence. */
	if (call->kind == TACET_CALL_OUTPUT)
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

/*
 * The original handled a signal here. So does this task, at its next return to user mode. Returns PASS
 * if the task has done so already.
 */
static long handle_signal(struct tacet_entry *entry, struct tacet_step *step)
{
	long result = step->interrupted ? step->result : -ERESTARTNOINTR;

	/* The signal cut off a call that the doppelganger did not make. */
	if (step->interrupted && entry->context->ring->apart)
		return tacet_repeat_diverge(entry, "calls-differ");
	if (step->has_output && tacet_marshal_replay(entry->call, entry->args, result, &step->out))
		return tacet_repeat_diverge(entry, "buffers-differ");
	if (!tacet_signal_mirror(step))
		result = TACET_PASS;
	tacet_ring_consume(entry->context->ring);
	return result;
}

/*
 * A thread that looks at the clock while it holds a lock may do so more often than its original. A
 * thread that waits for the lock would wait for ever, and so would the original at its next barrier.
 */
static bool asks_on_its_own(const struct tacet_entry *entry)
{
	return entry->call->flags & TACET_CALL_TIME && get_nr_threads(current) > 1 &&
	       !tacet_ring_has_next(entry->context->ring, TIME_PATIENCE);
}

/* The original's thread is still in user mode, and handles the signal there. */
static bool signal_is_next(struct tacet_ring *ring)
{
	const struct tacet_step *step = tacet_ring_peek(ring);

	return step && step->kind == TACET_STEP_SIGNAL && !step->interrupted;
}

/* Goes back to user mode, when it is the task's turn there. */
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
		result = step->answered ? step->result : tacet_ops_of(entry->call)->doppelganger(entry, step);
		if (fatal_signal_pending(current))
			return -EINTR;
		signal_follows = step->signal_follows && !tacet_is_restart(result);
		tacet_ring_consume(ring);
		/* A thread that takes turns learns of the signal with its turn. */
		if (signal_follows && !tacet_turn_taken(entry->context))
			tacet_signal_mirror_next(ring);
		if (entry->call->kind == TACET_CALL_EXIT)
			return result;
		/* The original comes again with this call, or has a signal to tell of. */
		if (!tacet_is_restart(result))
			return in_turn(entry, result);
	}
}

/* Runs in the turn that ends here. It does what the process's other threads see of the call. */
static void leave_user_mode(struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	bool is_local = entry->call->kind == TACET_CALL_LOCAL;

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
		return tacet_repeat_diverge(entry, "32-bit-call");
	takes_turns = tacet_turn_taken(context);
	if (entry->call->kind == TACET_CALL_LOCAL && !(takes_turns && entry->call->flags & TACET_CALL_TURNS)) {
		/*
		 * The original made this doppelganger at this call. Like the original, the doppelganger
		 * has no turn to keep.
		 */
		return is_first && takes_turns && thread_group_leader(current) && !context->inherits ?
			       in_turn(entry, tacet_run(entry)) :
			       TACET_PASS;
	}
	if (takes_turns)
		leave_user_mode(entry);
	return follow(entry);
}
