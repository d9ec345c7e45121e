// SPDX-License-Identifier: GPL-2.0-only
/* The module's work queue. It outlives every part that queues work. */
#include "base/work.h"

struct workqueue_struct *tacet_workqueue;

int tacet_work_init(void)
{
	tacet_workqueue = alloc_workqueue("tacet", WQ_UNBOUND, 0);
	return tacet_workqueue ? 0 : -ENOMEM;
}

void tacet_work_exit(void)
{
	rcu_barrier();
	destroy_workqueue(tacet_workqueue);
}
