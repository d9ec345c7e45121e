// SPDX-License-Identifier: GPL-2.0-only
/* Signals that the original handles are handled by the doppelganger between the same calls. */
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>
#include <trace/events/signal.h>

#include "engine.h"
#include "turn.h"

#define LATE (HZ / 20)

/* How long the doppelganger looks out for the signal that may follow a call. */
#define FOLLOW_TIMEOUT (HZ / 10)

#define FAULTS (sigmask(SIGSEGV) | sigmask(SIGBUS) | sigmask(SIGILL) | sigmask(SIGFPE) | sigmask(SIGTRAP) | \
		sigmask(SIGSYS))

/* Raised by the task's own instruction: the doppelganger's raises its own. */
static bool is_own_fault(int number, const struct kernel_siginfo *info)
{
	return siginmask(number, FAULTS) && info->si_code > 0;
}

static void expect_late(struct tacet_ring *ring)
{
	tacet_ring_get(ring);
	if (!queue_delayed_work(tacet_workqueue, &ring->late_signal, LATE))
		refcount_dec(&ring->references);
}

/*
 * A doppelganger that computes makes no call at which it would find the signal;
 * it may wait for just this signal. It is then given it where it is.
 */
void tacet_signal_deliver_late(struct work_struct *work)
{
	struct tacet_ring *ring = container_of(to_delayed_work(work), struct tacet_ring, late_signal);
	u32 tail = smp_load_acquire(&ring->tail), i;
	struct tacet_step *step = &ring->steps[tail % TACET_RING_STEPS];
	bool waits = false;

	for (i = tail; i != smp_load_acquire(&ring->head); i++)
		waits = waits || ring->steps[i % TACET_RING_STEPS].kind == TACET_STEP_SIGNAL;
	if (waits && tacet_pair_lives(ring->pair)) {
		if (step->kind == TACET_STEP_SIGNAL && !step->interrupted && ring->double_task &&
		    !cmpxchg(&step->claimed, 0, 1))
			send_sig_info(step->signal_number, &step->signal, ring->double_task);
		expect_late(ring);
	}
	tacet_ring_put(ring);
}

/*
 * The kernel writes the core, with no call to see, and nothing would label it. 1 is less than any core, and
 * "none" to a program that takes cores from a pipe. The process dies of this signal.
 */
static void leave_no_core(void)
{
	WRITE_ONCE(current->signal->rlim[RLIMIT_CORE].rlim_cur, 1);
}

/* In the original, its siglock held. */
static void probe_deliver(void *data, int number, struct kernel_siginfo *info, struct k_sigaction *action)
{
	struct tacet_task *context = tacet_task_current();
	struct tacet_step *step;
	struct tacet_pair *pair;

	if (!context || context->role != TACET_ROLE_ORIGINAL)
		return;
	pair = tacet_task_pair(context);
	if (sig_kernel_coredump(number) && action->sa.sa_handler == SIG_DFL &&
	    tacet_pair_state(pair) >= TACET_PAIR_WANT)
		leave_no_core();
	if (!context->ring)
		return;
	if (!tacet_pair_lives(pair) || action->sa.sa_handler == SIG_DFL ||
	    action->sa.sa_handler == SIG_IGN || is_own_fault(number, info))
		return;
	step = tacet_ring_try_reserve(context->ring);
	if (!step) {
		tacet_pair_taint(pair, "signal-not-mirrored");
		return;
	}
	step->kind = TACET_STEP_SIGNAL;
	step->signal_number = number;
	step->signal = *info;
	step->interrupted = context->interrupted;
	step->result = context->interrupted_result;
	step->has_output = context->interrupted && context->interrupted_step == step;
	step->has_mask = test_restore_sigmask();
	step->mask = current->blocked;
	step->claimed = 0;
	if (context->interrupted)
		tacet_turn_expect(context, current);
	context->interrupted = false;
	context->scratch_kept = false;
	tacet_ring_publish(context->ring);
	expect_late(context->ring);
}

/* As sigsuspend and the like do: the mask holds for the handler, the old one comes back after it. */
static void put_mask_in_force(const struct tacet_step *step)
{
	/* A task's own cannot go away. */
	struct sighand_struct *handlers = rcu_dereference_protected(current->sighand, true);

	if (!test_restore_sigmask())
		current->saved_sigmask = current->blocked;
	spin_lock_irq(&handlers->siglock);
	current->blocked = step->mask;
	recalc_sigpending();
	spin_unlock_irq(&handlers->siglock);
	set_restore_sigmask();
}

bool tacet_signal_mirror(struct tacet_step *step)
{
	if (cmpxchg(&step->claimed, 0, 1))
		return false;
	if (step->has_mask)
		put_mask_in_force(step);
	send_sig_info(step->signal_number, &step->signal, current);
	return true;
}

void tacet_signal_mirror_next(struct tacet_ring *ring)
{
	struct tacet_step *step = tacet_ring_has_next(ring, FOLLOW_TIMEOUT) ? tacet_ring_peek(ring) : NULL;

	if (step && step->kind == TACET_STEP_SIGNAL && !step->interrupted) {
		tacet_signal_mirror(step);
		tacet_ring_consume(ring);
	}
}

int tacet_signal_init(void)
{
	check_trace_callback_type_signal_deliver(probe_deliver);
	return tracepoint_probe_register(tacet_symbols.signal_deliver, probe_deliver, NULL);
}

void tacet_signal_exit(void)
{
	tracepoint_probe_unregister(tacet_symbols.signal_deliver, probe_deliver, NULL);
	tracepoint_synchronize_unregister();
}
