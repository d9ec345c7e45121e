// SPDX-License-Identifier: GPL-2.0-only
/* Copies a call's buffers between user memory of the current task and a blob, by the call's row. */
#include <linux/fdtable.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "marshal.h"
#include "message.h"
#include "section.h"

static void __user *pointer(const struct tacet_buffer *buffer, const unsigned long *args)
{
	return (void __user *)args[buffer->argument];
}

static size_t length_argument(const struct tacet_buffer *buffer, const unsigned long *args)
{
	unsigned long length = args[buffer->length_argument];

	return buffer->flags & TACET_BUFFER_LENGTH32 ? (u32)length : length;
}

static size_t counted_size(const struct tacet_buffer *buffer, const unsigned long *args)
{
	return size_mul(length_argument(buffer, args), buffer->size);
}

static size_t returned_size(const struct tacet_buffer *buffer, const unsigned long *args,
			    long result)
{
	return size_mul(min_t(size_t, result, length_argument(buffer, args)), buffer->size);
}

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

static bool is_written(const struct tacet_buffer *buffer, long result)
{
	if (buffer->flags & TACET_BUFFER_ALWAYS)
		return true;
	if (buffer->flags & TACET_BUFFER_INTERRUPTED)
		return is_interrupted(result);
	return result >= (buffer->flags & TACET_BUFFER_POSITIVE ? 1 : 0);
}

/* The payload ends the blob, after all sections. Never more than one per direction. */
static const struct tacet_buffer *find_payload(const struct tacet_buffer *buffers)
{
	const struct tacet_buffer *buffer;

	for (buffer = buffers; buffer < buffers + TACET_CALL_BUFFERS && buffer->kind; buffer++)
		if (buffer->flags & TACET_BUFFER_PAYLOAD)
			return buffer;
	return NULL;
}

static const struct tacet_buffer *next_section(const struct tacet_buffer *buffers,
					       const struct tacet_buffer *buffer)
{
	for (; buffer < buffers + TACET_CALL_BUFFERS && buffer->kind; buffer++)
		if (!(buffer->flags & TACET_BUFFER_PAYLOAD))
			return buffer;
	return NULL;
}

#define for_each_section(buffer, buffers)			\
	for (buffer = next_section(buffers, buffers); buffer;	\
	     buffer = next_section(buffers, buffer + 1))

static void begin_payload(struct tacet_blob *blob)
{
	blob->payload_offset = blob->length;
}

static void end_payload(struct tacet_blob *blob)
{
	blob->payload_length = blob->length - blob->payload_offset;
}

/* ---- in ---- */

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
	/* It may have changed since it was measured, or be too long. */
	if (!error)
		*tacet_section_last(blob, 1) = 0;
	return error;
}

