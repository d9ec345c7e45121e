// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pair whose halves have become the same again is dissolved (TightLip 4.4): the
 * original holds nothing any more that its doppelganger does not hold, so it goes on
 * alone, as if it had never read.
 */
#include <linux/mm.h>
#include <linux/regset.h>
#include <linux/sched/mm.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>

#include "counter.h"
#include "engine.h"
#include "label.h"

/* Of the time at most one part in so many goes into looking. */
#define SHARE 100
/* Below the stack pointer the ABI for x86-64 leaves a program that much; the rest any signal may overwrite. */
#define RED_ZONE 128
/* Above that it is not tried. */
#define MEMORY_MAX (1UL << 30)

/* The part of the stack that nobody needs any more. */
struct dead_stack {
	unsigned long start, end;
};

/* Memory that the doppelganger does not have as the original has it, and cannot be compared. */
static bool is_the_originals_alone(const struct vm_area_struct *area)
{
	return area->vm_file && (tacet_label_armed(area->vm_file) || area->vm_flags & (VM_IO | VM_PFNMAP));
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
		if (area->vm_flags & VM_GROWSDOWN && area->vm_start <= entry->regs->sp && entry->regs->sp < area->vm_end)
			*dead = (struct dead_stack){ area->vm_start, entry->regs->sp - RED_ZONE };
	}
	mmap_read_unlock(current->mm);
	return can && private <= MEMORY_MAX;
}

/* A part of the stack that is dead gets what the doppelganger has there; any other difference ends it. */
static bool forget_or_differ(unsigned long address, const u8 *own, const u8 *theirs, void *data)
{
	const struct dead_stack *dead = data;
	unsigned long length = PAGE_SIZE;

	if (address < dead->start || address >= dead->end)
		return false;
	if (dead->end - address < PAGE_SIZE) {
		length = dead->end - address;
		if (memcmp(own + length, theirs + length, PAGE_SIZE - length))
			return false;
	}
	return access_process_vm(current, address, (u8 *)theirs, length, FOLL_FORCE | FOLL_WRITE) == length;
}

static bool same_vector_state(struct task_struct *doppelganger)
{
	const struct user_regset *regset = tacet_xstate_regset();
	void *own = NULL, *theirs = NULL;
	int size = -ENODEV, other = -ENODEV;
	bool same;

	if (regset) {
		size = regset_get_alloc(current, regset, regset->n * regset->size, &own);
		other = regset_get_alloc(doppelganger, regset, regset->n * regset->size, &theirs);
	}
	same = size > 0 && size == other && !memcmp(own, theirs, size);
	if (own)
		memzero_explicit(own, size);
	kvfree(own);
	kvfree(theirs);
	return same;
}

/* The doppelganger waits for the result of the call that the original is in. */
static bool same_registers(const struct tacet_entry *entry)
{
	struct task_struct *doppelganger = entry->context->ring->double_task;
	bool same;

	if (!doppelganger || !tacet_wait_off_cpu(doppelganger) || !try_get_task_stack(doppelganger))
		return false;
	same = !memcmp(task_pt_regs(doppelganger), entry->regs, sizeof(*entry->regs));
	static_call(tacet_put_task_stack)(doppelganger);
	return same && same_vector_state(doppelganger);
}

static bool same_memory(const struct tacet_entry *entry)
{
	struct dead_stack dead;
	struct mm_struct *mm;
	bool same;

	if (!can_be_compared(entry, &dead))
		return false;
	mm = tacet_memory_of_doppelganger(entry->pair);
	same = mm && tacet_memory_compare(mm, forget_or_differ, &dead);
	if (mm)
		mmput(mm);
	return same;
}

/* A file that it has mapped was labelled just now, and whoever did it found the old pair. */
static void look_again(const struct tacet_entry *entry, struct tacet_labelset *set)
{
	struct tacet_pair *pair = tacet_task_pair(entry->context);
	struct dead_stack dead;

	smp_mb();
	if (can_be_compared(entry, &dead))
		return;
	tacet_pair_add_label(pair, set, NULL, GFP_KERNEL);
	tacet_pair_taint(pair, "labelled-while-mapped");
}

/* The original goes on in a pair that has read nothing. */
static bool dissolve(struct tacet_entry *entry)
{
	struct tacet_pair *after = tacet_pair_create(TACET_PAIR_WATCH, GFP_KERNEL);
	struct tacet_labelset *set;

	if (!after)
		return false;
	set = tacet_pair_label(entry->pair, NULL);
	after->scrubbed = tacet_labelset_get(entry->pair->scrubbed);
	tacet_task_leave_pair(entry->context, after);
	look_again(entry, set);
	tacet_labelset_put(set);
	tacet_count(TACET_COUNTER_MERGED);
	return true;
}

bool tacet_merge(struct tacet_entry *entry)
{
	struct tacet_pair *pair = entry->pair;
	unsigned long began = jiffies;
	bool merged;

	/* Who traces others is told of what they read at any time. */
	if (time_before(began, READ_ONCE(pair->merge_at)) || !list_empty(&current->ptraced) ||
	    !tacet_takeover_possible(entry))
		return false;
	merged = same_registers(entry) && same_memory(entry) && tacet_pair_lives(pair) && dissolve(entry);
	if (!merged)
		WRITE_ONCE(pair->merge_at, jiffies + TACET_MERGE_PAUSE + SHARE * (jiffies - began));
	return merged;
}
