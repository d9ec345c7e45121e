/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears what functions left on stacks. */
#ifndef _TACET_MEMORY_STACK_H
#define _TACET_MEMORY_STACK_H

#include <linux/types.h>

struct task_struct;

/* Clears the stacks of a process's threads, and gives up the pages that they sent from. The caller has a reference. Sleeps. */
void tacet_stack_clear_process(struct task_struct *process);
/* Clears the stack of the current thread, which ends. Sleeps. */
void tacet_stack_clear_own(void);
/*
 * Clears the stacks of the current process's threads in the area that begins at @address, if any does. The process has
 * crashed: all its threads have stopped, and this one writes the core. @is_locked: the caller has locked the memory
 * map. Sleeps.
 */
void tacet_stack_clear_in_core(unsigned long address, bool is_locked);
/* Returns when no thread clears its stack. None is visited any more. Sleeps. */
void tacet_stack_clear_exit(void);

#endif
