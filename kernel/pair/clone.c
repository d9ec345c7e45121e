// SPDX-License-Identifier: GPL-2.0-only
/* Makes a doppelganger: a fork of the original that repeats the call in which it was made. */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/prctl.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/blob.h"
#include "base/counter.h"
#include "base/feature.h"
#include "base/symbol.h"
#include "base/wait.h"
#include "call/entry.h"
#include "call/run.h"
#include "pair/clone.h"
#include "pair/mapping.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/thread.h"
#include "pair/turn.h"
#include "pair/vdso.h"
#include "question/question.h"

/* The time for which unloading waits for doppelgangers that are ending. */
#define CHILDREN_TIMEOUT (10 * HZ)

/*
 * The adopter is the parent of doppelgangers, so that no other parent's wait() sees them. It ignores
 * SIGCHLD, so that they vanish by themselves.
 */
static struct task_struct *adopter;

static int adopt(void *unused)
{
	while (!kthread_should_stop()) {
		set_current_state(TASK_IDLE);
		if (!kthread_should_stop())
			schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

int tacet_clone_init(void)
{
	adopter = kthread_run(adopt, NULL, "tacet_adopter");
	if (IS_ERR(adopter))
		return PTR_ERR(adopter);
	tacet_pair_set_ended(tacet_thread_forget);
	tacet_feature_set(TACET_FEATURE_DOPPELGANGERS, true);
	return 0;
}

/*
 * The last doppelgangers have left the table, and are still on their way out. One that cannot get there,
 * because a device or a server hangs, becomes the child of init.
 */
void tacet_clone_exit(void)
{
	unsigned long deadline = jiffies + CHILDREN_TIMEOUT;

	while (!list_empty_careful(&adopter->children) && time_before(jiffies, deadline))
		schedule_timeout_uninterruptible(1);
	kthread_stop(adopter);
}

void tacet_clone_adopt(struct task_struct *leader)
{
	write_lock_irq(tacet_symbol_tasklist_lock());
	list_move_tail(&leader->sibling, &adopter->children);
	RCU_INIT_POINTER(leader->real_parent, adopter);
	if (!leader->ptrace)
		RCU_INIT_POINTER(leader->parent, adopter);
	leader->exit_signal = SIGCHLD;
	write_unlock_irq(tacet_symbol_tasklist_lock());
}

void tacet_clone_prepare(struct tacet_task *parent, struct task_struct *child)
{
	struct pt_regs *regs = task_pt_regs(child);

	if (parent->cloned_thread) {
		tacet_thread_prepare(parent->cloned_thread, child);
		return;
	}
	/* The registers go back to before the system call instruction, so that the call is made once more. */
	regs->ax = regs->orig_ax;
	regs->ip -= 2;
	/* A fork does not copy these. If the original is one of several threads, others wait for them. */
	child->clear_child_tid = current->clear_child_tid;
	tacet_robust_list(child) = tacet_robust_list(current);
}

static struct tacet_task *prepare_doppelganger(struct tacet_task *context, struct tacet_pair *pair)
{
	struct tacet_task *born;

	if (!context->ring)
		context->ring = tacet_ring_create(pair);
	if (!context->ring)
		return NULL;
	born = tacet_task_create(pair, TACET_ROLE_DOPPELGANGER, GFP_KERNEL);
	if (born)
		born->ring = tacet_ring_get(context->ring);
	return born;
}

bool tacet_clone_has_asynchronous_input(struct task_struct *process)
{
	struct task_struct *thread;
	bool has = false;

	rcu_read_lock();
	for_each_thread(process, thread) {
		task_lock(thread);
		has = has || READ_ONCE(thread->io_uring) || (thread->mm && rcu_access_pointer(thread->mm->ioctx_table));
		task_unlock(thread);
	}
	rcu_read_unlock();
	return has;
}

static const char *clone_now(struct tacet_task *context, struct tacet_pair *pair)
{
	struct kernel_clone_args arguments = { .flags = CLONE_UNTRACED };
	const char *failure = NULL;
	pid_t pid;

	if (tacet_clone_has_asynchronous_input(current))
		return "asynchronous-input";
	if (tacet_vdso_patch())
		return "vdso-not-patched";
	context->child = prepare_doppelganger(context, pair);
	if (!context->child)
		return "no-memory";
	if (get_nr_threads(current) > 1 && tacet_thread_park_all(pair)) {
		failure = "threads-not-parked";
		goto put_child;
	}
	if (!list_empty_careful(&pair->parked)) {
		if (tacet_turn_prepare(pair)) {
			tacet_thread_forget(pair);
			failure = "no-memory";
			goto put_child;
		}
		tacet_turn_begin(pair);
		tacet_turn_begin_doppelganger(pair);
	}
	tacet_mapping_copy_shared(&pair->memory_copies);
	context->cloning = true;
	pid = static_call(tacet_kernel_clone)(&arguments);
	context->cloning = false;
	if (pid < 0 && pair->turns)
		tacet_turn_call_off(pair);
	if (pid < 0)
		tacet_mapping_forget_copies(&pair->memory_copies);
	/*
	 * The threads are released before the doppelganger may take over their list. Calls that they
	 * make until then may come again.
	 */
	tacet_thread_release_all(pair);
	if (pid >= 0)
		tacet_counter_add(TACET_COUNTER_PAIRS);
	else if (pid != -ERESTARTNOINTR)
		failure = "clone-refused";
	if (pid < 0 || !tacet_pair_change(pair, TACET_PAIR_WANT, TACET_PAIR_PAIRED))
		tacet_thread_forget(pair);
put_child:
	if (context->child) {
		tacet_task_put(context->child);
		context->child = NULL;
	}
	return failure;
}

void tacet_clone_doppelganger(struct tacet_entry *entry)
{
	struct tacet_pair *pair = entry->pair;
	const char *failure;

	/* One thread makes the doppelganger. The others are parked, at the latest when they come back here. */
	if (cmpxchg(&pair->maker, NULL, current)) {
		set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
		schedule_timeout_killable(1);
		return;
	}
	if (tacet_pair_state(pair) == TACET_PAIR_WANT) {
		failure = clone_now(entry->context, pair);
		if (failure)
			tacet_pair_taint(pair, failure);
	}
	WRITE_ONCE(pair->maker, NULL);
	/* A signal came in between. The restart of the call needs work at the exit. */
	if (tacet_pair_state(pair) == TACET_PAIR_WANT)
		set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
}

static void leave_group(void)
{
	/* Signals to the original's group, such as Ctrl-C, come through the ring. */
	tacet_run_other(__NR_setpgid, 0, 0, 0, 0);
	/* Nobody else may look into the doppelganger, and its death leaves no core file. */
	tacet_run_other(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0);
	/* When memory is short, the doppelganger is killed before the program. */
	current->signal->oom_score_adj = OOM_SCORE_ADJ_MAX;
}

/* Tells whether this is a mapping through which the doppelganger would see labelled data, or be seen. */
static bool is_the_originals(const struct vm_area_struct *area)
{
	return tacet_mapping_is_labelled(area) || tacet_mapping_is_stored_through(area);
}

/*
 * Gives the doppelganger of a program that was just started its own arguments and environment. Returns
 * 0 or -errno.
 */
static int restore_strings(struct tacet_pair *pair)
{
	struct tacet_blob *strings = pair->exec_strings;
	unsigned long start = current->mm->arg_start;
	int error = 0;

	if (!strings)
		return 0;
	/*
	 * The strings lie in one piece. With another length they would have to move, and all pointers
	 * to them change.
	 */
	if (current->mm->env_end - start != strings->length)
		error = -ENOSPC;
	else if (copy_to_user((void __user *)start, strings->data, strings->length))
		error = -EFAULT;
	pair->exec_strings = NULL;
	tacet_blob_release(strings);
	kfree(strings);
	return error;
}

static const char *arrange(struct tacet_entry *entry)
{
	/*
	 * The doppelganger never uses files, so close all of them. It must not keep any open after the
	 * original closes it.
	 */
	tacet_run_other(__NR_close_range, 0, UINT_MAX, 0, 0);
	if (!tacet_mapping_replace(is_the_originals, &entry->pair->memory_copies))
		return "mappings-not-replaced";
	tacet_mapping_forget_copies(&entry->pair->memory_copies);
	if (restore_strings(entry->pair))
		return "arguments-of-other-length";
	if (tacet_thread_clone_all(entry))
		return "threads-not-cloned";
	return NULL;
}

bool tacet_clone_arrange(struct tacet_entry *entry)
{
	struct tacet_pair *pair = entry->pair;
	const char *failure = NULL;

	entry->context->arranged = true;
	if (tacet_wait(pair->wait, tacet_pair_state(pair) != TACET_PAIR_WANT, tacet_question_barrier_timeout()) <= 0)
		return false;
	if (!thread_group_leader(current))
		return tacet_pair_is_followed(pair);
	leave_group();
	if (!entry->context->inherits && tacet_pair_is_followed(pair))
		failure = arrange(entry);
	if (failure)
		tacet_pair_taint(pair, failure);
	return !failure && tacet_pair_is_followed(pair);
}