static int append_in(struct tacet_blob *blob, const struct tacet_buffer *buffer,
		     const unsigned long *args)
{
	void __user *user = pointer(buffer, args);

	switch (buffer->kind) {
	case TACET_BUFFER_FIXED:
		return tacet_section_append_user(blob, user, buffer->size);
	case TACET_BUFFER_COUNTED:
		return tacet_section_append_user(blob, user, counted_size(buffer, args));
	case TACET_BUFFER_STRING:
		return append_string(blob, user);
	case TACET_BUFFER_ADDRESS:
		return tacet_message_append_address(blob, user, args[buffer->length_argument]);
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
	taken = tacet_payload_take(blob, message + 1, size, size);
	return taken < 0 ? taken : 0;
}

static int append_payload_in(struct tacet_blob *blob, const struct tacet_buffer *buffer,
			     const unsigned long *args)
{
	void __user *user = pointer(buffer, args);
	size_t length = length_argument(buffer, args);
	ssize_t taken;

	begin_payload(blob);
	switch (buffer->kind) {
	case TACET_BUFFER_COUNTED:
		taken = tacet_payload_take(blob, user, length, length);
		return taken < 0 ? taken : 0;
	case TACET_BUFFER_IOVEC:
		taken = tacet_payload_take_iovec(blob, user, length, SIZE_MAX);
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

int tacet_marshal_in(const struct tacet_call *call, const unsigned long *args,
		     struct tacet_blob *blob)
{
	const struct tacet_buffer *payload = find_payload(call->in), *buffer;
	int error;

	for_each_section(buffer, call->in) {
		error = append_in(blob, buffer, args);
		if (error)
			return error;
	}
	begin_payload(blob);
	error = payload ? append_payload_in(blob, payload, args) : 0;
	end_payload(blob);
	return error;
}

/* ---- out ---- */

static size_t fd_set_size(int bits)
{
	unsigned int open;

	/* As select does: its caller may claim far more than there is. */
	rcu_read_lock();
	open = files_fdtable(current->files)->max_fds;
	rcu_read_unlock();
	return BITS_TO_LONGS(min_t(unsigned int, max(bits, 0), open)) * sizeof(long);
}

/*
 * The length that the kernel leaves may exceed the room there was; what lies
 * behind is gathered too, and left out where it is replayed.
 */
static int append_value(struct tacet_blob *blob, const void __user *user,
			const u32 __user *user_length)
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

static int append_sent_lengths(struct tacet_blob *blob, const struct mmsghdr __user *messages,
			       u32 count)
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

static int append_out(struct tacet_blob *blob, const struct tacet_buffer *buffer,
		      const unsigned long *args, long result)
{
	void __user *user = pointer(buffer, args);

	switch (buffer->kind) {
	case TACET_BUFFER_FIXED:
		return tacet_section_append_user(blob, user, buffer->size);
	case TACET_BUFFER_COUNTED:
		return tacet_section_append_user(blob, user, counted_size(buffer, args));
	case TACET_BUFFER_RETURNED:
		return tacet_section_append_user(blob, user, returned_size(buffer, args, result));
	case TACET_BUFFER_VALUE_LENGTH:
		return append_value(blob, user, (u32 __user *)args[buffer->length_argument]);
	case TACET_BUFFER_FD_SET:
		return tacet_section_append_user(blob, user,
						 fd_set_size(args[buffer->length_argument]));
	case TACET_BUFFER_SENT_LENGTHS:
		return append_sent_lengths(blob, user, result);
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

/* A call that failed may have done so because of this very pointer. */
static int append_out_on_failure(struct tacet_blob *blob, const struct tacet_buffer *buffer,
				 const unsigned long *args, long result)
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

static int append_payload_out(struct tacet_blob *blob, const struct tacet_buffer *buffer,
			      const unsigned long *args, long result)
{
	void __user *user = pointer(buffer, args);
	ssize_t taken;
	size_t size;
	int error;

	/* recv with MSG_TRUNC: the data went nowhere. */
	if (!user)
		return 0;
	switch (buffer->kind) {
	case TACET_BUFFER_RETURNED:
		size = returned_size(buffer, args, result);
		return require_all(tacet_payload_take(blob, user, size, size), size);
	case TACET_BUFFER_IOVEC:
		taken = tacet_payload_take_iovec(blob, user, length_argument(buffer, args), result);
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
		taken = tacet_payload_take(blob, (long __user *)user + 1, result, result);
		return require_all(taken, result);
	}
	WARN_ON_ONCE(1);
	return -EPROTO;
}

int tacet_marshal_out(const struct tacet_call *call, const unsigned long *args, long result,
		      struct tacet_blob *blob)
{
	const struct tacet_buffer *payload = find_payload(call->out), *buffer;
	int error;

	for_each_section(buffer, call->out) {
		if (!is_written(buffer, result))
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

/* ---- replay ---- */

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

/* Read-only memory is no failure where the kernel ignores it too (ppoll's timeout). */
static int write_section(void __user *user, const u8 *data, size_t size)
{
	if (copy_to_user(user, data, size) && !memory_equals(user, data, size))
		return -EFAULT;
	return 0;
}

static int replay_value(struct tacet_cursor *cursor, void __user *user, u32 __user *user_length,
			const u8 *length_data, u32 length_size)
{
	const u8 *data;
	u32 size, room;
	int error = tacet_cursor_next(cursor, &data, &size);

	if (error)
		return error;
	if (!user_length || !data || length_size != sizeof(u32))
		return -EPROTO;
	/* This task did not make the call: here is still the room that it offers. */
	if (get_user(room, user_length) || copy_to_user(user, data, min(room, size)) ||
	    copy_to_user(user_length, length_data, sizeof(u32)))
		return -EFAULT;
	return 0;
}

static int replay_sent_lengths(struct tacet_cursor *cursor, struct mmsghdr __user *messages,
			       u32 count)
{
	const u8 *data;
	u32 index, size;
	int error;

	for (index = 0; index < count; index++) {
		error = tacet_cursor_next(cursor, &data, &size);
		if (error)
			return error;
		if (!data || size != sizeof(u32))
			return -EPROTO;
		if (copy_to_user(&messages[index].msg_len, data, size))
			return -EFAULT;
	}
	return 0;
}

static size_t room_for(const struct tacet_buffer *buffer, const unsigned long *args)
{
	switch (buffer->kind) {
	case TACET_BUFFER_FIXED:
		return buffer->size;
	case TACET_BUFFER_FD_SET:
		return BITS_TO_LONGS((u32)args[buffer->length_argument]) * sizeof(long);
	}
	return counted_size(buffer, args);
}

static int replay_section(struct tacet_cursor *cursor, const struct tacet_buffer *buffer,
			  const unsigned long *args, long result)
{
	void __user *user = pointer(buffer, args);
	const u8 *data;
	u32 size;
	int error;

	if (buffer->kind == TACET_BUFFER_SENT_LENGTHS)
		return replay_sent_lengths(cursor, user, result);
	error = tacet_cursor_next(cursor, &data, &size);
	if (error)
		return error;
	/* accept takes an address without a length, and a failed call may have written nothing. */
	if (!data && (!user || result < 0 || buffer->kind == TACET_BUFFER_VALUE_LENGTH))
		return 0;
	if (!data || !user)
		return -EPROTO;
	if (buffer->kind == TACET_BUFFER_VALUE_LENGTH)
		return replay_value(cursor, user, (u32 __user *)args[buffer->length_argument],
				    data, size);
	if (size > room_for(buffer, args))
		return -EPROTO;
	return write_section(user, data, size);
}

static int replay_sysv_message(struct tacet_cursor *cursor, long __user *message, size_t room,
			       const u8 *payload, size_t length)
{
	const u8 *type;
	u32 size;
	int error = tacet_cursor_next(cursor, &type, &size);

	if (error)
		return error;
	if (!type || size != sizeof(long))
		return -EPROTO;
	if (copy_to_user(message, type, size))
		return -EFAULT;
	return tacet_payload_give(payload, length, message + 1, room);
}

static int replay_payload(const struct tacet_blob *blob, struct tacet_cursor *cursor,
			  const struct tacet_buffer *buffer, const unsigned long *args, long result)
{
	const u8 *payload = blob->data + blob->payload_offset;
	void __user *user = pointer(buffer, args);
	size_t length = length_argument(buffer, args);

	if (!user)
		return blob->payload_length ? -EPROTO : 0;
	switch (buffer->kind) {
	case TACET_BUFFER_RETURNED:
		return tacet_payload_give(payload, blob->payload_length, user, length);
	case TACET_BUFFER_IOVEC:
		return tacet_payload_give_iovec(payload, blob->payload_length, user, length);
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
	const struct tacet_buffer *payload = find_payload(call->out), *buffer;
	struct tacet_cursor cursor;
	int error;

	tacet_cursor_init(&cursor, blob);
	for_each_section(buffer, call->out) {
		if (!is_written(buffer, result))
			continue;
		error = replay_section(&cursor, buffer, args, result);
		if (error)
			return error;
	}
	if (!payload || result < 0)
		return 0;
	return replay_payload(blob, &cursor, payload, args, result);
}

const u8 *tacet_marshal_section(const struct tacet_blob *blob, unsigned int index, u32 *length)
{
	struct tacet_cursor cursor;
	const u8 *data = NULL;

	*length = 0;
	tacet_cursor_init(&cursor, blob);
	do {
		if (tacet_cursor_next(&cursor, &data, length))
			return NULL;
	} while (index--);
	return data;
}
