/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks the memory that a process had before it became a matter of clearing. */
#ifndef _TACET_MEMORY_ADOPT_H
#define _TACET_MEMORY_ADOPT_H

#include <linux/types.h>

struct mm_struct;
struct task_struct;

/*
 * Marks the present pages of @mm that no file has (anonymous memory, tmpfs and huge pages) as @owner's, but for those that have an
 * owner who is known. Does nothing if the owner's pages are not cleared. Sleeps.
 */
void tacet_page_adopt(struct mm_struct *mm, u8 owner);
/*
 * Marks pages of shared memory that @process has, which others may have allocated, and from now on clears what is read from
 * its pipes, whoever wrote there before. It has this owner. Memory that is locked, or that the kernel moves at the moment, is
 * left out; the next round comes back. Sleeps.
 */
void tacet_adopt_shared(struct task_struct *process, u8 owner);
/*
 * Marks the memory that only @process has, a program that was started before it was chosen. Memory that is locked, and pages
 * on their way to swap or to another place, are left out, so that it has to be repeated. Sleeps.
 */
void tacet_adopt_own(struct task_struct *process);
/* Marks all pages that the current process has, as it ends and others may have allocated some, and its pipes. Sleeps. */
void tacet_adopt_last(void);

#endif
