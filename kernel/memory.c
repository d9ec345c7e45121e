// SPDX-License-Identifier: GPL-2.0-only
/* The memory of an original and of its doppelganger, side by side. */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "engine.h"

#define RANGES_MAX 4096
/* The size of struct rseq as first published; later fields are no ones that the kernel compares. */
#define RSEQ_FIELDS 32

struct span {
	unsigned long start, end;
};

/* @own, @theirs: room for a page each. */
struct comparison {
	struct mm_struct *mm;
	u8 *own, *theirs;
	tacet_page_differs *differs;
	void *data;
};

struct mm_struct *tacet_memory_of_doppelganger(struct tacet_pair *pair)
{
	struct task_struct *doppelganger;
	struct mm_struct *mm;

	spin_lock_irq(&pair->lock);
	doppelganger = pair->doppelganger ? get_task_struct(pair->doppelganger) : NULL;
	spin_unlock_irq(&pair->lock);
	if (!doppelganger)
		return NULL;
	mm = get_task_mm(doppelganger);
	put_task_struct(doppelganger);
	return mm;
}

/* Private memory that may differ from what a file has. */
static bool has_own_pages(const struct vm_area_struct *area)
{
	return area->anon_vma && !(area->vm_flags & (VM_SHARED | VM_IO | VM_PFNMAP));
}

/* -1: too many. */
static int find_ranges(struct mm_struct *mm, struct span *ranges)
{
	struct vm_area_struct *area;
	int count = 0;
	VMA_ITERATOR(iterator, mm, 0);

	mmap_read_lock(mm);
	for_each_vma(iterator, area) {
		if (!has_own_pages(area))
			continue;
		if (count == RANGES_MAX) {
			count = -1;
			break;
		}
		ranges[count++] = (struct span){ area->vm_start, area->vm_end };
	}
	mmap_read_unlock(mm);
	return count;
}

/* The page at @address, a reference; NULL: nothing was ever there. False: there is no telling. */
static bool page_at(struct mm_struct *mm, unsigned long address, struct page **page)
{
	long got;

	*page = NULL;
	mmap_read_lock(mm);
	/* As for a core file: what was never touched is not made now. */
	got = get_user_pages_remote(mm, address, 1, FOLL_FORCE | FOLL_DUMP, page, NULL);
	mmap_read_unlock(mm);
	return got == 1 || got == -EFAULT;
}

static void copy_content(u8 *to, struct page *page)
{
	if (page)
		memcpy_from_page(to, page, 0, PAGE_SIZE);
	else
		memset(to, 0, PAGE_SIZE);
}

/* What the kernel writes into the area for restartable sequences is each one's own: it compares it with what it wrote last, and kills. */
static void keep_sequences(const struct comparison *comparison, unsigned long address)
{
	unsigned long area = (unsigned long)tacet_rseq_area(current), offset = area - address;

	if (area && area >= address && offset <= PAGE_SIZE - RSEQ_FIELDS)
		memcpy(comparison->theirs + offset, comparison->own + offset, RSEQ_FIELDS);
}

static bool compare_content(const struct comparison *comparison, unsigned long address, struct page *own,
			    struct page *theirs)
{
	if (own == theirs)
		return true;
	copy_content(comparison->own, own);
	copy_content(comparison->theirs, theirs);
	keep_sequences(comparison, address);
	return !memcmp(comparison->own, comparison->theirs, PAGE_SIZE) ||
	       comparison->differs(address, comparison->own, comparison->theirs, comparison->data);
}

static bool compare_page(const struct comparison *comparison, unsigned long address)
{
	struct page *own, *theirs = NULL;
	bool done;

	done = page_at(current->mm, address, &own) && page_at(comparison->mm, address, &theirs) &&
	       compare_content(comparison, address, own, theirs);
	if (own)
		put_page(own);
	if (theirs)
		put_page(theirs);
	return done;
}

static bool compare_range(const struct comparison *comparison, const struct span *range)
{
	unsigned long address;

	for (address = range->start; address < range->end; address += PAGE_SIZE) {
		if (!compare_page(comparison, address) || fatal_signal_pending(current))
			return false;
		cond_resched();
	}
	return true;
}

/* Where @mm has pages of its own. */
static bool compare_ranges_of(struct mm_struct *mm, const struct comparison *comparison)
{
	struct span *ranges = kvcalloc(RANGES_MAX, sizeof(*ranges), GFP_KERNEL);
	int count = ranges ? find_ranges(mm, ranges) : -1, i;
	bool done = count >= 0;

	for (i = 0; done && i < count; i++)
		done = compare_range(comparison, &ranges[i]);
	kvfree(ranges);
	return done;
}

bool tacet_memory_compare(struct mm_struct *mm, tacet_page_differs *differs, void *data)
{
	u8 *pages = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	struct comparison comparison = {
		.mm = mm, .own = pages, .theirs = pages + PAGE_SIZE, .differs = differs, .data = data,
	};
	bool done;

	if (!pages)
		return false;
	done = compare_ranges_of(mm, &comparison) && compare_ranges_of(current->mm, &comparison);
	kfree_sensitive(pages);
	return done;
}
