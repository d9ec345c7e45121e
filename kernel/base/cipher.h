/* SPDX-License-Identifier: GPL-2.0-only */
/* A key that exists only as the schedule of a cipher, for pages of memory. */
#ifndef _TACET_BASE_CIPHER_H
#define _TACET_BASE_CIPHER_H

#include <linux/types.h>

struct page;
struct tacet_cipher;

/* With a new random key. ERR_PTR on failure. Sleeps. */
struct tacet_cipher *tacet_cipher_create(void);
/* Wipes the key. Nobody uses it any more. Sleeps. */
void tacet_cipher_destroy(struct tacet_cipher *cipher);

/*
 * One page, from @from to @to, which may be the same. No two places may have both
 * @device and @slot in common. Allocates only what is kept ready. Sleeps.
 */
int __must_check tacet_cipher_encrypt(struct tacet_cipher *cipher, struct page *from, struct page *to, u64 device,
				      u64 slot);
int __must_check tacet_cipher_decrypt(struct tacet_cipher *cipher, struct page *page, u64 device, u64 slot);

#endif
