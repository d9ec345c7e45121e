/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears what system calls left on the kernel's stacks, as names of sockets and small arguments. */
#ifndef _TACET_MEMORY_KERNEL_STACK_H
#define _TACET_MEMORY_KERNEL_STACK_H

struct task_struct;

/* Clears the kernel stack of the current thread below the caller. */
void tacet_kernel_stack_clear_own(void);
/* Clears that of a thread that is on no processor, below where it left it. Does nothing when it is on one. */
void tacet_kernel_stack_clear_asleep(struct task_struct *thread);
/* Clears all of it. The thread has ended, and nobody else looks at its stack. Works in any context. */
void tacet_kernel_stack_clear_ended(struct task_struct *thread);

#endif
