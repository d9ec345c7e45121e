// SPDX-License-Identifier: GPL-2.0-only
/* The doppelganger handles the signals that its original has handled, between the same calls. */
#include <linux/sched/signal.h>

#include "pair/ring.h"
#include "pair/signal.h"

/* The time for which the doppelganger waits for the signal that may follow a call. */
#define FOLLOW_TIMEOUT (HZ / 10)

/* As with sigsuspend and the like, the mask holds for the handler, and the old one comes back after it. */
static void put_mask_in_force(const struct tacet_step *step)
{
	/* A task's own handlers cannot go away. */
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
