// SPDX-License-Identifier: GPL-2.0-only
/* A growing kernel buffer that is wiped when it is released. */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "base/blob.h"

void tacet_blob_init(struct tacet_blob *blob)
{
	blob->data = blob->inline_data;
	blob->length = 0;
	blob->capacity = TACET_BLOB_INLINE;
	blob->payload_offset = 0;
	blob->payload_length = 0;
}

static void free_allocated(struct tacet_blob *blob)
{
	if (blob->data != blob->inline_data)
		kvfree_sensitive(blob->data, blob->capacity);
}

static void reset(struct tacet_blob *blob, u32 keep)
{
	if (blob->capacity > keep) {
		free_allocated(blob);
		blob->data = blob->inline_data;
		blob->capacity = TACET_BLOB_INLINE;
	}
	blob->length = 0;
	blob->payload_offset = 0;
	blob->payload_length = 0;
}

void tacet_blob_reset(struct tacet_blob *blob)
{
	reset(blob, TACET_BLOB_KEEP);
}

void tacet_blob_reset_large(struct tacet_blob *blob)
{
	reset(blob, TACET_BLOB_KEEP_LARGE);
}

void tacet_blob_release(struct tacet_blob *blob)
{
	free_allocated(blob);
	memzero_explicit(blob->inline_data, sizeof(blob->inline_data));
	tacet_blob_init(blob);
}

static int grow(struct tacet_blob *blob, u32 needed)
{
	/* A release clears the whole allocation, so a large one is made no larger than it must be. */
	u32 capacity = needed <= TACET_BLOB_KEEP ? roundup_pow_of_two(needed) :
						   PAGE_ALIGN(max(needed, blob->capacity + blob->capacity / 2));
	u8 *data = kvmalloc(capacity, GFP_KERNEL_ACCOUNT);

	if (!data)
		return -ENOMEM;
	memcpy(data, blob->data, blob->length);
	free_allocated(blob);
	blob->data = data;
	blob->capacity = capacity;
	return 0;
}

static int reserve(struct tacet_blob *blob, size_t size)
{
	if (size > TACET_BLOB_MAX - blob->length)
		return -E2BIG;
	if (size <= blob->capacity - blob->length)
		return 0;
	return grow(blob, blob->length + size);
}

u8 *tacet_blob_extend(struct tacet_blob *blob, size_t size)
{
	u8 *end;

	if (reserve(blob, size))
		return NULL;
	end = blob->data + blob->length;
	blob->length += size;
	return end;
}

int tacet_blob_append(struct tacet_blob *blob, const void *data, size_t size)
{
	int error = reserve(blob, size);

	if (error)
		return error;
	memcpy(blob->data + blob->length, data, size);
	blob->length += size;
	return 0;
}

int tacet_blob_append_user(struct tacet_blob *blob, const void __user *data, size_t size)
{
	int error = reserve(blob, size);

	if (error)
		return error;
	if (copy_from_user(blob->data + blob->length, data, size))
		return -EFAULT;
	blob->length += size;
	return 0;
}

/* Does the same as !memcmp(), which looks at one word at a time. Both buffers begin at a word's border. */
static bool same_bytes(const u8 *a, const u8 *b, size_t size)
{
	size_t at, words = round_down(size, 4 * sizeof(u64));
	const u64 *x, *y;

	for (at = 0; at < words; at += 4 * sizeof(u64)) {
		x = (const u64 *)(a + at);
		y = (const u64 *)(b + at);
		if ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]))
			return false;
	}
	return !memcmp(a + at, b + at, size - at);
}

bool tacet_blob_equal(const struct tacet_blob *a, const struct tacet_blob *b)
{
	return a->length == b->length && a->payload_offset == b->payload_offset &&
	       a->payload_length == b->payload_length && same_bytes(a->data, b->data, a->length);
}
