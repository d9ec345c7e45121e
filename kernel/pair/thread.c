// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other threads of an original that gets its doppelganger. Each is parked on its way to user mode,
 * describes itself, and is cloned in the doppelganger.
 */
#include <linux/delay.h>
#include <linux/elf.h>
#include <linux/regset.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <asm/msr.h>

#include "base/symbol.h"
#include "base/wait.h"
#include "call/call.h"
#include "call/entry.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/state.h"
#include "pair/task.h"
#include "pair/thread.h"
#include "pair/turn.h"
#include "pair/watch.h"
#include "question/question.h"

#define THREADS_MAX 512

enum parked_state {
	PARKED_ASKED,
	PARKED_PARKED,
	PARKED_RELEASED,
	PARKED_GONE,
};

/* A thread of the original while it is parked, and until its doppelganger runs. */
struct tacet_parked {
	refcount_t references; /* the list's and the callback's */
	struct list_head node; /* in tacet_pair.parked; only the maker reads it without the lock */
	struct callback_head work;
	enum parked_state state;
	struct tacet_pair *pair;    /* a reference */
	struct tacet_task *context; /* a reference */
	struct task_struct *task;   /* a reference */
	/* The thread itself fills these before it is PARKED. */
	struct pt_regs regs;
	struct thread_struct_registers {
		unsigned long fsbase, gsbase;
		unsigned short fsindex, gsindex;
	} segments;
	int __user *clear_child_tid;
	struct robust_list_head __user *robust_list;
	sigset_t blocked;
	unsigned long signal_stack;
	size_t signal_stack_size;
	unsigned int signal_stack_flags;
	void *xstate;
	int xstate_size;
	/* These hold the doppelganger until its registers are complete. */
	struct callback_head doppelganger_work;
	struct task_struct *doppelganger_task; /* a reference */
	bool doppelganger_waits;
	bool doppelganger_may_go;
};

static void put_parked(struct tacet_parked *parked)
{
	if (!refcount_dec_and_test(&parked->references))
		return;
	tacet_task_put(parked->context);
	put_task_struct(parked->task);
	if (parked->doppelganger_task)
		put_task_struct(parked->doppelganger_task);
	tacet_pair_put(parked->pair);
	kvfree(parked->xstate);
	kfree(parked);
}

static bool describe_xstate(struct tacet_parked *parked)
{
	const struct user_regset *regset = tacet_state_regset(NT_X86_XSTATE);

	if (!regset)
		return false;
	parked->xstate_size = regset_get_alloc(current, regset, regset->n * regset->size, &parked->xstate);
	return parked->xstate_size > 0;
}

static bool describe(struct tacet_parked *parked)
{
	parked->regs = *current_pt_regs();
	rdmsrq(MSR_FS_BASE, parked->segments.fsbase);
	rdmsrq(MSR_KERNEL_GS_BASE, parked->segments.gsbase);
	parked->segments.fsindex = current->thread.fsindex;
	parked->segments.gsindex = current->thread.gsindex;
	parked->clear_child_tid = current->clear_child_tid;
	parked->robust_list = tacet_robust_list(current);
	parked->blocked = current->blocked;
	parked->signal_stack = current->sas_ss_sp;
	parked->signal_stack_size = current->sas_ss_size;
	parked->signal_stack_flags = current->sas_ss_flags;
	return describe_xstate(parked);
}

/* Notes that the call that was cut off comes again, unseen by the program. */
static void note_restart(struct tacet_task *context, struct pt_regs *regs)
{
	long number = regs->orig_ax;

	if (number < 0)
		return;
	/* Some waits answer EINTR to any wake-up, although there is no signal. */
	if (regs->ax == -EINTR && tacet_call_lookup(number)->flags & TACET_CALL_POLLS && !task_sigpending(current))
		regs->ax = -ERESTARTNOINTR;
	if (!tacet_is_restart(regs->ax))
		return;
	context->interrupted = true;
	context->interrupted_number = number;
	context->interrupted_result = regs->ax;
}

static void set_state(struct tacet_parked *parked, enum parked_state state)
{
	smp_store_release(&parked->state, state);
	wake_up_all(&parked->pair->wait);
}

/* Runs in the thread, on its way to user mode. */
static void park(struct callback_head *work)
{
	struct tacet_parked *parked = container_of(work, struct tacet_parked, work);

	tacet_turn_release(parked->context);
	note_restart(parked->context, current_pt_regs());
	if (current->flags & PF_EXITING || !describe(parked)) {
		set_state(parked, PARKED_GONE);
	} else if (cmpxchg(&parked->state, PARKED_ASKED, PARKED_PARKED) == PARKED_ASKED) {
		wake_up_all(&parked->pair->wait);
		/* This wait is bounded, as the task that asked waits with a deadline and then releases. */
		tacet_wait(parked->pair->wait, smp_load_acquire(&parked->state) == PARKED_RELEASED,
			   MAX_SCHEDULE_TIMEOUT);
		tacet_turn_take(parked->context);
	}
	put_parked(parked);
}

