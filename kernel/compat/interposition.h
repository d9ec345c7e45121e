/* SPDX-License-Identifier: GPL-2.0-only */
/* The differences between kernels that the interposition engine meets. */
#ifndef _TACET_COMPAT_INTERPOSITION_H
#define _TACET_COMPAT_INTERPOSITION_H

#include <linux/ftrace.h>
#include <linux/rcupdate_trace.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

struct seccomp_data;

/* 6.15 dropped the argument of __secure_computing(). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define TACET_SECURE_COMPUTING_PARAMETERS void
#define TACET_SECURE_COMPUTING_ARGUMENTS
#else
#define TACET_SECURE_COMPUTING_PARAMETERS const struct seccomp_data *data
#define TACET_SECURE_COMPUTING_ARGUMENTS data
#endif

/* 6.16 added group_dead to the sched_process_exit tracepoint. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define TACET_EXIT_PROBE_PARAMETERS void *data, struct task_struct *task, bool group_dead
#else
#define TACET_EXIT_PROBE_PARAMETERS void *data, struct task_struct *task
#endif

/* 6.17 gave the function that writes cores another name. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define TACET_CORE_DUMP vfs_coredump
#else
#define TACET_CORE_DUMP do_coredump
#endif

/* Since 6.15 the memory map is locked when a page for a core is got. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define TACET_DUMP_PAGE_PARAMETERS unsigned long address, int *locked
#define TACET_DUMP_PAGE_ARGUMENTS address, locked
#define tacet_dump_page_is_locked (*locked)
#else
#define TACET_DUMP_PAGE_PARAMETERS unsigned long address
#define TACET_DUMP_PAGE_ARGUMENTS address
#define tacet_dump_page_is_locked false
#endif

/* 7.0 moved the futex state of a task into a struct of its own. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
#define tacet_robust_list(task) ((task)->futex.robust_list)
#else
#define tacet_robust_list(task) ((task)->robust_list)
#endif

/* 6.19 moved the rseq state of a task into a struct of its own. */
#if !defined(CONFIG_RSEQ)
#define tacet_rseq_area(task) ((void __user *)NULL)
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define tacet_rseq_area(task) ((task)->rseq.usrptr)
#else
#define tacet_rseq_area(task) ((task)->rseq)
#endif

/* Since 6.13 the probes of system calls may sleep, so that another RCU guards them. */
static inline void tacet_trace_entry(struct tracepoint *tracepoint, struct pt_regs *regs, long number)
{
	int (*call_probes)(void *, struct pt_regs *, long) = tracepoint->iterator;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	rcu_read_lock_trace();
	call_probes(NULL, regs, number);
	rcu_read_unlock_trace();
#else
	preempt_disable_notrace();
	call_probes(NULL, regs, number);
	preempt_enable_notrace();
#endif
}

#ifndef rdmsrq
#define rdmsrq(register, value) rdmsrl(register, value)
#endif

#endif
