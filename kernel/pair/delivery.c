// SPDX-License-Identifier: GPL-2.0-only
/* A probe of the tracepoint puts each signal that is delivered to the original into the ring for the doppelganger. */
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>
#include <trace/events/signal.h>

#include "base/symbol.h"
#include "base/work.h"
#include "pair/delivery.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"

#define LATE (HZ / 20)

#define FAULTS \
	(sigmask(SIGSEGV) | sigmask(SIGBUS) | sigmask(SIGILL) | sigmask(SIGFPE) | sigmask(SIGTRAP) | sigmask(SIGSYS))

/*
 * The task's own instruction raised such a signal, and the doppelganger's raises its own. But no filter
 * judges the doppelganger's calls.
 */
static bool is_own_fault(int number, const struct kernel_siginfo *info)
{
	if (number == SIGSYS && info->si_code == SYS_SECCOMP)
		return false;
	return siginmask(number, FAULTS) && info->si_code > 0;
}

static void expect_late(struct tacet_ring *ring)
{
	tacet_ring_get(ring);
	if (!queue_delayed_work(tacet_workqueue, &ring->late_signal, LATE))
		refcount_dec(&ring->references);
}

/*
 * A doppelganger that computes makes no call at which it would find the signal. It may even wait for
 * just this signal. So it gets the signal where it is.
 */
static void deliver_late(struct work_struct *work)
{
	struct tacet_ring *ring = container_of(to_delayed_work(work), struct tacet_ring, late_signal);
	u32 tail = smp_load_acquire(&ring->tail), i;
	struct tacet_step *step = &ring->steps[tail % TACET_RING_STEPS];
	bool waits = false;

	for (i = tail; i != smp_load_acquire(&ring->head); i++)
		waits = waits || ring->steps[i % TACET_RING_STEPS].kind == TACET_STEP_SIGNAL;
	if (waits && tacet_pair_lives(ring->pair)) {
		if (step->kind == TACET_STEP_SIGNAL && !step->interrupted && ring->doppelganger_task &&
		    !cmpxchg(&step->claimed, 0, 1))
			send_sig_info(step->signal_number, &step->signal, ring->doppelganger_task);
		expect_late(ring);
	}
	tacet_ring_put(ring);
}

/* Runs in the original, with its siglock held. */
static void probe_deliver(void *data, int number, struct kernel_siginfo *info, struct k_sigaction *action)
{
	struct tacet_task *context = tacet_task_current();
	struct tacet_step *step;
	struct tacet_pair *pair;

	if (!context || context->role != TACET_ROLE_ORIGINAL)
		return;
	pair = tacet_task_pair(context);
	if (!context->ring)
		return;
	if (!tacet_pair_lives(pair) || action->sa.sa_handler == SIG_DFL || action->sa.sa_handler == SIG_IGN ||
	    is_own_fault(number, info))
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
	/* The first signal prepares the work. Only this thread queues it before it has run. */
	if (!context->ring->late_signal.work.func)
		INIT_DELAYED_WORK(&context->ring->late_signal, deliver_late);
	if (context->interrupted)
		tacet_turn_expect(context, current);
	context->interrupted = false;
	context->scratch_kept = false;
	tacet_ring_publish(context->ring);
	expect_late(context->ring);
}

int tacet_delivery_init(void)
{
	check_trace_callback_type_signal_deliver(probe_deliver);
	return tracepoint_probe_register(tacet_symbols.signal_deliver, probe_deliver, NULL);
}

void tacet_delivery_exit(void)
{
	tracepoint_probe_unregister(tacet_symbols.signal_deliver, probe_deliver, NULL);
	tracepoint_synchronize_unregister();
}
