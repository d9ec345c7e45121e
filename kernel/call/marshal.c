// SPDX-License-Identifier: GPL-2.0-only
/* Gathers a call's buffers from user memory of the current task into a blob, by the call's row. */
#include <linux/exportfs.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <uapi/linux/mount.h>

#include "base/blob.h"
#include "base/section.h"
#include "call/call.h"
#include "call/marshal.h"
#include "call/message.h"
#include "call/row.h"

static void begin_payload(struct tacet_blob *blob)
{
	blob->payload_offset = blob->length;
}

static void end_payload(struct tacet_blob *blob)
{
	blob->payload_length = blob->length - blob->payload_offset;
}

static int append_string(struct tacet_blob *blob, const char __user *string)
{
	long size;
	int error;

	if (!string)
		return tacet_section_append_user(blob, NULL, 0);
	size = strnlen_user(string, PATH_MAX);
	if (!size)
		return -EFAULT;
	size = min_t(long, size, PATH_MAX);
	error = tacet_section_append_user(blob, string, size);
	/* The string may have changed since it was measured, or be too long. */
	if (!error)
		*tacet_section_last(blob, 1) = 0;
	return error;
}

static int append_parameter(struct tacet_blob *blob, void __user *value, unsigned int command, size_t size)
{
	switch (command) {
	case FSCONFIG_SET_STRING:
	case FSCONFIG_SET_PATH:
	case FSCONFIG_SET_PATH_EMPTY:
		return append_string(blob, value);
	case FSCONFIG_SET_BINARY:
		return tacet_section_append_user(blob, value, size);
	default:
		return tacet_section_append_user(blob, NULL, 0);
	}
}

