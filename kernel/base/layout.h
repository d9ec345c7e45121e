/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the fields are of the kernel's structures that no header has. */
#ifndef _TACET_BASE_LAYOUT_H
#define _TACET_BASE_LAYOUT_H

#include <linux/types.h>

/*
 * Gets the offset in bytes of a field by the kernel's own description of its types (BTF). Returns 0 or -ENOENT: the kernel
 * has no such field, or no description. The first call may take long. Sleeps.
 */
int tacet_layout_find(const char *structure, const char *field, size_t *offset);

#endif
