/* SPDX-License-Identifier: GPL-2.0-only */
/* State of a process that depends on the kernel's configuration. */
#ifndef _TACET_COMPAT_STATE_H
#define _TACET_COMPAT_STATE_H

#include <linux/mm_types.h>
#include <linux/sched.h>

#ifdef CONFIG_MODIFY_LDT_SYSCALL
#define tacet_has_segments(task) ((task)->mm && READ_ONCE((task)->mm->context.ldt))
#else
#define tacet_has_segments(task) false
#endif

#ifdef CONFIG_NUMA
#define tacet_has_memory_policy(task) ((task)->mempolicy)
#else
#define tacet_has_memory_policy(task) false
#endif

#endif
