/* SPDX-License-Identifier: GPL-2.0-only */
/* Scrubbed copies of labelled files: the daemon's shadow file, else a view that is scrubbed on the fly. */
#ifndef _TACET_LABEL_SHADOW_H
#define _TACET_LABEL_SHADOW_H

#include <linux/types.h>

struct file;

/* The generic scrubber, which works in place. Each byte that is not ASCII white space becomes 'x'. */
void tacet_shadow_scrub(u8 *data, size_t size);

/*
 * Reads scrubbed content of the labelled @original at @position into kernel memory. It always fills
 * @size bytes, with 'x' past the end of a shorter shadow. Returns 0 or -errno.
 */
int __must_check tacet_shadow_read(struct file *original, u8 *data, size_t size, loff_t position);

/*
 * Returns a read-only file with the scrubbed content, for mmap by a doppelganger. The caller releases
 * it with fput(). Returns ERR_PTR on failure.
 */
struct file *tacet_shadow_open(struct file *original);
/* Opens @original itself, read-only; reading the result raises no event. Returns ERR_PTR on failure. */
struct file *tacet_shadow_open_source(struct file *original);

#endif
