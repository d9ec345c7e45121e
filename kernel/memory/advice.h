/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that programs give up by madvise(). */
#ifndef _TACET_MEMORY_ADVICE_H
#define _TACET_MEMORY_ADVICE_H

#include <linux/types.h>

struct mm_struct;

/*
 * Returns the advice that the kernel shall follow for the current task, an owner: MADV_DONTNEED for MADV_FREE where both mean the
 * same to the program, and otherwise @advice. Sleeps.
 */
int tacet_advice_of_owner(struct mm_struct *mm, unsigned long start, size_t size, int advice);

#endif
