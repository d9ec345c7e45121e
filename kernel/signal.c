// SPDX-License-Identifier: GPL-2.0-only
/* Signals that the original handles are handled by the doppelganger between the same calls. */
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>
#include <trace/events/signal.h>

#include "engine.h"

#define FAULTS (sigmask(SIGSEGV) | sigmask(SIGBUS) | sigmask(SIGILL) | sigmask(SIGFPE) | sigmask(SIGTRAP) | \
		sigmask(SIGSYS))

/* Raised by the task's own instruction: the doppelganger's raises its own. */
static bool is_own_fault(int number, const struct kernel_siginfo *info)
{
	return siginmask(number, FAULTS) && info->si_code > 0;
}

/* In the original, its siglock held. */
static void probe_deliver(void *data, int number, struct kernel_siginfo *info, struct k_sigaction *action)
{
	struct tacet_task *context = tacet_task_current();
	struct tacet_step *step;
	struct tacet_pair *pair;

	if (!context || context->role != TACET_ROLE_ORIGINAL || !context->ring)
		return;
	pair = tacet_task_pair(context);
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
	context->interrupted = false;
	tacet_ring_publish(context->ring);
}

void tacet_signal_mirror(struct tacet_step *step)
{
	send_sig_info(step->signal_number, &step->signal, current);
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
