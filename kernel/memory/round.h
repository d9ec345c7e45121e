/* SPDX-License-Identifier: GPL-2.0-only */
/* The round that visits covered processes every few seconds. */
#ifndef _TACET_MEMORY_ROUND_H
#define _TACET_MEMORY_ROUND_H

#include <linux/types.h>

struct task_struct;

/* Sets whose stacks are cleared, and whose a task is. All that are somebody's are visited. Both are called with the RCU read lock. */
void tacet_round_init(bool (*stack_is_cleared)(struct task_struct *process), u8 (*of_task)(struct task_struct *task));
/*
 * Marks the memory of all programs that are covered and no session's, as some were started before they were chosen. The next rounds
 * do it again. Sleeps.
 */
void tacet_round_adopt(void);
/* From now on rounds are made. */
void tacet_round_start(void);
/* No round begins any more, but one may be under way. */
void tacet_round_stop(void);
/* Returns when nobody clears stacks. Sleeps. */
void tacet_round_exit(void);

#endif
