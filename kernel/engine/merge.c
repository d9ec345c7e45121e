// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pair whose halves have become the same again is merged (TightLip 4.4). The original no longer holds
 * anything that its doppelganger does not hold. So it goes on alone, as if it had never read.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "base/counter.h"
#include "base/labelset.h"
#include "call/entry.h"
#include "engine/merge.h"
#include "engine/takeover.h"
#include "label/mark.h"
#include "label/origin.h"
#include "pair/mapping.h"
#include "pair/memory.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/state.h"
#include "pair/task.h"

/*
 * The search takes at most one part in SHARE of the running time. It takes at most PATIENCE at once, as
 * the program waits meanwhile.
 */
#define SHARE 100
#define PATIENCE (HZ / 4)
/* The ABI for x86-64 leaves a program this much below the stack pointer. Any signal may overwrite the rest. */
#define RED_ZONE 128
/* With more memory a merge is not tried. */
#define MEMORY_MAX (1UL << 30)

/* The part of the stack that nobody needs any more. */
struct dead_stack {
	unsigned long start, end;
};

/* Tells whether the doppelganger does not have this memory as the original has it. Such memory cannot be compared. */
static bool is_the_originals_alone(const struct vm_area_struct *area)
{
	return tacet_mapping_is_labelled(area) || (area->vm_file && !S_ISREG(file_inode(area->vm_file)->i_mode));
}

/*
 * This is only for a program without an alternate stack. With one, a signal handler may run above the
 * frame that it interrupted.
 */
static void find_dead_stack(const struct tacet_entry *entry, const struct vm_area_struct *area, struct dead_stack *dead)
{
	if (area->vm_flags & VM_GROWSDOWN && !current->sas_ss_size && area->vm_start + RED_ZONE <= entry->regs->sp &&
	    entry->regs->sp < area->vm_end)
		*dead = (struct dead_stack){ area->vm_start, entry->regs->sp - RED_ZONE };
}

static bool can_be_compared(const struct tacet_entry *entry, struct dead_stack *dead)
{
	struct vm_area_struct *area;
	unsigned long private = 0;
	bool can = true;
	VMA_ITERATOR(iterator, current->mm, 0);

	memset(dead, 0, sizeof(*dead));
	mmap_read_lock(current->mm);
	for_each_vma(iterator, area) {
		can = can && !is_the_originals_alone(area);
		private += area->anon_vma ? area->vm_end - area->vm_start : 0;
		find_dead_stack(entry, area, dead);
	}
	mmap_read_unlock(current->mm);
	return can && private <= MEMORY_MAX;
}

/* Returns the number of bytes at the start of the page at @address that the program will not read again. */
static unsigned long dead_length(const struct dead_stack *dead, unsigned long address)
{
	if (address < dead->start || address >= dead->end)
		return 0;
	return min(dead->end - address, PAGE_SIZE);
}

static bool differs_where_dead(unsigned long address, const u8 *own, const u8 *theirs, void *data)
{
	unsigned long length = dead_length(data, address);

	return length && !memcmp(own + length, theirs + length, PAGE_SIZE - length);
}

static bool take_where_dead(unsigned long address, const u8 *own, const u8 *theirs, void *data)
{
	unsigned long length = dead_length(data, address);

	return access_process_vm(current, address, (u8 *)theirs, length, FOLL_FORCE | FOLL_WRITE) == length;
}

/* The dead part of the stack is changed only when all else is the same. It gets the doppelganger's content. */
static bool same_memory(const struct tacet_entry *entry)
{
	struct mm_struct *mm = tacet_memory_of_doppelganger(entry->pair);
	struct dead_stack dead;
	bool same;

	if (!mm)
		return false;
	same = can_be_compared(entry, &dead) && tacet_memory_compare(mm, PATIENCE, differs_where_dead, &dead) &&
	       tacet_memory_compare_range(mm, dead.start, dead.end, take_where_dead, &dead);
	mmput(mm);
	return same;
}

/*
 * Events between the comparison and the switch (a mapped file was labelled, a traced child read) were
 * delivered to the old pair. Check again.
 */
static void look_again(struct tacet_pair *pair, struct tacet_labelset *old, struct tacet_origin *old_origin)
{
	unsigned long address = 0;
	struct tacet_labelset *set;
	struct tacet_origin *origin;
	struct file *file;

	smp_mb();
	if (!list_empty(&current->ptraced)) {
		tacet_pair_add_label(pair, old, old_origin, GFP_KERNEL);
		tacet_pair_taint(pair, "memory-of-another-seen");
	}
	while ((file = tacet_mapping_next_file(&address, tacet_mapping_is_labelled))) {
		set = tacet_mark_label(file);
		origin = tacet_origin_of_file(file, current);
		if (set)
			tacet_pair_add_label(pair, set, origin, GFP_KERNEL);
		tacet_origin_put(origin);
		tacet_labelset_put(set);
		fput(file);
		tacet_pair_taint(pair, "labelled-while-mapped");
	}
}

/* The original goes on in a pair that has read nothing. */
static bool dissolve(struct tacet_entry *entry)
{
	struct tacet_pair *after = tacet_pair_create(TACET_PAIR_WATCH, GFP_KERNEL);
	struct tacet_labelset *set;
	struct tacet_origin *origin;

	if (!after)
		return false;
	set = tacet_pair_label(entry->pair, &origin);
	after->scrubbed = tacet_labelset_get(entry->pair->scrubbed);
	tacet_task_leave_pair(entry->context, after);
	look_again(after, set, origin);
	tacet_origin_put(origin);
	tacet_labelset_put(set);
	tacet_counter_add(TACET_COUNTER_MERGED);
	return true;
}

/* A tracer can learn at any time what its tracees have read, so a merge is not tried for it. */
static bool is_the_same(struct tacet_entry *entry)
{
	struct task_struct *doppelganger = entry->context->ring->doppelganger_task;

	return list_empty(&current->ptraced) && tacet_takeover_possible(entry) && doppelganger &&
	       tacet_state_same(doppelganger) && same_memory(entry) && tacet_pair_lives(entry->pair);
}

bool tacet_merge(struct tacet_entry *entry)
{
	struct tacet_pair *pair = entry->pair;
	unsigned long began = jiffies;

	if (time_before(began, READ_ONCE(pair->merge_at)))
		return false;
	if (is_the_same(entry) && dissolve(entry))
		return true;
	tacet_pair_put_merge_off(pair, TACET_MERGE_PAUSE + SHARE * (jiffies - began));
	return false;
}
