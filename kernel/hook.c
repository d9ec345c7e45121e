// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one system-call hook: __secure_computing() runs at every call of a task
 * with SYSCALL_WORK_SECCOMP, which is set on chosen tasks only. And hooks on what
 * raises no permission event: mapping a file, and coming to hold a pipe or socket.
 * One finds the labels of what lies below an overlay. And some keep others out of
 * private sessions.
 */
#include <linux/backing-file.h>
#include <linux/file.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/seccomp.h>
#include <linux/thread_info.h>

#include "control.h"
#include "engine.h"
#include "event.h"
#include "label.h"
#include "overlay.h"
#include "session.h"
#include "task.h"

/* Tasks inside the hook: module code must not go while one sleeps there. */
static DEFINE_PER_CPU(long, inside);

static int replace_secure_computing(TACET_SECURE_COMPUTING_PARAMETERS)
{
	struct pt_regs *regs = current_pt_regs();
	struct tacet_task *context = tacet_task_current();
	long result;
	bool done;
	int verdict;

	/* The doppelganger's calls never reach the kernel; the original's filter has judged them. */
	if (current->seccomp.mode != SECCOMP_MODE_DISABLED &&
	    !(context && context->role == TACET_ROLE_DOPPELGANGER)) {
		verdict = static_call(tacet_secure_computing)(TACET_SECURE_COMPUTING_ARGUMENTS);
		if (verdict == -1)
			return verdict;
	}
	if (!context) {
		/* Inherited from a parent under the hook. */
		if (current->seccomp.mode == SECCOMP_MODE_DISABLED)
			clear_task_syscall_work(current, SECCOMP);
		return 0;
	}
	this_cpu_inc(inside);
	done = tacet_task_enter(context, regs, &result);
	this_cpu_dec(inside);
	if (!done)
		return 0;
	regs->ax = result;
	return -1;
}

static int replace_mmap_file(struct file *file, unsigned long protection, unsigned long flags)
{
	int error = 0;

	if (file && !(current->flags & PF_KTHREAD) && tacet_label_armed(file))
		error = tacet_task_reads(file);
	if (!error)
		error = static_call(tacet_mmap_file)(file, protection, flags);
	barrier();
	return error;
}

/* Whoever comes to hold the reading end of a channel with derived data is watched, too. */
static int watch_receiver(struct file *file)
{
	struct tacet_channel *channel = tacet_channel_of_reader(file);
	bool watched = true;

	if (channel) {
		watched = tacet_task_watch(current, TACET_PAIR_WATCH);
		tacet_channel_put(channel);
	}
	return watched ? 0 : -ENOMEM;
}

static int replace_file_receive(struct file *file)
{
	int error = watch_receiver(file);

	if (!error)
		error = static_call(tacet_file_receive)(file);
	barrier();
	return error;
}

static int replace_fifo_open(struct inode *inode, struct file *file)
{
	int error = static_call(tacet_fifo_open)(inode, file);

	/* It has the FIFO already, and nobody could see what it does with it. */
	if (!error && watch_receiver(file)) {
		tacet_event_notice(TACET_EVENT_REFUSED, 0, file, NULL, "reader-not-watched");
		send_sig(SIGKILL, current, 1);
	}
	return error;
}

/* Called with the lock of @child held. */
static int replace_ptrace_access(struct task_struct *child, unsigned int mode)
{
	int error = 0;

	if (!tacet_session_none())
		error = tacet_session_check_access(child, mode);
	if (!error)
		error = static_call(tacet_ptrace_access)(child, mode);
	if (!error && mode & PTRACE_MODE_ATTACH)
		error = tacet_access_seen(child);
	barrier();
	return error;
}

/* These two with a lock of the sockets held. */
static int replace_unix_connect(struct sock *sock, struct sock *peer, struct sock *made)
{
	int error = 0;

	if (!tacet_session_none())
		error = tacet_session_check_peer(peer);
	if (!error)
		error = static_call(tacet_unix_connect)(sock, peer, made);
	barrier();
	return error;
}

static int replace_unix_send(struct socket *socket, struct socket *peer)
{
	int error = 0;

	if (!tacet_session_none())
		error = tacet_session_check_peer(peer->sk);
	if (!error)
		error = static_call(tacet_unix_send)(socket, peer);
	barrier();
	return error;
}

/* A file system opens for @user_file what lies below it. */
static struct file *replace_backing_file_open(const struct file *user_file, int flags,
					      const struct path *real_path, const struct cred *cred)
{
	struct file *opened = backing_file_open(user_file, flags, real_path, cred);
	int error;

	/* Only then has another overlay below been looked through. */
	error = IS_ERR(opened) ? 0 : tacet_overlay_opens((struct file *)user_file, real_path->dentry);
	if (error) {
		fput(opened);
		opened = ERR_PTR(error);
	}
	barrier();
	return opened;
}

struct hook {
	struct ftrace_ops operations;
	const unsigned long *address;
	void *replacement;
};

static void notrace redirect(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
			     struct ftrace_regs *regs)
{
	const struct hook *hook = container_of(operations, struct hook, operations);

	/* Preemption is off here: only the way is changed, to a function that may sleep. */
	if (!within_module(parent, THIS_MODULE))
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)hook->replacement);
}

/*
 * PERMANENT: ftrace_enabled=0 must not switch the hook off. The flag on a task
 * without hook and without seccomp filter is a BUG() in the kernel.
 */
#define HOOK(symbol, function)								\
	{										\
		.operations = {								\
			.func = redirect,						\
			.flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT |	\
				 FTRACE_OPS_FL_DYNAMIC,					\
		},									\
		.address = &tacet_symbols.symbol,					\
		.replacement = function,						\
	}

static struct hook hooks[] = {
	HOOK(secure_computing, replace_secure_computing),
	HOOK(mmap_file, replace_mmap_file),
	HOOK(file_receive, replace_file_receive),
	HOOK(fifo_open, replace_fifo_open),
	HOOK(ptrace_access, replace_ptrace_access),
	HOOK(unix_connect, replace_unix_connect),
	HOOK(unix_send, replace_unix_send),
	HOOK(backing_file_open, replace_backing_file_open),
};

static int install(struct hook *hook)
{
	int error = ftrace_set_filter_ip(&hook->operations, *hook->address, 0, 0);

	return error ? error : register_ftrace_function(&hook->operations);
}

static void remove(unsigned int count)
{
	while (count-- > 0)
		unregister_ftrace_function(&hooks[count].operations);
}

int tacet_hook_init(void)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		error = install(&hooks[i]);
		if (error) {
			remove(i);
			return error;
		}
	}
	tacet_control_set_feature(TACET_FEATURE_INTERPOSITION, true);
	return 0;
}

static long count_inside(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(inside, cpu);
	return sum;
}

/* No task has a context any more, so nobody enters for more than a moment. */
void tacet_hook_exit(void)
{
	remove(ARRAY_SIZE(hooks));
	synchronize_rcu_tasks();
	while (count_inside())
		schedule_timeout_uninterruptible(1);
	synchronize_rcu_tasks();
}
