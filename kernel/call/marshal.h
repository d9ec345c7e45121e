/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies a call's buffers between user memory of the current task and a blob, by the call's row. */
#ifndef _TACET_CALL_MARSHAL_H
#define _TACET_CALL_MARSHAL_H

#include "base/blob.h"
#include "call/call.h"

/*
 * A blob holds sections in the order of the row. Each is a u32 length and so many bytes. U32_MAX stands
 * for a NULL pointer. The payload comes last and bare, and runs from payload_offset to the end. Code
 * that shortens or replaces it sets length = payload_offset + payload_length.
 */

/*
 * Copies the data that the call would read from user memory. Order and form are equal for equal data,
 * wherever it lies (no pointers, no padding). The payload ends where memory ceases to be readable, as a
 * write does. It also ends before the first bad message, as sendmmsg does.
 *
 * With -EFAULT, -EINVAL and -EMSGSIZE the call itself would fail so. The other errors are -E2BIG (more
 * than TACET_BLOB_MAX) and -ENOMEM. The blob is empty after an error.
 */
int __must_check tacet_marshal_in(const struct tacet_call *call, const unsigned long *args, struct tacet_blob *blob);

/* Copies the data that the call has written to user memory, after it returned @result. */
int __must_check tacet_marshal_out(const struct tacet_call *call, const unsigned long *args, long result,
				   struct tacet_blob *blob);

/*
 * Writes the data that tacet_marshal_out() gathered in another task into the memory of this one, at its
 * own pointers. @result is this task's. The payload may have been replaced. -EFAULT and -EPROTO mean
 * that the buffers have another shape. The other error is -ENOMEM.
 */
int __must_check tacet_marshal_replay(const struct tacet_call *call, const unsigned long *args, long result,
				      const struct tacet_blob *blob);

/* Returns the section @index (from 0) of a blob, or NULL where the call had no buffer there. */
const u8 *tacet_marshal_section(const struct tacet_blob *blob, unsigned int index, u32 *length);

#endif
