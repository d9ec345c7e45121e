// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process may come into a session with memory that it had before, as the session's display server does. What it writes
 * there from then on is the session's, so that these pages are cleared when they are freed, too.
 */
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <trace/events/cgroup.h>

#include "base/symbol.h"
#include "base/work.h"
#include "memory/adopt.h"
#include "memory/owner.h"
#include "session/arrival.h"
#include "session/session.h"

/**
 * struct arrival - a process that came into a session
 * @work: marks its pages
 * @task: has a reference
 */
struct arrival {
	struct work_struct work;
	struct task_struct *task;
};

void tacet_session_adopt(struct mm_struct *mm)
{
	/*
	 * A fork has left some of the pages to processes outside as well. With the session's own mark they would be
	 * swapped out with its key, and be lost for all when it ends.
	 */
	tacet_page_adopt(mm, TACET_OWNER_UNKNOWN);
}

static void adopt(struct work_struct *work)
{
	struct arrival *arrival = container_of(work, struct arrival, work);
	struct mm_struct *mm = get_task_mm(arrival->task);

	if (mm) {
		tacet_session_adopt(mm);
		mmput_async(mm);
	}
	put_task_struct(arrival->task);
	kfree(arrival);
}

/* Runs with interrupts off. Without memory for the work, the pages that are there now stay as they are. */
static void probe_attach(void *data, struct cgroup *to, const char *path, struct task_struct *task, bool whole)
{
	struct arrival *arrival;

	tacet_owner_changed();
	if (!tacet_session_any() || tacet_session_owner_of_task(task) == TACET_OWNER_NONE)
		return;
	arrival = kmalloc(sizeof(*arrival), GFP_ATOMIC);
	if (!arrival) {
		pr_warn_ratelimited("memory that a process had before it came into its session is not cleared\n");
		return;
	}
	INIT_WORK(&arrival->work, adopt);
	arrival->task = get_task_struct(task);
	queue_work(tacet_workqueue, &arrival->work);
}

int tacet_session_arrival_init(void)
{
	check_trace_callback_type_cgroup_attach_task(probe_attach);
	return tracepoint_probe_register(tacet_symbols.attach, probe_attach, NULL);
}

void tacet_session_arrival_exit(void)
{
	tracepoint_probe_unregister(tacet_symbols.attach, probe_attach, NULL);
	tracepoint_synchronize_unregister();
}
