/* SPDX-License-Identifier: GPL-2.0-only */
/* A growing kernel buffer that is wiped when it is released. */
#ifndef _TACET_BASE_BLOB_H
#define _TACET_BASE_BLOB_H

#include <linux/types.h>

#define TACET_BLOB_INLINE 128
/* A reset keeps an allocation of up to this size, so that steady traffic does not allocate. */
#define TACET_BLOB_KEEP 16384
/* The same for the few blobs that may keep more: a quarter of a megabyte, and a page for the rest of the blob. */
#define TACET_BLOB_KEEP_LARGE ((256 << 10) + 4096)
#define TACET_BLOB_MAX (16 << 20)

struct tacet_blob {
	u8 *data; /* It is inline_data or allocated. */
	u32 length;
	u32 capacity;
	u32 payload_offset; /* The payload is the part that carries a label. */
	u32 payload_length;
	u8 inline_data[TACET_BLOB_INLINE];
};

void tacet_blob_init(struct tacet_blob *blob);
/* Both empty the blob. An allocation of up to TACET_BLOB_KEEP or TACET_BLOB_KEEP_LARGE stays. */
void tacet_blob_reset(struct tacet_blob *blob);
void tacet_blob_reset_large(struct tacet_blob *blob);
/* Wipes and frees the data. */
void tacet_blob_release(struct tacet_blob *blob);
/* Appends @size uninitialised bytes. Returns their address, or NULL when they are too many or there is no memory. */
u8 *tacet_blob_extend(struct tacet_blob *blob, size_t size);
int __must_check tacet_blob_append(struct tacet_blob *blob, const void *data, size_t size);
/* Returns 0, -EFAULT, -ENOMEM or -E2BIG. */
int __must_check tacet_blob_append_user(struct tacet_blob *blob, const void __user *data, size_t size);
/* Tells whether length, payload position and bytes are the same. */
bool tacet_blob_equal(const struct tacet_blob *a, const struct tacet_blob *b);

#endif
