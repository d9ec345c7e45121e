/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a marshalled blob and its payload. marshal.h describes the form. */
#ifndef _TACET_BASE_SECTION_H
#define _TACET_BASE_SECTION_H

#include <linux/limits.h>
#include <linux/uio.h>

#include "base/blob.h"

/* This stands in place of a section's length if the call had a NULL pointer there. */
#define TACET_SECTION_NULL U32_MAX

int __must_check tacet_section_append(struct tacet_blob *blob, const void *data, u32 size);
/* A NULL @data becomes a null section. */
int __must_check tacet_section_append_user(struct tacet_blob *blob, const void __user *data, size_t size);
/* Does the same, but appends only as many bytes as can be read. */
int __must_check tacet_section_append_readable(struct tacet_blob *blob, const void __user *data, size_t size);
/* Returns the bytes of the section of @size that was appended last. */
u8 *tacet_section_last(struct tacet_blob *blob, u32 size);

/* Walks the sections of a blob that is complete. */
struct tacet_cursor {
	const u8 *next;
	const u8 *end;
};

void tacet_section_cursor_init(struct tacet_cursor *cursor, const struct tacet_blob *blob);
/* @data is NULL for a null section. -EPROTO means that no section is left. */
int __must_check tacet_section_cursor_next(struct tacet_cursor *cursor, const u8 **data, u32 *size);

/*
 * Both append up to @size or @limit bytes from the current task's memory to the payload. They return
 * the number of bytes, which is smaller where the memory ends. The errors are -EFAULT (no byte can be
 * read), -EINVAL, -E2BIG and -ENOMEM.
 */
ssize_t __must_check tacet_section_take(struct tacet_blob *blob, const void __user *data, size_t size);
ssize_t __must_check tacet_section_take_iovec(struct tacet_blob *blob, const struct iovec __user *vector,
					      unsigned int segments, size_t limit);

/* Both copy data back to user memory. -EPROTO means that @size bytes do not fit. */
int __must_check tacet_section_give(const u8 *data, size_t size, void __user *to, size_t room);
int __must_check tacet_section_give_iovec(const u8 *data, size_t size, const struct iovec __user *vector,
					  unsigned int segments);

#endif
