/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears what functions left on stacks. */
#ifndef _TACET_MEMORY_STACK_H
#define _TACET_MEMORY_STACK_H

#include <linux/types.h>

struct task_struct;

/* Sets whose stacks are cleared. @concerns_process is called for a process with the RCU read lock. */
void tacet_stack_clear_init(bool (*concerns_process)(struct task_struct *process));
/* From now on they are cleared every few seconds. */
void tacet_stack_clear_start(void);
/* Clears the stack of the current thread, which ends. Sleeps. */
void tacet_stack_clear_own(void);
/*
 * Clears the stacks of the current process's threads in the area that begins at @address, if any does. The process has
 * crashed: all its threads have stopped, and this one writes the core. @is_locked: the caller has locked the memory
 * map. Sleeps.
 */
void tacet_stack_clear_in_core(unsigned long address, bool is_locked);
/* No round begins any more, but one may be under way. */
void tacet_stack_clear_stop(void);
/* Returns when nobody clears stacks. Sleeps. */
void tacet_stack_clear_exit(void);

#endif
