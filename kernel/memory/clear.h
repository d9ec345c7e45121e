/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of tasks that have an owner, such as a private session, is cleared when it is freed. */
#ifndef _TACET_MEMORY_CLEAR_H
#define _TACET_MEMORY_CLEAR_H

#include <linux/types.h>

struct task_struct;

int tacet_page_clear_init(void);
void tacet_page_clear_exit(void);

/*
 * The caller calls these before the first session begins and after the last has ended. In between,
 * every page that a task allocates is marked with what @of_task returns for it, TACET_OWNER_NONE for
 * none. It works in any context, and is the same function at each start. The caller serialises both.
 * They sleep.
 */
int tacet_page_clear_start(u8 (*of_task)(struct task_struct *task));
void tacet_page_clear_stop(void);

/* Sets the count of cleared pages to zero for a new session of this number. */
void tacet_page_clear_reset(u8 owner);
/* Gives all pages of this number to TACET_OWNER_ENDED. Sleeps. */
void tacet_page_clear_forget(u8 owner);
/* Returns how many pages were cleared since the reset. */
u64 tacet_page_clear_count(u8 owner);

#endif
