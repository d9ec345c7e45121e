/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's work queue. */
#ifndef _TACET_BASE_WORK_H
#define _TACET_BASE_WORK_H

#include <linux/workqueue.h>

/* The queue is unbound, and its work may sleep. */
extern struct workqueue_struct *tacet_workqueue;

int tacet_work_init(void);
/*
 * Waits for all work that is queued, also behind a grace period of RCU. The caller makes sure that
 * nobody queues work any more.
 */
void tacet_work_exit(void);

#endif
