// SPDX-License-Identifier: GPL-2.0-only
/* The calls of originals, and of watched and tainted processes. The state of the pair decides. */
#include <linux/sched/signal.h>

#include "call/call.h"
#include "call/entry.h"
#include "call/run.h"
#include "channel/channel.h"
#include "engine/local.h"
#include "engine/ops.h"
#include "engine/original.h"
#include "engine/step.h"
#include "engine/takeover.h"
#include "engine/unwatch.h"
#include "label/mark.h"
#include "pair/clone.h"
#include "pair/futex.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"

static long tainted_call(struct tacet_entry *entry)
{
	const struct tacet_call_ops *ops = tacet_ops_of(entry->call);

	tacet_pair_say_reason(entry->pair);
	return ops->tainted ? ops->tainted(entry) : TACET_PASS;
}

/* The pair ended during the call, and the original goes on tainted, or dies. */
static long without_doppelganger(struct tacet_entry *entry)
{
	/* A signal came in between, or another thread makes the doppelganger. The call is made again. */
	if (tacet_pair_state(entry->pair) == TACET_PAIR_WANT)
		return -ERESTARTNOINTR;
	return tacet_pair_state(entry->pair) == TACET_PAIR_TAINTED ? tainted_call(entry) : -EINTR;
}

static long paired_call(struct tacet_entry *entry)
{
	long result = tacet_ops_of(entry->call)->original(entry);

	/* The pair was lost before the call itself was run. */
	return result == TACET_LOST ? without_doppelganger(entry) : result;
}

static long watched_call(struct tacet_entry *entry)
{
	const struct tacet_call_ops *ops = tacet_ops_of(entry->call);
	long result;

	if (tacet_unwatch_possible(entry))
		return tacet_unwatch_current(entry->context) ? TACET_PASS : -ERESTARTNOINTR;
	result = ops->watched ? ops->watched(entry) : TACET_PASS;
	if (result != TACET_LOST)
		return result;
	return tacet_pair_lives(entry->pair) ? paired_call(entry) : without_doppelganger(entry);
}

static long original_entered(struct tacet_entry *entry)
{
	/*
	 * In a 32-bit call the numbers mean other calls. The module cannot read them, so it refuses
	 * them where they might read or write.
	 */
	if (in_ia32_syscall()) {
		if (tacet_pair_lives(entry->pair))
			tacet_pair_taint(entry->pair, "32-bit-call");
		return tacet_pair_state(entry->pair) == TACET_PAIR_WATCH && !tacet_channel_gives() &&
				       !tacet_mark_silent_held() ?
			       TACET_PASS :
			       -EPERM;
	}
	if (entry->pair->scrubbed)
		tacet_takeover_redirect(entry);
	if (tacet_pair_state(entry->pair) == TACET_PAIR_WANT)
		tacet_clone_doppelganger(entry);
	switch (tacet_pair_state(entry->pair)) {
	case TACET_PAIR_WATCH:
		return watched_call(entry);
	case TACET_PAIR_PAIRED:
		return paired_call(entry);
	default:
		return without_doppelganger(entry);
	}
}

/* A call in which nobody waits leaves the thread its turn, and is run behind the hook. */
static bool keeps_turn(const struct tacet_entry *entry)
{
	return entry->call->kind == TACET_CALL_LOCAL && !(entry->call->flags & TACET_CALL_TURNS);
}

static void leave_user_mode(const struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	bool is_local = entry->call->kind == TACET_CALL_LOCAL;

	if (is_local)
		tacet_local_gather(entry);
	if (entry->number == __NR_exit && tacet_pair_lives(entry->pair) && !in_ia32_syscall())
		tacet_turn_end_thread();
	/* A call that wakes others takes no time, and may write. So it keeps the turn. */
	if (!is_local || tacet_futex_waits(entry))
		tacet_turn_release(context);
}

long tacet_original_call(struct tacet_entry *entry)
{
	bool taken = tacet_turn_taken(entry->context);
	struct tacet_task *context;
	long result;

	if (taken && !keeps_turn(entry))
		leave_user_mode(entry);
	result = original_entered(entry);
	if (!taken && get_nr_threads(current) == 1 && entry->call->kind != TACET_CALL_FORK)
		return result;
	/* The call may have ended the watching. */
	context = tacet_task_current();
	if (!context || !tacet_turn_taken(context) || entry->call->kind == TACET_CALL_EXIT)
		return result;
	if (result == TACET_PASS) {
		if (taken)
			return result;
		/* The doppelganger was made at a call that keeps the turn, and there was none to keep. */
		result = tacet_run(entry);
	}
	/* A call that is to come again leaves user mode at once, unless a signal is handled first. */
	if (!tacet_is_restart(result))
		tacet_turn_take(context);
	return result;
}

void tacet_original_answered(struct tacet_entry *entry, long result)
{
	bool taken = tacet_turn_taken(entry->context);
	struct tacet_step *step;

	if (tacet_pair_state(entry->pair) == TACET_PAIR_WATCH && tacet_unwatch_possible(entry)) {
		tacet_unwatch_current(entry->context);
		return;
	}
	/* A doppelganger makes local calls without a step. It cannot be told that they were not made. */
	if (tacet_pair_state(entry->pair) != TACET_PAIR_PAIRED || in_ia32_syscall() ||
	    entry->call->kind == TACET_CALL_LOCAL || entry->call->kind == TACET_CALL_EXIT)
		return;
	if (taken)
		leave_user_mode(entry);
	step = tacet_step_begin(entry);
	if (!step)
		return;
	step->answered = true;
	tacet_step_finish(entry, step, result);
	if (taken && !tacet_is_restart(result))
		tacet_turn_take(entry->context);
}
