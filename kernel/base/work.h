/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's work queue. */
#ifndef _TACET_BASE_WORK_H
#define _TACET_BASE_WORK_H

#include <linux/workqueue.h>

/* Unbound; its work may sleep. */
extern struct workqueue_struct *tacet_workqueue;

int tacet_work_init(void);
/* Nobody queues work any more. Waits for all that is queued, also behind a grace period of RCU. */
void tacet_work_exit(void);

#endif
