// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every few seconds a worker visits the processes that are covered, and clears what no probe or hook sees: their stacks, the page that a thread
 * sent from, shared memory and pipes. It also looks whether owners ran since, and marks what programs had before they were chosen.
 */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "base/work.h"
#include "memory/adopt.h"
#include "memory/owner.h"
#include "memory/round.h"
#include "memory/stack.h"

/* A stack is cleared at the latest 5 s after its functions have returned, as a round takes time, too. */
#define PERIOD (4 * HZ)
#define PROCESSES_MAX 4096
/* After a change of the policy, so many rounds mark what was locked then, or on its way to swap. */
#define ADOPTIONS 3

/* Both are set once, at load. */
static bool (*clears_stack)(struct task_struct *process);
static u8 (*owner_of)(struct task_struct *task);

static bool goes_on;
/* So many rounds are still to do that. */
static atomic_t adoptions = ATOMIC_INIT(0);

/* The processor time of all tasks that have an owner. When one of them has ended it is another number, too. */
static u64 time_of_owners(void)
{
	struct task_struct *process, *thread;
	u64 time = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		if (owner_of(thread) != TACET_OWNER_NONE)
			time += READ_ONCE(thread->se.sum_exec_runtime);
	rcu_read_unlock();
	return time;
}

static void note_activity(void)
{
	static u64 time_before_this;
	u64 time = time_of_owners();

	if (time != time_before_this)
		tacet_owner_note();
	time_before_this = time;
}

/* Gets references to the processes that have an owner, up to PROCESSES_MAX. Returns how many. */
static unsigned int get_processes(struct task_struct **processes)
{
	struct task_struct *process;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_process(process) {
		if (count == PROCESSES_MAX)
			break;
		if (owner_of(process) != TACET_OWNER_NONE)
			processes[count++] = get_task_struct(process);
	}
	rcu_read_unlock();
	return count;
}

static void clear_and_adopt(struct task_struct *process)
{
	bool has_stack;
	u8 owner;

	rcu_read_lock();
	owner = owner_of(process);
	has_stack = clears_stack(process);
	rcu_read_unlock();
	if (has_stack)
		tacet_stack_clear_process(process);
	tacet_adopt_shared(process, owner);
}

static bool is_program(struct task_struct *process)
{
	bool result;

	rcu_read_lock();
	result = owner_of(process) == TACET_OWNER_PROGRAM;
	rcu_read_unlock();
	return result;
}

static void adopt_own(struct task_struct *process)
{
	if (is_program(process))
		tacet_adopt_own(process);
}

static void adopt_own_and_shared(struct task_struct *process)
{
	adopt_own(process);
	if (is_program(process))
		tacet_adopt_shared(process, TACET_OWNER_PROGRAM);
}

static void visit_processes(void (*visit)(struct task_struct *process))
{
	struct task_struct **processes = kvmalloc_array(PROCESSES_MAX, sizeof(*processes), GFP_KERNEL);
	unsigned int count, i;

	if (!processes)
		return;
	count = get_processes(processes);
	for (i = 0; i < count; i++) {
		visit(processes[i]);
		put_task_struct(processes[i]);
	}
	kvfree(processes);
}

void tacet_round_adopt(void)
{
	atomic_set(&adoptions, ADOPTIONS);
	visit_processes(adopt_own_and_shared);
}

static void go_round(struct work_struct *work);
static DECLARE_DELAYED_WORK(round, go_round);

static void go_round(struct work_struct *work)
{
	if (atomic_read(&tacet_owner_count)) {
		note_activity();
		visit_processes(clear_and_adopt);
		if (atomic_add_unless(&adoptions, -1, 0))
			visit_processes(adopt_own);
	}
	if (READ_ONCE(goes_on))
		queue_delayed_work(tacet_workqueue, &round, PERIOD);
}

void tacet_round_start(void)
{
	WRITE_ONCE(goes_on, true);
	queue_delayed_work(tacet_workqueue, &round, PERIOD);
}

void tacet_round_stop(void)
{
	WRITE_ONCE(goes_on, false);
	cancel_delayed_work(&round);
}

void tacet_round_exit(void)
{
	cancel_delayed_work_sync(&round);
	tacet_stack_clear_exit();
}

void tacet_round_init(bool (*stack_is_cleared)(struct task_struct *process), u8 (*of_task)(struct task_struct *task))
{
	clears_stack = stack_is_cleared;
	owner_of = of_task;
}