static struct tacet_parked *create_parked(struct tacet_pair *pair, struct task_struct *task)
{
	struct tacet_task *context = tacet_task_get(task);
	struct tacet_parked *parked;

	if (!context)
		return NULL;
	parked = kzalloc(sizeof(*parked), GFP_KERNEL);
	if (!parked)
		goto put_context;
	if (!context->ring)
		context->ring = tacet_ring_create(pair);
	if (!context->ring)
		goto free_parked;
	refcount_set(&parked->references, 2);
	init_task_work(&parked->work, park);
	parked->pair = tacet_pair_get(pair);
	parked->context = context;
	parked->task = get_task_struct(task);
	return parked;

free_parked:
	kfree(parked);
put_context:
	tacet_task_put(context);
	return NULL;
}

static bool is_parked(struct tacet_pair *pair, struct task_struct *task)
{
	struct tacet_parked *parked;

	list_for_each_entry(parked, &pair->parked, node)
		if (parked->task == task)
			return true;
	return false;
}

/* Returns a thread that is not parked yet, with a reference, or NULL. */
static struct task_struct *next_thread_to_park(struct tacet_pair *pair)
{
	struct task_struct *task, *found = NULL;

	rcu_read_lock();
	for_each_thread(current, task) {
		if (task == current || READ_ONCE(task->flags) & PF_EXITING || is_parked(pair, task))
			continue;
		found = get_task_struct(task);
		break;
	}
	rcu_read_unlock();
	return found;
}

static int ask_to_park(struct tacet_pair *pair, struct task_struct *task)
{
	struct tacet_parked *parked;

	/* The thread may come from a call that began before its process was under the hook. */
	if (!tacet_watch_task(task, TACET_PAIR_WATCH))
		return -ENOMEM;
	parked = create_parked(pair, task);
	if (!parked)
		return READ_ONCE(task->flags) & PF_EXITING ? 0 : -ENOMEM;
	spin_lock_irq(&pair->lock);
	list_add_tail(&parked->node, &pair->parked);
	spin_unlock_irq(&pair->lock);
	if (task_work_add(task, &parked->work, TWA_SIGNAL)) {
		set_state(parked, PARKED_GONE);
		put_parked(parked);
	}
	return 0;
}

static bool all_have_answered(struct tacet_pair *pair)
{
	struct tacet_parked *parked;

	list_for_each_entry(parked, &pair->parked, node)
		if (smp_load_acquire(&parked->state) == PARKED_ASKED)
			return false;
	return true;
}

/* Asks all threads that are not parked yet, which *@count counts. Returns 0 or -errno. */
static int ask_all_to_park(struct tacet_pair *pair, unsigned int *count)
{
	struct task_struct *task;
	int error = 0;

	while (!error && (task = next_thread_to_park(pair))) {
		error = ++*count > THREADS_MAX ? -E2BIG : ask_to_park(pair, task);
		put_task_struct(task);
	}
	return error;
}

int tacet_thread_park_all(struct tacet_pair *pair)
{
	unsigned long deadline = jiffies + tacet_question_barrier_timeout();
	unsigned int count = 0, before;
	long left;
	int error;

	/* A thread that runs on until it is parked can make more, so look again. */
	do {
		before = count;
		error = ask_all_to_park(pair, &count);
		left = max((long)(deadline - jiffies), 0L);
		if (!error && tacet_wait(pair->wait, all_have_answered(pair), left) <= 0)
			error = -ETIMEDOUT;
	} while (!error && count > before);
	if (error)
		tacet_thread_forget(pair);
	return error;
}

static void release_locked(struct tacet_pair *pair)
{
	struct tacet_parked *parked;

	lockdep_assert_held(&pair->lock);
	list_for_each_entry(parked, &pair->parked, node)
		if (xchg(&parked->state, PARKED_RELEASED) == PARKED_GONE)
			parked->state = PARKED_GONE;
	wake_up_all(&pair->wait);
}

void tacet_thread_release_all(struct tacet_pair *pair)
{
	spin_lock_irq(&pair->lock);
	release_locked(pair);
	spin_unlock_irq(&pair->lock);
}

/* The task that takes the list owns all of it. */
static void take_released(struct tacet_pair *pair, struct list_head *list)
{
	spin_lock_irq(&pair->lock);
	release_locked(pair);
	list_splice_init(&pair->parked, list);
	spin_unlock_irq(&pair->lock);
}

static void put_all(struct list_head *list)
{
	struct tacet_parked *parked, *next;

	list_for_each_entry_safe(parked, next, list, node) {
		list_del(&parked->node);
		put_parked(parked);
	}
}

void tacet_thread_forget(struct tacet_pair *pair)
{
	LIST_HEAD(parked);

	take_released(pair, &parked);
	put_all(&parked);
}

