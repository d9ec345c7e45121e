/* SPDX-License-Identifier: GPL-2.0-only */
/* A growing kernel buffer that is wiped when it is released. */
#ifndef _TACET_BASE_BLOB_H
#define _TACET_BASE_BLOB_H

#include <linux/types.h>

#define TACET_BLOB_INLINE 128
/* Kept over a reset, so that steady traffic does not allocate. */
#define TACET_BLOB_KEEP 16384
/* The same where there are few: a quarter of a megabyte, and what goes with it. */
#define TACET_BLOB_KEEP_LARGE ((256 << 10) + 4096)
#define TACET_BLOB_MAX (16 << 20)

struct tacet_blob {
	u8 *data; /* inline_data or allocated */
	u32 length;
	u32 capacity;
	u32 payload_offset; /* the part that carries a label */
	u32 payload_length;
	u8 inline_data[TACET_BLOB_INLINE];
};

void tacet_blob_init(struct tacet_blob *blob);
/* Empties; keeps at most TACET_BLOB_KEEP allocated, or TACET_BLOB_KEEP_LARGE. */
void tacet_blob_reset(struct tacet_blob *blob);
void tacet_blob_reset_large(struct tacet_blob *blob);
/* Wipes and frees. */
void tacet_blob_release(struct tacet_blob *blob);
/* Appends @size uninitialised bytes: their address, or NULL (-E2BIG, -ENOMEM). */
u8 *tacet_blob_extend(struct tacet_blob *blob, size_t size);
int __must_check tacet_blob_append(struct tacet_blob *blob, const void *data, size_t size);
/* 0, -EFAULT, -ENOMEM, -E2BIG */
int __must_check tacet_blob_append_user(struct tacet_blob *blob, const void __user *data, size_t size);
/* Same length, payload position and bytes. */
bool tacet_blob_equal(const struct tacet_blob *a, const struct tacet_blob *b);

#endif
