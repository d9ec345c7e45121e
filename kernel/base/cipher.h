/* SPDX-License-Identifier: GPL-2.0-only */
/* A cipher for pages of memory. Its key exists only as the cipher's key schedule. */
#ifndef _TACET_BASE_CIPHER_H
#define _TACET_BASE_CIPHER_H

#include <linux/types.h>

struct page;
struct tacet_cipher;

/* Makes a cipher with a new random key. Returns ERR_PTR on failure. Sleeps. */
struct tacet_cipher *tacet_cipher_create(void);
/* Wipes the key. The caller makes sure that nobody uses the cipher any more. Sleeps. */
void tacet_cipher_destroy(struct tacet_cipher *cipher);

/*
 * Both work on one page. @from and @to may be the same. No two places may have both @device and @slot
 * in common. They allocate only from a pool, and sleep.
 */
int __must_check tacet_cipher_encrypt(struct tacet_cipher *cipher, struct page *from, struct page *to, u64 device,
				      u64 slot);
int __must_check tacet_cipher_decrypt(struct tacet_cipher *cipher, struct page *page, u64 device, u64 slot);

#endif
