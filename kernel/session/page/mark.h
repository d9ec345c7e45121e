/* SPDX-License-Identifier: GPL-2.0-only */
/* A byte for each page of memory: the owner number of the session that allocated it. */
#ifndef _TACET_SESSION_PAGE_MARK_H
#define _TACET_SESSION_PAGE_MARK_H

#include <linux/types.h>

struct page;

/**
 * struct tacet_page_marks - the map of all pages
 * @owner: enum tacet_owner of each page frame, by its number; NULL while there is no map. Read under
 *	RCU, or by who keeps tacet_page_mark_drop() from being called
 * @count: how many page frames the map covers
 */
struct tacet_page_marks {
	u8 *owner;
	unsigned long count;
};

extern struct tacet_page_marks tacet_page_marks;

/* Makes the map, all of it TACET_OWNER_NONE. 0 or -ENOMEM. The caller serialises making and dropping. */
int tacet_page_mark_make(void);
/* Frees it after a grace period. Sleeps. */
void tacet_page_mark_drop(void);

/* TACET_OWNER_NONE where there is no map. Any context. */
u8 tacet_page_mark_get(struct page *page);
/* Any context. */
void tacet_page_mark_set(struct page *page, u8 owner);
/* Every page of @owner becomes one of TACET_OWNER_ENDED. The caller keeps the map in place. Sleeps. */
void tacet_page_mark_end_owner(u8 owner);

#endif
