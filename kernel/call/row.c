// SPDX-License-Identifier: GPL-2.0-only
/* Reads a row's buffer descriptions. */
#include <linux/errno.h>

#include "call/call.h"
#include "call/row.h"

static bool is_interrupted(long result)
{
	switch (result) {
	case -EINTR:
	case -ERESTARTSYS:
	case -ERESTARTNOINTR:
	case -ERESTARTNOHAND:
	case -ERESTART_RESTARTBLOCK:
		return true;
	}
	return false;
}

bool tacet_row_is_written(const struct tacet_buffer *buffer, long result)
{
	if (buffer->flags & TACET_BUFFER_ALWAYS)
		return true;
	if (buffer->flags & TACET_BUFFER_INTERRUPTED)
		return is_interrupted(result);
	if (buffer->flags & TACET_BUFFER_OVERFLOW && result == -EOVERFLOW)
		return true;
	return result >= (buffer->flags & TACET_BUFFER_POSITIVE ? 1 : 0);
}

const struct tacet_buffer *tacet_row_payload(const struct tacet_buffer *buffers)
{
	const struct tacet_buffer *buffer;

	for (buffer = buffers; buffer < buffers + TACET_CALL_BUFFERS && buffer->kind; buffer++)
		if (buffer->flags & TACET_BUFFER_PAYLOAD)
			return buffer;
	return NULL;
}

const struct tacet_buffer *tacet_row_section(const struct tacet_buffer *buffers, const struct tacet_buffer *buffer)
{
	for (; buffer < buffers + TACET_CALL_BUFFERS && buffer->kind; buffer++)
		if (!(buffer->flags & TACET_BUFFER_PAYLOAD))
			return buffer;
	return NULL;
}
