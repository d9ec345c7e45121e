/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings of the current process. */
#ifndef _TACET_PAIR_MAPPING_H
#define _TACET_PAIR_MAPPING_H

#include <linux/types.h>

struct file;
struct vm_area_struct;

/*
 * Replaces the mappings that @gives_way picks by private ones of their shadows, of their files or of
 * nothing. Returns false if not all were replaced.
 */
bool tacet_mapping_replace(bool (*gives_way)(const struct vm_area_struct *area));
bool tacet_mapping_is_labelled(const struct vm_area_struct *area);
/*
 * Returns a reference to the file of the next mapping from *@address on that @fits, or NULL. Moves
 * *@address behind it.
 */
struct file *tacet_mapping_next_file(unsigned long *address, bool (*fits)(const struct vm_area_struct *area));

#endif
