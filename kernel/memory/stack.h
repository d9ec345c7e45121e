/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears what functions left on the stacks of chosen programs. */
#ifndef _TACET_MEMORY_STACK_H
#define _TACET_MEMORY_STACK_H

/* From now on the stacks of chosen programs are cleared every few seconds. */
void tacet_stack_clear_start(void);
/* Clears the stack of the current thread, which ends. Sleeps. */
void tacet_stack_clear_own(void);
/* No round begins any more. A thread may still clear its own. Sleeps. */
void tacet_stack_clear_stop(void);
/* Returns when no thread clears its own. Sleeps. */
void tacet_stack_clear_exit(void);

#endif
