/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks the memory that a process had before it became a matter of clearing. */
#ifndef _TACET_MEMORY_ADOPT_H
#define _TACET_MEMORY_ADOPT_H

#include <linux/types.h>

struct mm_struct;
struct task_struct;

/*
 * Marks the present pages of @mm that no file has as @owner's. They are anonymous memory, tmpfs and huge
 * pages. Does nothing if the owner's pages are not cleared. Sleeps.
 */
void tacet_page_adopt(struct mm_struct *mm, u8 owner);
/*
 * Marks pages of shared memory that @process has, which others may have allocated, and from now on clears what is read from
 * its pipes, whoever wrote there before. It is a chosen program, or has read labelled data. Sleeps.
 */
void tacet_adopt_shared(struct task_struct *process);
/* The same for the current process, which ends, and for all other pages that others have allocated for it. Sleeps. */
void tacet_adopt_last(struct task_struct *process);

#endif
