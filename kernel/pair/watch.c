// SPDX-License-Identifier: GPL-2.0-only
/* Brings processes under the hook that read a labelled file, or may get derived data. */
#include <linux/fs.h>
#include <linux/sched/signal.h>

#include "call/call.h"
#include "event/notice.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "memory/adopt.h"
#include "memory/clear.h"
#include "memory/owner.h"
#include "memory/policy.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"
#include "session/session.h"
#include "sink/sink.h"

/* All threads of a process get the same pair. This lock is taken before the buckets' locks. */
static DEFINE_SPINLOCK(birth_lock);

/* Returns a reference to the pair that a thread of the process has already, or to a new one. NULL means no memory. */
static struct tacet_pair *pair_of_process(struct task_struct *task, enum tacet_pair_state state)
{
	struct task_struct *thread;
	struct tacet_task *context;
	struct tacet_pair *pair;

	lockdep_assert_held(&birth_lock);
	for_each_thread(task, thread) {
		context = tacet_task_find(thread);
		pair = context ? rcu_dereference(context->pair) : NULL;
		if (pair && refcount_inc_not_zero(&pair->references))
			return pair;
	}
	return tacet_pair_create(state, GFP_ATOMIC);
}

static bool attach_thread(struct tacet_pair *pair, struct task_struct *thread)
{
	struct tacet_task *context;

	if (tacet_task_find(thread) || READ_ONCE(thread->flags) & PF_EXITING)
		return true;
	context = tacet_task_create(pair, TACET_ROLE_ORIGINAL, GFP_ATOMIC);
	if (!context)
		return false;
	refcount_inc(&context->references);
	tacet_task_attach(context, thread);
	/* The thread's exit either finds the context in the table, or has set the flag before it is read here. */
	smp_mb__after_atomic();
	if (READ_ONCE(thread->flags) & PF_EXITING)
		tacet_task_detach(context);
	tacet_task_put(context);
	return true;
}

struct tacet_pair *tacet_watch_process(struct task_struct *task, enum tacet_pair_state state)
{
	struct task_struct *thread;
	struct tacet_pair *pair;
	unsigned long flags;
	bool done = true;

	rcu_read_lock();
	spin_lock_irqsave(&birth_lock, flags);
	pair = pair_of_process(task, state);
	if (pair)
		for_each_thread(task, thread)
			done = attach_thread(pair, thread) && done;
	spin_unlock_irqrestore(&birth_lock, flags);
	rcu_read_unlock();
	if (pair && !done) {
		tacet_pair_put(pair);
		pair = NULL;
	}
	return pair;
}

bool tacet_watch_task(struct task_struct *task, enum tacet_pair_state state)
{
	struct tacet_pair *pair = tacet_watch_process(task, state);

	if (!pair)
		return false;
	if (state == TACET_PAIR_WANT)
		tacet_pair_change(pair, TACET_PAIR_WATCH, TACET_PAIR_WANT);
	tacet_pair_put(pair);
	return true;
}

void tacet_watch_adopt(struct tacet_pair *pair)
{
	if (likely(READ_ONCE(pair->adopted)) || tacet_pair_state(pair) == TACET_PAIR_WATCH ||
	    !tacet_memory_policy_sensitive() || !current->mm)
		return;
	WRITE_ONCE(pair->adopted, true);
	tacet_page_clear_cover();
	/* Members' memory has its mark. */
	if (!tacet_session_is_member()) {
		tacet_page_adopt(current->mm, TACET_OWNER_PROGRAM);
		tacet_adopt_shared(current, TACET_OWNER_PROGRAM);
	}
}

static bool may_follow(void)
{
	enum tacet_call_kind kind = tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->kind;

	return !in_ia32_syscall() && kind != TACET_CALL_TAINT && kind != TACET_CALL_REFUSE;
}

static void restart_call(void)
{
	/* Without work to do at the exit to user mode the call would not be restarted. */
	set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
}

bool tacet_watch_exempts(struct file *file)
{
	return tacet_mark_is_memory(tacet_mark_inode_of(file)) && tacet_sink_serves_desktop(current);
}

/* No doppelganger can be made of a process that has the data, or is about to. Returns 0 or -ENOMEM. */
static int taint_reader(struct file *file, const char *reason)
{
	struct tacet_pair *pair = tacet_watch_process(current, TACET_PAIR_WATCH);
	struct tacet_labelset *set = tacet_mark_label(file);
	struct tacet_origin *origin;
	int error = -ENOMEM;

	if (pair) {
		origin = tacet_origin_of_file(file, current);
		error = tacet_pair_add_label(pair, set, origin, GFP_KERNEL);
		tacet_origin_put(origin);
		tacet_pair_taint(pair, reason);
		tacet_watch_adopt(pair);
		tacet_pair_put(pair);
	}
	tacet_labelset_put(set);
	return error;
}

void tacet_watch_kill(struct file *file)
{
	tacet_notice_send(TACET_EVENT_REFUSED, 0, file, NULL, "reader-not-watched");
	send_sig(SIGKILL, current, 1);
}

void tacet_watch_has_mapped(struct file *file)
{
	struct tacet_task *context = tacet_task_current();

	if ((context && context->role == TACET_ROLE_DOPPELGANGER) || tacet_watch_exempts(file))
		return;
	if (tacet_mark_is_on(file) && taint_reader(file, "labelled-while-mapped"))
		tacet_watch_kill(file);
}

/* Calls that began under the hook look for the label once the data has come. */
static bool looks_itself(const struct tacet_task *context)
{
	if (context->role == TACET_ROLE_DOPPELGANGER || context->reading)
		return true;
	return context->entries && tacet_pair_state(tacet_task_pair(context)) != TACET_PAIR_WATCH;
}

void tacet_watch_has_read(struct file *file)
{
	struct tacet_task *context = tacet_task_current();

	if ((context && looks_itself(context)) || current->flags & PF_KTHREAD || tacet_watch_exempts(file))
		return;
	if (taint_reader(file, "labelled-while-read"))
		tacet_watch_kill(file);
}

int tacet_watch_reads(struct file *file)
{
	struct tacet_task *context;
	enum tacet_pair_state wanted;
	bool transfers;

	context = tacet_task_current();
	if (context) {
		if (context->role == TACET_ROLE_DOPPELGANGER || context->reading ||
		    tacet_pair_state(tacet_task_pair(context)) >= TACET_PAIR_PAIRED)
			return 0;
	}
	if (tacet_watch_exempts(file))
		return 0;
	/* The loop device had the file before it got its label, and a file system may be on it. */
	if (current->flags & PF_KTHREAD && tacet_label_backs_device(file_inode(file)))
		return 0;
	/* A server in the kernel would send the data, and the driver of a device show it to everybody. */
	if (current->flags & (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER) || !may_follow()) {
		if (tacet_mark_is_memory(file_inode(file)) && !(current->flags & (PF_KTHREAD | PF_USER_WORKER)))
			return taint_reader(file, "shares-memory");
		tacet_notice_send(TACET_EVENT_REFUSED, 0, file, NULL, "read-cannot-be-followed");
		return -EPERM;
	}
	/* Data that never enters the process needs no doppelganger. */
	transfers = tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->kind == TACET_CALL_TRANSFER;
	wanted = transfers ? TACET_PAIR_WATCH : TACET_PAIR_WANT;
	if (!tacet_watch_task(current, wanted))
		return -ENOMEM;
	restart_call();
	return -ERESTARTNOINTR;
}