static int append_in(struct tacet_blob *blob, const struct tacet_buffer *buffer, const unsigned long *args)
{
	void __user *user = tacet_row_pointer(buffer, args);

	switch (buffer->kind) {
	case TACET_BUFFER_FIXED:
		return tacet_section_append_user(blob, user, buffer->size);
	case TACET_BUFFER_COUNTED:
		return tacet_section_append_user(blob, user, tacet_row_counted_size(buffer, args));
	case TACET_BUFFER_STRING:
		return append_string(blob, user);
	case TACET_BUFFER_ADDRESS:
		return tacet_message_append_address(blob, user, args[buffer->length_argument]);
	case TACET_BUFFER_PARAMETER:
		return append_parameter(blob, user, args[buffer->length_argument], args[4]);
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

static int take_sysv_message(struct tacet_blob *blob, long __user *message, size_t size)
{
	ssize_t taken;
	int error = tacet_section_append_user(blob, message, sizeof(long));

	if (error)
		return error;
	if (!message)
		return -EFAULT;
	begin_payload(blob);
	taken = tacet_section_take(blob, message + 1, size);
	return taken < 0 ? taken : 0;
}

static int append_payload_in(struct tacet_blob *blob, const struct tacet_buffer *buffer, const unsigned long *args)
{
	void __user *user = tacet_row_pointer(buffer, args);
	size_t length = tacet_row_length(buffer, args);
	ssize_t taken;

	begin_payload(blob);
	switch (buffer->kind) {
	case TACET_BUFFER_COUNTED:
		taken = tacet_section_take(blob, user, length);
		return taken < 0 ? taken : 0;
	case TACET_BUFFER_IOVEC:
		taken = tacet_section_take_iovec(blob, user, length, SIZE_MAX);
		return taken < 0 ? taken : 0;
	case TACET_BUFFER_ADDRESS:
		return tacet_message_take_address(blob, user, length);
	case TACET_BUFFER_MSGHDR:
		return tacet_message_outgoing(blob, user, false, 1);
	case TACET_BUFFER_MMSGHDR:
		return tacet_message_outgoing(blob, user, true, min_t(u32, length, UIO_MAXIOV));
	case TACET_BUFFER_SYSV_MESSAGE:
		return take_sysv_message(blob, user, length);
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

static int gather_in(const struct tacet_call *call, const unsigned long *args, struct tacet_blob *blob)
{
	const struct tacet_buffer *payload = tacet_row_payload(call->in), *buffer;
	int error;

	tacet_for_each_section(buffer, call->in) {
		error = append_in(blob, buffer, args);
		if (error)
			return error;
	}
	begin_payload(blob);
	error = payload ? append_payload_in(blob, payload, args) : 0;
	end_payload(blob);
	return error;
}

int tacet_marshal_in(const struct tacet_call *call, const unsigned long *args, struct tacet_blob *blob)
{
	int error = gather_in(call, args, blob);

	if (error)
		tacet_blob_reset(blob);
	return error;
}

static size_t fd_set_size(int bits)
{
	unsigned int open;

	/* select() looks at no more bits than the table of files has. Its caller may claim far more. */
	rcu_read_lock();
	open = files_fdtable(current->files)->max_fds;
	rcu_read_unlock();
	return BITS_TO_LONGS(min_t(unsigned int, max(bits, 0), open)) * sizeof(long);
}

/*
 * The length that the kernel leaves may exceed the room there was. The bytes behind that room are
 * gathered too, and left out where they are replayed.
 */
static int append_value(struct tacet_blob *blob, const void __user *user, const u32 __user *user_length)
{
	u32 length;
	int error;

	if (!user || !user_length)
		return tacet_section_append_user(blob, NULL, 0);
	if (get_user(length, user_length))
		return -EFAULT;
	error = tacet_section_append(blob, &length, sizeof(length));
	return error ?: tacet_section_append_readable(blob, user, length);
}

static int append_sent_lengths(struct tacet_blob *blob, const struct mmsghdr __user *messages, u32 count)
{
	u32 index, length;
	int error = 0;

	for (index = 0; !error && index < count; index++) {
		if (get_user(length, &messages[index].msg_len))
			return -EFAULT;
		error = tacet_section_append(blob, &length, sizeof(length));
	}
	return error;
}

static int append_handle(struct tacet_blob *blob, const struct file_handle __user *handle, long result)
{
	u32 bytes = 0;

	if (!handle)
		return tacet_section_append_user(blob, NULL, 0);
	if (result >= 0 && get_user(bytes, &handle->handle_bytes))
		return -EFAULT;
	return tacet_section_append_user(blob, handle, sizeof(*handle) + min_t(u32, bytes, MAX_HANDLE_SZ));
}

static int append_out(struct tacet_blob *blob, const struct tacet_buffer *buffer, const unsigned long *args,
		      long result)
{
	void __user *user = tacet_row_pointer(buffer, args);

	switch (buffer->kind) {
	case TACET_BUFFER_FIXED:
		return tacet_section_append_user(blob, user, buffer->size);
	case TACET_BUFFER_COUNTED:
		return tacet_section_append_user(blob, user, tacet_row_counted_size(buffer, args));
	case TACET_BUFFER_RETURNED:
		return tacet_section_append_user(blob, user, tacet_row_returned_size(buffer, args, result));
	case TACET_BUFFER_VALUE_LENGTH:
		return append_value(blob, user, (u32 __user *)args[buffer->length_argument]);
	case TACET_BUFFER_FD_SET:
		return tacet_section_append_user(blob, user, fd_set_size(args[buffer->length_argument]));
	case TACET_BUFFER_SENT_LENGTHS:
		return append_sent_lengths(blob, user, result);
	case TACET_BUFFER_HANDLE:
		return append_handle(blob, user, result);
	case TACET_BUFFER_MOUNT:
		return tacet_section_append_user(blob, user, tacet_row_mount_size(buffer, args));
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

/* The call may have failed because of this very pointer, so an unreadable buffer becomes a null section. */
static int append_out_on_failure(struct tacet_blob *blob, const struct tacet_buffer *buffer, const unsigned long *args,
				 long result)
{
	u32 length = blob->length;

	if (!append_out(blob, buffer, args, result))
		return 0;
	blob->length = length;
	return tacet_section_append_user(blob, NULL, 0);
}

static int require_all(ssize_t taken, size_t size)
{
	if (taken < 0)
		return taken;
	return taken == size ? 0 : -EFAULT;
}

static int append_payload_out(struct tacet_blob *blob, const struct tacet_buffer *buffer, const unsigned long *args,
			      long result)
{
	void __user *user = tacet_row_pointer(buffer, args);
	ssize_t taken;
	size_t size;
	int error;

	/* After recv with MSG_TRUNC and no buffer the data went nowhere. */
	if (!user)
		return 0;
	switch (buffer->kind) {
	case TACET_BUFFER_RETURNED:
		size = tacet_row_returned_size(buffer, args, result);
		return require_all(tacet_section_take(blob, user, size), size);
	case TACET_BUFFER_IOVEC:
		taken = tacet_section_take_iovec(blob, user, tacet_row_length(buffer, args), result);
		return require_all(taken, result);
	case TACET_BUFFER_MSGHDR:
		return tacet_message_received(blob, user, false, 1, result);
	case TACET_BUFFER_MMSGHDR:
		return tacet_message_received(blob, user, true, result, 0);
	case TACET_BUFFER_SYSV_MESSAGE:
		error = tacet_section_append_user(blob, user, sizeof(long));
		if (error)
			return error;
		begin_payload(blob);
		taken = tacet_section_take(blob, (long __user *)user + 1, result);
		return require_all(taken, result);
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

static int gather_out(const struct tacet_call *call, const unsigned long *args, long result, struct tacet_blob *blob)
{
	const struct tacet_buffer *payload = tacet_row_payload(call->out), *buffer;
	int error;

	tacet_for_each_section(buffer, call->out) {
		if (!tacet_row_is_written(buffer, result))
			continue;
		if (result < 0)
			error = append_out_on_failure(blob, buffer, args, result);
		else
			error = append_out(blob, buffer, args, result);
		if (error)
			return error;
	}
	begin_payload(blob);
	error = payload && result >= 0 ? append_payload_out(blob, payload, args, result) : 0;
	end_payload(blob);
	return error;
}

int tacet_marshal_out(const struct tacet_call *call, const unsigned long *args, long result, struct tacet_blob *blob)
{
	int error = gather_out(call, args, result, blob);

	if (error)
		tacet_blob_reset(blob);
	return error;
}

const u8 *tacet_marshal_section(const struct tacet_blob *blob, unsigned int index, u32 *length)
{
	struct tacet_cursor cursor;
	const u8 *data = NULL;

	*length = 0;
	tacet_section_cursor_init(&cursor, blob);
	do {
		if (tacet_section_cursor_next(&cursor, &data, length))
			return NULL;
	} while (index--);
	return data;
}
