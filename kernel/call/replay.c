// SPDX-License-Identifier: GPL-2.0-only
/* Writes what the original's call left in its memory into the memory of the current task. */
#include <linux/exportfs.h>
#include <linux/fs.h>
#include <linux/socket.h>
#include <linux/uaccess.h>

#include "base/blob.h"
#include "base/section.h"
#include "call/call.h"
#include "call/marshal.h"
#include "call/message.h"
#include "call/row.h"

static bool memory_equals(const void __user *user, const u8 *data, size_t size)
{
	u8 chunk[64];

	while (size) {
		size_t length = min(size, sizeof(chunk));

		if (copy_from_user(chunk, user, length) || memcmp(chunk, data, length))
			return false;
		user += length;
		data += length;
		size -= length;
	}
	return true;
}

/* Read-only memory with the same bytes is no failure: the kernel ignores that too (ppoll's timeout). */
static int write_section(void __user *user, const u8 *data, size_t size)
{
	if (copy_to_user(user, data, size) && !memory_equals(user, data, size))
		return -EFAULT;
	return 0;
}

static int replay_value(struct tacet_cursor *cursor, void __user *user, u32 __user *user_length, const u8 *length_data,
			u32 length_size)
{
	const u8 *data;
	u32 size, room;
	int error = tacet_section_cursor_next(cursor, &data, &size);

	if (error)
		return error;
	if (!user_length || !data || length_size != sizeof(u32))
		return -EPROTO;
	/* This task did not make the call, so its length still says how much room it offers. */
	if (get_user(room, user_length) || copy_to_user(user, data, min(room, size)) ||
	    copy_to_user(user_length, length_data, sizeof(u32)))
		return -EFAULT;
	return 0;
}

static int replay_sent_lengths(struct tacet_cursor *cursor, struct mmsghdr __user *messages, u32 count)
{
	const u8 *data;
	u32 index, size;
	int error;

	for (index = 0; index < count; index++) {
		error = tacet_section_cursor_next(cursor, &data, &size);
		if (error)
			return error;
		if (!data || size != sizeof(u32))
			return -EPROTO;
		if (copy_to_user(&messages[index].msg_len, data, size))
			return -EFAULT;
	}
	return 0;
}

/* This task did not make the call, so handle_bytes still says how much room it offers. */
static size_t room_for_handle(const struct file_handle __user *handle)
{
	u32 bytes;

	return get_user(bytes, &handle->handle_bytes) ? 0 : sizeof(*handle) + bytes;
}

static size_t room_for(const struct tacet_buffer *buffer, const unsigned long *args)
{
	switch (buffer->kind) {
	case TACET_BUFFER_FIXED:
		return buffer->size;
	case TACET_BUFFER_FD_SET:
		return BITS_TO_LONGS((u32)args[buffer->length_argument]) * sizeof(long);
	case TACET_BUFFER_HANDLE:
		return room_for_handle(tacet_row_pointer(buffer, args));
	case TACET_BUFFER_MOUNT:
		return tacet_row_mount_size(buffer, args);
	}
	return tacet_row_counted_size(buffer, args);
}

static int replay_section(struct tacet_cursor *cursor, const struct tacet_buffer *buffer, const unsigned long *args,
			  long result)
{
	void __user *user = tacet_row_pointer(buffer, args);
	const u8 *data;
	u32 size;
	int error;

	if (buffer->kind == TACET_BUFFER_SENT_LENGTHS)
		return replay_sent_lengths(cursor, user, result);
	error = tacet_section_cursor_next(cursor, &data, &size);
	if (error)
		return error;
	/* accept takes an address without a length, and a failed call may have written nothing. */
	if (!data && (!user || result < 0 || buffer->kind == TACET_BUFFER_VALUE_LENGTH))
		return 0;
	if (!data || !user)
		return -EPROTO;
	if (buffer->kind == TACET_BUFFER_VALUE_LENGTH)
		return replay_value(cursor, user, (u32 __user *)args[buffer->length_argument], data, size);
	if (size > room_for(buffer, args))
		return -EPROTO;
	return write_section(user, data, size);
}

static int replay_sysv_message(struct tacet_cursor *cursor, long __user *message, size_t room, const u8 *payload,
			       size_t length)
{
	const u8 *type;
	u32 size;
	int error = tacet_section_cursor_next(cursor, &type, &size);

	if (error)
		return error;
	if (!type || size != sizeof(long))
		return -EPROTO;
	if (copy_to_user(message, type, size))
		return -EFAULT;
	return tacet_section_give(payload, length, message + 1, room);
}

static int replay_payload(const struct tacet_blob *blob, struct tacet_cursor *cursor, const struct tacet_buffer *buffer,
			  const unsigned long *args, long result)
{
	const u8 *payload = blob->data + blob->payload_offset;
	void __user *user = tacet_row_pointer(buffer, args);
	size_t length = tacet_row_length(buffer, args);

	if (!user)
		return blob->payload_length ? -EPROTO : 0;
	switch (buffer->kind) {
	case TACET_BUFFER_RETURNED:
		return tacet_section_give(payload, blob->payload_length, user, length);
	case TACET_BUFFER_IOVEC:
		return tacet_section_give_iovec(payload, blob->payload_length, user, length);
	case TACET_BUFFER_MSGHDR:
		return tacet_message_replay(blob, cursor, user, false, 1);
	case TACET_BUFFER_MMSGHDR:
		return tacet_message_replay(blob, cursor, user, true, result);
	case TACET_BUFFER_SYSV_MESSAGE:
		return replay_sysv_message(cursor, user, length, payload, blob->payload_length);
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

int tacet_marshal_replay(const struct tacet_call *call, const unsigned long *args, long result,
			 const struct tacet_blob *blob)
{
	const struct tacet_buffer *payload = tacet_row_payload(call->out), *buffer;
	struct tacet_cursor cursor;
	int error;

	tacet_section_cursor_init(&cursor, blob);
	tacet_for_each_section(buffer, call->out) {
		if (!tacet_row_is_written(buffer, result))
			continue;
		error = replay_section(&cursor, buffer, args, result);
		if (error)
			return error;
	}
	if (!payload || result < 0)
		return 0;
	return replay_payload(blob, &cursor, payload, args, result);
}
