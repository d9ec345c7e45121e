// SPDX-License-Identifier: GPL-2.0-only
/*
 * Marks the memory that a process had before it became a matter of clearing, and what it shares with others, who may
 * have allocated it. The page tables are read without their locks for large pages. A page that is freed meanwhile
 * keeps a mark that is not its own, and is cleared once more than it has to be.
 */
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/huge_mm.h>
#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/pagewalk.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "base/symbol.h"
#include "compat/memory.h"
#include "memory/adopt.h"
#include "memory/layer.h"
#include "memory/lock.h"
#include "memory/mark.h"
#include "memory/release.h"

/* While the kernel moves a page, the page table has no page. That takes some milliseconds, so that one looks again after a tick. */
#define MOVING_TICKS_MAX 30

struct marking {
	u8 owner;
	bool any_moving; /* set by the walk */
};

static void mark_pages(unsigned long number, unsigned long count, u8 owner)
{
	unsigned long end = number + count;
	struct folio *folio;
	struct page *page;

	for (; number < end; number++) {
		page = pfn_to_online_page(number);
		/* The zero page is everybody's, and pages of files are no secret of this process. */
		if (!page || is_zero_pfn(number))
			continue;
		folio = page_folio(page);
		if (folio_test_anon(folio) || folio_test_swapbacked(folio))
			tacet_page_mark_adopt(page, owner);
	}
}

static int mark_pte(pte_t *entry, unsigned long address, unsigned long next, struct mm_walk *walk)
{
	struct marking *marking = walk->private;
	pte_t value = ptep_get(entry);

	if (pte_present(value))
		mark_pages(pte_pfn(value), 1, marking->owner);
	else if (tacet_pte_is_moving(value))
		marking->any_moving = true;
	return 0;
}

static int mark_pmd(pmd_t *entry, unsigned long address, unsigned long next, struct mm_walk *walk)
{
	struct marking *marking = walk->private;
	pmd_t value = pmdp_get_lockless(entry);

	cond_resched();
	if (tacet_pmd_is_moving(value))
		marking->any_moving = true;
	if (!pmd_present(value) || !pmd_leaf(value))
		return 0;
	mark_pages(pmd_pfn(value), HPAGE_PMD_NR, marking->owner);
	walk->action = ACTION_CONTINUE;
	return 0;
}

static int mark_huge(pte_t *entry, unsigned long mask, unsigned long address, unsigned long next, struct mm_walk *walk)
{
	struct marking *marking = walk->private;
	pte_t value = ptep_get(entry);
	unsigned long number, count = (~mask + 1) >> PAGE_SHIFT;

	if (pte_present(value))
		for (number = pte_pfn(value); count--; number++)
			tacet_page_mark_adopt(pfn_to_page(number), marking->owner);
	return 0;
}

#define MARKING .pmd_entry = mark_pmd, .pte_entry = mark_pte, .hugetlb_entry = mark_huge, .walk_lock = PGWALK_RDLOCK

static int skip_own(unsigned long start, unsigned long end, struct mm_walk *walk)
{
	return !(walk->vma->vm_flags & VM_SHARED);
}

static int skip_shared(unsigned long start, unsigned long end, struct mm_walk *walk)
{
	return !!(walk->vma->vm_flags & VM_SHARED);
}

static const struct mm_walk_ops all_operations = { MARKING };
static const struct mm_walk_ops shared_operations = { MARKING, .test_walk = skip_own };
static const struct mm_walk_ops own_operations = { MARKING, .test_walk = skip_shared };

/* Unlocks it. Tells whether no page was moving. */
static bool mark_locked(struct mm_struct *mm, const struct mm_walk_ops *which, u8 owner)
{
	struct marking marking = { .owner = owner };

	static_call(tacet_walk_pages)(mm, 0, TASK_SIZE_MAX, which, &marking);
	mmap_read_unlock(mm);
	return !marking.any_moving;
}

void tacet_page_adopt(struct mm_struct *mm, u8 owner)
{
	unsigned int ticks;

	if (!tacet_layer_covers(TACET_LAYER_PAGES, owner))
		return;
	for (ticks = 0; ticks < MOVING_TICKS_MAX; ticks++) {
		mmap_read_lock(mm);
		if (mark_locked(mm, &all_operations, owner))
			return;
		schedule_timeout_uninterruptible(1);
	}
}

static int adopt_pipe(const void *unused, struct file *file, unsigned int descriptor)
{
	if (S_ISFIFO(file_inode(file)->i_mode) && file->private_data)
		tacet_release_note_pipe(file->private_data);
	return 0;
}

static void adopt_pipes(struct task_struct *process)
{
	task_lock(process);
	if (process->files)
		iterate_fd(process->files, 0, adopt_pipe, NULL);
	task_unlock(process);
}

/* Another process's memory may be locked for as long as a server, or a file system in a process, does not answer. */
static void adopt_memory(struct task_struct *thread, const struct mm_walk_ops *which, u8 owner)
{
	struct mm_struct *mm = get_task_mm(thread);

	if (mm && mmap_read_trylock(mm))
		mark_locked(mm, which, owner);
	if (mm)
		mmput_async(mm);
}

/* Returns a thread of the process that has not ended, with a reference, or NULL. The first may have. */
static struct task_struct *get_living_thread(struct task_struct *process)
{
	struct task_struct *thread, *found = NULL;

	rcu_read_lock();
	for_each_thread(process, thread) {
		if (READ_ONCE(thread->mm)) {
			found = get_task_struct(thread);
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

void tacet_adopt_shared(struct task_struct *process, u8 owner)
{
	struct task_struct *thread = get_living_thread(process);

	if (!thread)
		return;
	if (tacet_layer_covers(TACET_LAYER_PAGES, owner))
		adopt_memory(thread, &shared_operations, TACET_OWNER_UNKNOWN);
	if (tacet_layer_covers(TACET_LAYER_BUFFERS, owner))
		adopt_pipes(thread);
	put_task_struct(thread);
}

void tacet_adopt_own(struct task_struct *process)
{
	struct task_struct *thread = get_living_thread(process);

	if (thread && tacet_layer_is_on(TACET_LAYER_PAGES))
		adopt_memory(thread, &own_operations, TACET_OWNER_PROGRAM);
	if (thread)
		put_task_struct(thread);
}

static void adopt_last_memory(void)
{
	unsigned int ticks;

	for (ticks = 0; ticks < MOVING_TICKS_MAX && tacet_lock_own_memory(); ticks++) {
		if (mark_locked(current->mm, &all_operations, TACET_OWNER_UNKNOWN))
			return;
		schedule_timeout_uninterruptible(1);
	}
}

void tacet_adopt_last(void)
{
	if (tacet_layer_is_on(TACET_LAYER_PAGES) && current->mm)
		adopt_last_memory();
	if (tacet_layer_is_on(TACET_LAYER_BUFFERS))
		adopt_pipes(current);
}
