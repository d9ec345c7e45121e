// SPDX-License-Identifier: GPL-2.0-only
/* The parts of a marshalled blob and its payload. */
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "base/blob.h"
#include "base/section.h"

static int extend(struct tacet_blob *blob, size_t size, u8 **added)
{
	if (size > TACET_BLOB_MAX - blob->length)
		return -E2BIG;
	*added = tacet_blob_extend(blob, size);
	return *added ? 0 : -ENOMEM;
}

static int append_header(struct tacet_blob *blob, u32 size)
{
	return tacet_blob_append(blob, &size, sizeof(size));
}

int tacet_section_append(struct tacet_blob *blob, const void *data, u32 size)
{
	int error = append_header(blob, size);

	return error ?: tacet_blob_append(blob, data, size);
}

int tacet_section_append_user(struct tacet_blob *blob, const void __user *data, size_t size)
{
	int error;

	if (!data)
		return append_header(blob, TACET_SECTION_NULL);
	if (size > TACET_BLOB_MAX)
		return -E2BIG;
	error = append_header(blob, size);
	return error ?: tacet_blob_append_user(blob, data, size);
}

int tacet_section_append_readable(struct tacet_blob *blob, const void __user *data, size_t size)
{
	u8 *header;
	size_t missing;
	int error;

	if (!data)
		return append_header(blob, TACET_SECTION_NULL);
	error = extend(blob, sizeof(u32) + min_t(size_t, size, TACET_BLOB_MAX), &header);
	if (error)
		return error;
	missing = copy_from_user(header + sizeof(u32), data, size);
	put_unaligned((u32)(size - missing), (u32 *)header);
	blob->length -= missing;
	return 0;
}

u8 *tacet_section_last(struct tacet_blob *blob, u32 size)
{
	return blob->data + blob->length - size;
}

void tacet_section_cursor_init(struct tacet_cursor *cursor, const struct tacet_blob *blob)
{
	cursor->next = blob->data;
	cursor->end = blob->data + blob->payload_offset;
}

int tacet_section_cursor_next(struct tacet_cursor *cursor, const u8 **data, u32 *size)
{
	u32 length;

	if (cursor->end - cursor->next < sizeof(length))
		return -EPROTO;
	length = get_unaligned((const u32 *)cursor->next);
	cursor->next += sizeof(length);
	if (length == TACET_SECTION_NULL) {
		*data = NULL;
		*size = 0;
		return 0;
	}
	if (length > cursor->end - cursor->next)
		return -EPROTO;
	*data = cursor->next;
	*size = length;
	cursor->next += length;
	return 0;
}

/* A write stops where the readable memory ends, and fails only when no byte can be read. */
static ssize_t taken(struct tacet_blob *blob, size_t size, size_t missing)
{
	blob->length -= missing;
	return missing && missing == size ? -EFAULT : size - missing;
}

ssize_t tacet_section_take(struct tacet_blob *blob, const void __user *data, size_t size)
{
	u8 *added;
	int error;

	size = min(size, MAX_RW_COUNT);
	error = extend(blob, size, &added);
	return error ?: taken(blob, size, copy_from_user(added, data, size));
}

static ssize_t take(struct tacet_blob *blob, struct iov_iter *from, size_t limit)
{
	size_t size = min(limit, iov_iter_count(from));
	u8 *added;
	int error = extend(blob, size, &added);

	return error ?: taken(blob, size, size - copy_from_iter(added, size, from));
}

ssize_t tacet_section_take_iovec(struct tacet_blob *blob, const struct iovec __user *vector, unsigned int segments,
				 size_t limit)
{
	struct iovec fast[UIO_FASTIOV], *allocated = fast;
	struct iov_iter from;
	ssize_t size = import_iovec(ITER_SOURCE, vector, segments, UIO_FASTIOV, &allocated, &from);

	if (size < 0)
		return size;
	size = take(blob, &from, limit);
	kfree(allocated);
	return size;
}

int tacet_section_give(const u8 *data, size_t size, void __user *to, size_t room)
{
	if (size > room)
		return -EPROTO;
	return copy_to_user(to, data, size) ? -EFAULT : 0;
}

static int give(const u8 *data, size_t size, struct iov_iter *to)
{
	if (size > iov_iter_count(to))
		return -EPROTO;
	return copy_to_iter(data, size, to) == size ? 0 : -EFAULT;
}

int tacet_section_give_iovec(const u8 *data, size_t size, const struct iovec __user *vector, unsigned int segments)
{
	struct iovec fast[UIO_FASTIOV], *allocated = fast;
	struct iov_iter to;
	ssize_t room = import_iovec(ITER_DEST, vector, segments, UIO_FASTIOV, &allocated, &to);
	int error;

	if (room < 0)
		return room;
	error = give(data, size, &to);
	kfree(allocated);
	return error;
}