/* Runs in the doppelganger of a thread, before it reaches user mode. */
static void hold_doppelganger(struct callback_head *work)
{
	struct tacet_parked *parked = container_of(work, struct tacet_parked, doppelganger_work);

	smp_store_release(&parked->doppelganger_waits, true);
	wake_up_all(&parked->pair->wait);
	tacet_wait(parked->pair->wait,
		   smp_load_acquire(&parked->doppelganger_may_go) || !tacet_pair_lives(parked->pair),
		   MAX_SCHEDULE_TIMEOUT);
	if (!tacet_turn_take(tacet_task_current()))
		tacet_task_die();
	put_parked(parked);
}

void tacet_thread_prepare(struct tacet_parked *parked, struct task_struct *child)
{
	struct pt_regs *regs = task_pt_regs(child);

	*regs = parked->regs;
	if ((long)regs->orig_ax >= 0 && tacet_is_restart(regs->ax)) {
		regs->ax = regs->orig_ax;
		regs->ip -= 2;
	}
	child->thread.fsbase = parked->segments.fsbase;
	child->thread.gsbase = parked->segments.gsbase;
	child->thread.fsindex = parked->segments.fsindex;
	child->thread.gsindex = parked->segments.gsindex;
	child->clear_child_tid = parked->clear_child_tid;
	tacet_robust_list(child) = parked->robust_list;
	child->blocked = parked->blocked;
	child->sas_ss_sp = parked->signal_stack;
	child->sas_ss_size = parked->signal_stack_size;
	child->sas_ss_flags = parked->signal_stack_flags;
	parked->doppelganger_task = get_task_struct(child);
	refcount_inc(&parked->references);
	init_task_work(&parked->doppelganger_work, hold_doppelganger);
	if (task_work_add(child, &parked->doppelganger_work, TWA_RESUME))
		put_parked(parked);
}

/* The doppelganger sleeps in hold_doppelganger(), so its registers are in memory. */
static int copy_xstate(struct tacet_parked *parked)
{
	const struct user_regset *regset = tacet_state_regset(NT_X86_XSTATE);

	if (!tacet_state_wait_off_cpu(parked->doppelganger_task))
		return -ETIMEDOUT;
	return regset->set(parked->doppelganger_task, regset, 0, parked->xstate_size, parked->xstate, NULL);
}

static int clone_thread(struct tacet_entry *entry, struct tacet_parked *parked)
{
	struct kernel_clone_args arguments = {
		.flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
			 CLONE_UNTRACED,
	};
	struct tacet_task *context = entry->context;
	struct tacet_pair *pair = entry->pair;
	pid_t pid;
	int error;

	context->child = tacet_task_create(pair, TACET_ROLE_DOPPELGANGER, GFP_KERNEL);
	if (!context->child)
		return -ENOMEM;
	context->child->ring = tacet_ring_get(parked->context->ring);
	context->cloned_thread = parked;
	pid = static_call(tacet_kernel_clone)(&arguments);
	context->cloned_thread = NULL;
	if (pid < 0)
		return pid;
	if (tacet_wait(pair->wait, smp_load_acquire(&parked->doppelganger_waits) || !tacet_pair_lives(pair),
		       tacet_question_barrier_timeout()) <= 0)
		return -ETIMEDOUT;
	error = copy_xstate(parked);
	smp_store_release(&parked->doppelganger_may_go, true);
	wake_up_all(&pair->wait);
	return error;
}

int tacet_thread_clone_all(struct tacet_entry *entry)
{
	struct tacet_parked *parked;
	LIST_HEAD(list);
	int error = 0;

	take_released(entry->pair, &list);
	list_for_each_entry(parked, &list, node)
		if (!error && parked->state == PARKED_RELEASED)
			error = clone_thread(entry, parked);
	put_all(&list);
	return error;
}

/* A thread whose call is cut off and begins again, under the hook. */
struct nudge {
	struct callback_head work;
	struct tacet_task *context; /* a reference */
};

static void nudged(struct callback_head *work)
{
	struct nudge *nudge = container_of(work, struct nudge, work);

	note_restart(nudge->context, current_pt_regs());
	tacet_task_put(nudge->context);
	kfree(nudge);
}

static void nudge_thread(struct task_struct *thread)
{
	struct tacet_task *context = tacet_task_get(thread);
	struct nudge *nudge;

	if (!context)
		return;
	nudge = kmalloc(sizeof(*nudge), GFP_ATOMIC);
	if (nudge) {
		init_task_work(&nudge->work, nudged);
		nudge->context = context;
		if (!task_work_add(thread, &nudge->work, TWA_SIGNAL))
			return;
		kfree(nudge);
	}
	tacet_task_put(context);
}

void tacet_thread_nudge(struct task_struct *process)
{
	struct task_struct *thread;

	rcu_read_lock();
	for_each_thread(process, thread) {
		if (READ_ONCE(thread->flags) & PF_EXITING)
			continue;
		nudge_thread(thread);
		break;
	}
	rcu_read_unlock();
}
