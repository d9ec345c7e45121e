// SPDX-License-Identifier: GPL-2.0-only
/* The memory of an original and of its doppelganger, side by side. */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/rseq.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "pair/memory.h"
#include "pair/pair.h"

#define RANGES_MAX 8192

struct span {
	unsigned long start, end;
};

/* The kernel writes these fields of the area for restartable sequences: numbers of processor, node and memory map. */
static const struct span sequences[] = {
	{ offsetof(struct rseq, cpu_id_start), offsetof(struct rseq, rseq_cs) },
	{ offsetof(struct rseq, node_id), offsetofend(struct rseq, mm_cid) },
};

/* @own and @theirs have room for a page each. @deadline is in jiffies, and counts with @in_a_hurry. */
struct comparison {
	struct mm_struct *mm;
	u8 *own, *theirs;
	bool in_a_hurry;
	unsigned long deadline;
	tacet_memory_differs *differs;
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

/* Tells whether the area is private memory that may differ from its file. */
static bool has_own_pages(const struct vm_area_struct *area)
{
	return area->anon_vma && !(area->vm_flags & (VM_SHARED | VM_IO | VM_PFNMAP));
}

/* Adds ranges after the first @count. Returns the new count, or -1 if there are too many. */
static int add_ranges(struct mm_struct *mm, struct span *ranges, int count)
{
	struct vm_area_struct *area;
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

static int by_start(const void *one, const void *other)
{
	const struct span *first = one, *second = other;

	return (first->start > second->start) - (first->start < second->start);
}

/*
 * Finds the addresses at which either half has pages of its own, in order, each once. Returns -1 when
 * there are too many.
 */
static int find_ranges(struct mm_struct *mm, struct span *ranges)
{
	int count = add_ranges(mm, ranges, 0), kept = 0, i;

	if (count >= 0)
		count = add_ranges(current->mm, ranges, count);
	if (count <= 0)
		return count;
	sort(ranges, count, sizeof(*ranges), by_start, NULL);
	for (i = 1; i < count; i++) {
		if (ranges[i].start > ranges[kept].end)
			ranges[++kept] = ranges[i];
		else
			ranges[kept].end = max(ranges[kept].end, ranges[i].end);
	}
	return kept + 1;
}

/* Gets a reference to the page at @address, or NULL if nothing is there. Returns false if that cannot be told. */
static bool page_at(struct mm_struct *mm, unsigned long address, struct page **page)
{
	struct vm_area_struct *area;
	bool done = true;
	long got;

	*page = NULL;
	mmap_read_lock(mm);
	area = vma_lookup(mm, address);
	if (area) {
		/*
		 * As for a core file, pages that were never touched are not made now. But an unreadable
		 * page looks the same, so try again.
		 */
		got = get_user_pages_remote(mm, address, 1, FOLL_FORCE | FOLL_DUMP, page, NULL);
		if (got == -EFAULT)
			got = get_user_pages_remote(mm, address, 1, FOLL_FORCE, page, NULL);
		/* Behind the end of a file there is no page. */
		done = got == 1 || (got == -EFAULT && area->vm_file);
	}
	mmap_read_unlock(mm);
	return done;
}

static void copy_content(u8 *to, struct page *page)
{
	if (page)
		memcpy_from_page(to, page, 0, PAGE_SIZE);
	else
		memset(to, 0, PAGE_SIZE);
}

/* Each half keeps its own values here. The kernel compares them with its last values, and kills. */
static void keep_sequences(const struct comparison *comparison, unsigned long address)
{
	unsigned long area = (unsigned long)tacet_rseq_area(current), offset = area - address;
	unsigned int i;

	if (!area || area < address || offset > PAGE_SIZE - offsetofend(struct rseq, mm_cid))
		return;
	for (i = 0; i < ARRAY_SIZE(sequences); i++)
		memcpy(comparison->theirs + offset + sequences[i].start, comparison->own + offset + sequences[i].start,
		       sequences[i].end - sequences[i].start);
}

/* A NULL page stands for zeros. */
static bool same_content(struct page *one, struct page *other)
{
	void *first, *second;
	bool same;

	if (one == other)
		return true;
	if (!one)
		swap(one, other);
	first = kmap_local_page(one);
	if (other) {
		second = kmap_local_page(other);
		same = !memcmp(first, second, PAGE_SIZE);
		kunmap_local(second);
	} else {
		same = !memchr_inv(first, 0, PAGE_SIZE);
	}
	kunmap_local(first);
	return same;
}

static bool compare_content(const struct comparison *comparison, unsigned long address, struct page *own,
			    struct page *theirs)
{
	if (same_content(own, theirs))
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

static bool takes_too_long(const struct comparison *comparison)
{
	if (comparison->in_a_hurry)
		return signal_pending(current) || time_after(jiffies, comparison->deadline);
	return fatal_signal_pending(current);
}

static bool compare_range(const struct comparison *comparison, const struct span *range)
{
	unsigned long address;

	for (address = range->start; address < range->end; address += PAGE_SIZE) {
		if (!compare_page(comparison, address) || takes_too_long(comparison))
			return false;
		cond_resched();
	}
	return true;
}

static bool compare_all(const struct comparison *comparison)
{
	struct span *ranges = kvcalloc(RANGES_MAX, sizeof(*ranges), GFP_KERNEL);
	int count = ranges ? find_ranges(comparison->mm, ranges) : -1, i;
	bool done = count >= 0;

	for (i = 0; done && i < count; i++)
		done = compare_range(comparison, &ranges[i]);
	kvfree(ranges);
	return done;
}

static bool compare(struct mm_struct *mm, const struct span *range, unsigned long patience,
		    tacet_memory_differs *differs, void *data)
{
	u8 *pages = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	struct comparison comparison = {
		.mm = mm,
		.own = pages,
		.theirs = pages + PAGE_SIZE,
		.differs = differs,
		.data = data,
		.in_a_hurry = patience,
		.deadline = jiffies + patience,
	};
	bool done;

	if (!pages)
		return false;
	if (range)
		done = compare_range(&comparison, range);
	else
		done = compare_all(&comparison);
	kfree_sensitive(pages);
	return done;
}

bool tacet_memory_compare(struct mm_struct *mm, unsigned long patience, tacet_memory_differs *differs, void *data)
{
	return compare(mm, NULL, patience, differs, data);
}

bool tacet_memory_compare_range(struct mm_struct *mm, unsigned long start, unsigned long end,
				tacet_memory_differs *differs, void *data)
{
	struct span range = { start, end };

	return compare(mm, &range, 0, differs, data);
}
