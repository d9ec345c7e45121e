/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of both, in the original while the doppelganger waits in a call. */
#ifndef _TACET_PAIR_MEMORY_H
#define _TACET_PAIR_MEMORY_H

#include <linux/types.h>

struct mm_struct;
struct tacet_pair;

/* The doppelganger's; a reference (mmput), or NULL. */
struct mm_struct *tacet_memory_of_doppelganger(struct tacet_pair *pair);
/* The page at @address has another content. @own, @theirs: copies. False ends the comparison. */
typedef bool tacet_memory_differs(unsigned long address, const u8 *own, const u8 *theirs, void *data);
/*
 * Compares the current process's private memory with that of @mm, but for what the kernel writes there. @patience: jiffies,
 * and a signal ends it; 0: as long as it takes. False: not all was compared, as @differs said so or for want of time or memory.
 */
bool tacet_memory_compare(struct mm_struct *mm, unsigned long patience, tacet_memory_differs *differs, void *data);
/* The same of whole pages from @start to @end. */
bool tacet_memory_compare_range(struct mm_struct *mm, unsigned long start, unsigned long end,
				tacet_memory_differs *differs, void *data);

#endif
