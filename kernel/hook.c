// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one system-call hook: __secure_computing() runs at every call of a task
 * with SYSCALL_WORK_SECCOMP, which is set on chosen tasks only. And the hook on
 * security_mmap_file(), since mapping a file raises no permission event.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/seccomp.h>
#include <linux/thread_info.h>

#include "control.h"
#include "engine.h"
#include "label.h"
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

static void notrace redirect_secure_computing(unsigned long ip, unsigned long parent,
					      struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	/* Preemption is off here: only the way is changed, to a function that may sleep. */
	if (!within_module(parent, THIS_MODULE))
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)replace_secure_computing);
}

static void notrace redirect_mmap_file(unsigned long ip, unsigned long parent,
				       struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	if (!within_module(parent, THIS_MODULE))
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)replace_mmap_file);
}

/*
 * PERMANENT: ftrace_enabled=0 must not switch the hook off. The flag on a task
 * without hook and without seccomp filter is a BUG() in the kernel.
 */
#define HOOK_FLAGS (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_DYNAMIC)

static struct ftrace_ops secure_computing_hook = {
	.func = redirect_secure_computing,
	.flags = HOOK_FLAGS,
};

static struct ftrace_ops mmap_file_hook = {
	.func = redirect_mmap_file,
	.flags = HOOK_FLAGS,
};

static int install(struct ftrace_ops *hook, unsigned long address)
{
	int error = ftrace_set_filter_ip(hook, address, 0, 0);

	return error ? error : register_ftrace_function(hook);
}

int tacet_hook_init(void)
{
	int error = install(&secure_computing_hook, tacet_symbols.secure_computing);

	if (error)
		return error;
	error = install(&mmap_file_hook, tacet_symbols.mmap_file);
	if (error)
		unregister_ftrace_function(&secure_computing_hook);
	tacet_control_set_feature(TACET_FEATURE_INTERPOSITION, !error);
	return error;
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
	unregister_ftrace_function(&mmap_file_hook);
	unregister_ftrace_function(&secure_computing_hook);
	synchronize_rcu_tasks();
	while (count_inside())
		schedule_timeout_uninterruptible(1);
	synchronize_rcu_tasks();
}
