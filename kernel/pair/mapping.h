/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings of the current process. */
#ifndef _TACET_PAIR_MAPPING_H
#define _TACET_PAIR_MAPPING_H

#include <linux/types.h>

struct file;
struct list_head;
struct vm_area_struct;

/*
 * Copies the memory that the process shares with others, for its doppelganger, to the end of @copies. Memory of
 * more than 16 MiB, or the rest of more than 64 MiB in all, is left out. Sleeps.
 */
void tacet_mapping_copy_shared(struct list_head *copies);
/* Empties @copies. Works in any context. */
void tacet_mapping_forget_copies(struct list_head *copies);
/*
 * Replaces the mappings that @gives_way picks by private ones of their shadows, of @copies, of their files or of
 * nothing. @copies may be NULL. Returns false if not all were replaced.
 */
bool tacet_mapping_replace(bool (*gives_way)(const struct vm_area_struct *area), const struct list_head *copies);
/* Tells whether this is a mapping through which the process could store into a file or into shared memory. */
bool tacet_mapping_is_stored_through(const struct vm_area_struct *area);
bool tacet_mapping_is_labelled(const struct vm_area_struct *area);
/*
 * Returns a reference to the file of the next mapping from *@address on that @fits, or NULL. Moves
 * *@address behind it.
 */
struct file *tacet_mapping_next_file(unsigned long *address, bool (*fits)(const struct vm_area_struct *area));

#endif
