/* SPDX-License-Identifier: GPL-2.0-only */
/* A map with one byte for each page of memory: the owner of its data (enum tacet_owner). */
#ifndef _TACET_MEMORY_MARK_H
#define _TACET_MEMORY_MARK_H

#include <linux/mm.h>
#include <linux/types.h>
#include "memory/owner.h"

/**
 * struct tacet_page_marks - the map of all pages
 * @owner: enum tacet_owner of each page frame, by its number; NULL while there is no map. Readers
 *	hold the RCU lock, or keep tacet_page_mark_drop() from being called
 * @count: how many page frames the map covers
 */
struct tacet_page_marks {
	u8 *owner;
	unsigned long count;
};

extern struct tacet_page_marks tacet_page_marks;

/*
 * Makes the map, with TACET_OWNER_NONE for every page. Returns 0 or -ENOMEM. The caller serialises
 * making and dropping.
 */
int tacet_page_mark_make(void);
/* Frees the map after a grace period. Sleeps. */
void tacet_page_mark_drop(void);

/* Returns TACET_OWNER_NONE where there is no map. Works in any context. */
u8 tacet_page_mark_get(struct page *page);
/* Tells whether a page has an owner. The caller keeps the map in place, as the allocator's probes do. */
static inline bool tacet_page_is_marked(struct page *page)
{
	unsigned long number = page_to_pfn(page);

	return number < tacet_page_marks.count && READ_ONCE(tacet_page_marks.owner[number]) != TACET_OWNER_NONE;
}
/* With TACET_OWNER_UNKNOWN a mark that is there stays: it tells more. Works in any context. */
void tacet_page_mark_set(struct page *page, u8 owner);
/* The same for a page whose mark is TACET_OWNER_NONE or TACET_OWNER_UNKNOWN. Another mark stays. Works in any context. */
void tacet_page_mark_adopt(struct page *page, u8 owner);
/* As tacet_page_mark_set(), for @count pages that follow each other. */
void tacet_page_mark_set_range(struct page *page, unsigned long count, u8 owner);
/* The same for the pages of @size bytes of a vmalloc area, or up to where nothing is mapped. Works in any context. */
void tacet_page_mark_set_mapped(const void *at, size_t size, u8 owner);
/* Gives every page of @owner to TACET_OWNER_ENDED. The caller keeps the map in place. Sleeps. */
void tacet_page_mark_end_owner(u8 owner);

#endif
