// SPDX-License-Identifier: GPL-2.0-only
/* The map of page marks. */
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "memory/mark.h"
#include "memory/owner.h"

/* The loop lets other tasks run after this many marks. */
#define STRIDE 65536

struct tacet_page_marks tacet_page_marks;

u8 tacet_page_mark_get(struct page *page)
{
	unsigned long number = page_to_pfn(page);
	u8 owner = TACET_OWNER_NONE;
	const u8 *owners;

	rcu_read_lock();
	owners = READ_ONCE(tacet_page_marks.owner);
	if (owners && number < tacet_page_marks.count)
		owner = READ_ONCE(owners[number]);
	rcu_read_unlock();
	return owner;
}

void tacet_page_mark_set(struct page *page, u8 owner)
{
	unsigned long number = page_to_pfn(page);
	u8 *owners;

	rcu_read_lock();
	owners = READ_ONCE(tacet_page_marks.owner);
	if (owners && number < tacet_page_marks.count &&
	    (owner != TACET_OWNER_UNKNOWN || READ_ONCE(owners[number]) == TACET_OWNER_NONE))
		WRITE_ONCE(owners[number], owner);
	rcu_read_unlock();
}

void tacet_page_mark_adopt(struct page *page, u8 owner)
{
	unsigned long number = page_to_pfn(page);
	u8 *owners, before;

	rcu_read_lock();
	owners = READ_ONCE(tacet_page_marks.owner);
	if (owners && number < tacet_page_marks.count) {
		before = READ_ONCE(owners[number]);
		if (before != owner && (before == TACET_OWNER_NONE || before == TACET_OWNER_UNKNOWN))
			cmpxchg(&owners[number], before, owner);
	}
	rcu_read_unlock();
}

void tacet_page_mark_set_range(struct page *page, unsigned long count, u8 owner)
{
	for (; count; count--, page++)
		tacet_page_mark_set(page, owner);
}

void tacet_page_mark_set_mapped(const void *at, size_t size, u8 owner)
{
	const void *end = at + size;
	struct page *page;

	for (; at < end && (page = vmalloc_to_page(at)); at += PAGE_SIZE)
		tacet_page_mark_set(page, owner);
}

static unsigned long count_pages(void)
{
	unsigned long end = 0;
	int node;

	for_each_online_node(node)
		end = max(end, node_end_pfn(node));
	return end;
}

int tacet_page_mark_make(void)
{
	tacet_page_marks.count = count_pages();
	tacet_page_marks.owner = vzalloc(tacet_page_marks.count);
	return tacet_page_marks.owner ? 0 : -ENOMEM;
}

void tacet_page_mark_drop(void)
{
	u8 *owners = tacet_page_marks.owner;

	WRITE_ONCE(tacet_page_marks.owner, NULL);
	synchronize_rcu();
	vfree(owners);
}

void tacet_page_mark_end_owner(u8 owner)
{
	u8 *owners = tacet_page_marks.owner;
	unsigned long number;

	for (number = 0; number < tacet_page_marks.count; number++) {
		if (number % STRIDE == 0)
			cond_resched();
		/* The page may be freed at this moment, so the mark is exchanged only if it is still the same. */
		if (READ_ONCE(owners[number]) == owner)
			cmpxchg(&owners[number], owner, TACET_OWNER_ENDED);
	}
}
