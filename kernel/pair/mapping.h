/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings of the current process. */
#ifndef _TACET_PAIR_MAPPING_H
#define _TACET_PAIR_MAPPING_H

#include <linux/types.h>

struct file;
struct vm_area_struct;

/* Those that @gives_way picks give way to private ones of their shadows, or of nothing. False: not all. */
bool tacet_mapping_replace(bool (*gives_way)(const struct vm_area_struct *area));
bool tacet_mapping_is_labelled(const struct vm_area_struct *area);
/* The file of the next mapping from *@address on that @fits, a reference; NULL: none. Moves *@address behind it. */
struct file *tacet_mapping_next_file(unsigned long *address, bool (*fits)(const struct vm_area_struct *area));

#endif
