/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of tasks that have an owner, such as a private session or a chosen program, is cleared when it is freed. */
#ifndef _TACET_MEMORY_CLEAR_H
#define _TACET_MEMORY_CLEAR_H

#include <linux/types.h>

struct task_struct;

/*
 * @of_task returns the owner of what a task allocates, TACET_OWNER_NONE for none. It works in any context.
 * Returns 0 or -errno. Sleeps.
 */
int tacet_page_clear_init(u8 (*of_task)(struct task_struct *task));
void tacet_page_clear_exit(void);

/*
 * Each user calls these in turn. Between the first start and the last stop every page that a task
 * allocates is marked with its owner, and marked pages are cleared when they are freed. After the last
 * stop this goes on for the pages that are marked. Starting returns 0 or -errno. They sleep.
 */
int tacet_page_clear_start(void);
void tacet_page_clear_stop(void);
/*
 * With @covers_programs clearing starts when the first process is covered. With @all all that is freed is cleared from now on, in the
 * layers that are on. Returns 0 or -errno; nothing has changed then. Sleeps.
 */
int tacet_page_clear_policy(bool covers_programs, bool all);
/*
 * A process is covered now, and counts in tacet_owner_count. Clearing has started when this returns, or the log says that there is no
 * memory for it. Sleeps.
 */
void tacet_page_clear_cover(void);

/* Sets the count of cleared pages to zero for a new session of this number. */
void tacet_page_clear_reset(u8 owner);
/* A session is about to end. What its last processes free when they end is cleared, though they are no members any more. */
void tacet_page_clear_expect_survivors(void);
/* Gives all pages of this number to TACET_OWNER_ENDED. Sleeps. */
void tacet_page_clear_forget(u8 owner);
/* Returns how many pages were cleared since the reset. */
u64 tacet_page_clear_count(u8 owner);

#endif
