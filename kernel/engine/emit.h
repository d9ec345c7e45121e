/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes bytes of the kernel's own copy. */
#ifndef _TACET_ENGINE_EMIT_H
#define _TACET_ENGINE_EMIT_H

#include <linux/types.h>

struct file;
struct tacet_entry;

/*
 * Writes the bytes to @file as the call of @entry would. Returns a result like the call's. TACET_PASS
 * means that nothing was written, as the call carries more than bytes.
 */
long tacet_emit(struct tacet_entry *entry, struct file *file, const u8 *data, size_t length);

#endif
