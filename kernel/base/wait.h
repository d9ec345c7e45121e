/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits of tasks under the hook. They are killable, freezable and bounded. */
#ifndef _TACET_BASE_WAIT_H
#define _TACET_BASE_WAIT_H

#include <linux/sched.h>
#include <linux/wait.h>

/*
 * Spins briefly, as the other side runs on another CPU and is about to answer. Then it sleeps, killable
 * and freezable. A result > 0 means that the condition holds, 0 that @timeout jiffies have passed, and
 * < 0 a fatal signal.
 */
#define tacet_wait_spinning(spins, queue, condition, timeout)                               \
	({                                                                                  \
		long __left = (timeout);                                                    \
		int __spins = (spins);                                                      \
                                                                                            \
		while (!(condition) && __spins-- > 0 && !need_resched())                    \
			cpu_relax();                                                        \
		if (!(condition))                                                           \
			__left = ___wait_event(queue, ___wait_cond_timeout(condition),      \
					       (TASK_KILLABLE | TASK_FREEZABLE), 0, __left, \
					       __ret = schedule_timeout(__ret));            \
		else                                                                        \
			__left = 1;                                                         \
		__left;                                                                     \
	})

/* Does the same without spinning, for conditions that seldom come true soon. */
#define tacet_wait(queue, condition, timeout) tacet_wait_spinning(0, queue, condition, timeout)

#endif
