/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies of shared memory, from before a process that has read labelled data stores there. */
#ifndef _TACET_LABEL_SNAPSHOT_H
#define _TACET_LABEL_SNAPSHOT_H

#include <linux/types.h>

struct file;

/*
 * Returns a new file with the content that the memory of @memory has now, for doppelgangers. *@budget is the number
 * of bytes that may be copied, and becomes what is left of it. Returns ERR_PTR, -EFBIG if there is more. Sleeps.
 */
struct file *tacet_snapshot_make(struct file *memory, size_t *budget);

#endif
