/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of private sessions is cleared when it is freed. */
#ifndef _TACET_SESSION_PAGE_CLEAR_H
#define _TACET_SESSION_PAGE_CLEAR_H

#include <linux/types.h>

int tacet_page_clear_init(void);
void tacet_page_clear_exit(void);

/*
 * The first session is about to begin, the last has ended. Between them every
 * page that a member allocates is marked with its session's number. Serialised
 * by the caller; sleep.
 */
int tacet_page_clear_start(void);
void tacet_page_clear_stop(void);

/* Begins to count for a session of this number. */
void tacet_page_clear_reset(u8 owner);
/* Marks what bears this number as TACET_OWNER_ENDED. Sleeps. */
void tacet_page_clear_forget(u8 owner);
/* Pages cleared since the reset. */
u64 tacet_page_clear_count(u8 owner);

#endif
