/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a row's buffer descriptions: where a buffer lies, how long it is, whether it is written. */
#ifndef _TACET_CALL_ROW_H
#define _TACET_CALL_ROW_H

#include <linux/minmax.h>
#include <linux/overflow.h>
#include <uapi/linux/fcntl.h>

#include "call/call.h"

static inline void __user *tacet_row_pointer(const struct tacet_buffer *buffer, const unsigned long *args)
{
	return (void __user *)args[buffer->argument];
}

static inline size_t tacet_row_length(const struct tacet_buffer *buffer, const unsigned long *args)
{
	unsigned long length = args[buffer->length_argument];

	return buffer->flags & TACET_BUFFER_LENGTH32 ? (u32)length : length;
}

static inline size_t tacet_row_counted_size(const struct tacet_buffer *buffer, const unsigned long *args)
{
	return size_mul(tacet_row_length(buffer, args), buffer->size);
}

static inline size_t tacet_row_mount_size(const struct tacet_buffer *buffer, const unsigned long *args)
{
	return args[buffer->length_argument] & AT_HANDLE_MNT_ID_UNIQUE ? sizeof(u64) : sizeof(int);
}

static inline size_t tacet_row_returned_size(const struct tacet_buffer *buffer, const unsigned long *args, long result)
{
	return size_mul(min_t(size_t, result, tacet_row_length(buffer, args)), buffer->size);
}

/* Tells whether an out buffer holds something after the call returned @result. */
bool tacet_row_is_written(const struct tacet_buffer *buffer, long result);

/* Returns the one payload among in or out buffers, or NULL. The payload ends the blob, after all sections. */
const struct tacet_buffer *tacet_row_payload(const struct tacet_buffer *buffers);

/* Returns the first buffer from @buffer on that is not the payload, or NULL. */
const struct tacet_buffer *tacet_row_section(const struct tacet_buffer *buffers, const struct tacet_buffer *buffer);

#define tacet_for_each_section(buffer, buffers) \
	for (buffer = tacet_row_section(buffers, buffers); buffer; buffer = tacet_row_section(buffers, buffer + 1))

#endif
