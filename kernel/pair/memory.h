/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of both halves. The original looks at it while the doppelganger waits in a call. */
#ifndef _TACET_PAIR_MEMORY_H
#define _TACET_PAIR_MEMORY_H

#include <linux/types.h>

struct mm_struct;
struct tacet_pair;

/* Returns a reference (mmput) to the doppelganger's memory, or NULL. */
struct mm_struct *tacet_memory_of_doppelganger(struct tacet_pair *pair);
/* Is called when the page at @address differs. @own and @theirs are copies. False ends the comparison. */
typedef bool tacet_memory_differs(unsigned long address, const u8 *own, const u8 *theirs, void *data);
/*
 * Compares the current process's private memory with that of @mm, but for the fields that the kernel
 * writes. @patience is in jiffies, and then a signal ends it too. With 0 it takes as long as it needs.
 *
 * Returns false if not all was compared: @differs ended it, or time or memory did not suffice.
 */
bool tacet_memory_compare(struct mm_struct *mm, unsigned long patience, tacet_memory_differs *differs, void *data);
/* Does the same for whole pages from @start to @end, however long it takes. */
bool tacet_memory_compare_range(struct mm_struct *mm, unsigned long start, unsigned long end,
				tacet_memory_differs *differs, void *data);

#endif
