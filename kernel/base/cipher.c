// SPDX-License-Identifier: GPL-2.0-only
/* AES-XTS over whole pages. The place of the page is the tweak. */
#include <crypto/skcipher.h>
#include <linux/mempool.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "base/cipher.h"

#define KEY_SIZE 64
/* This many requests are kept ready, so that encrypting goes on when there is no memory. */
#define REQUESTS 4

struct tacet_cipher {
	struct crypto_skcipher *transform;
	size_t request_size;
	mempool_t requests;
};

struct tweak {
	__le64 slot;
	__le64 device;
};

static int set_key(struct crypto_skcipher *transform)
{
	u8 key[KEY_SIZE];
	int error = wait_for_random_bytes();

	if (error)
		return error;
	get_random_bytes(key, sizeof(key));
	error = crypto_skcipher_setkey(transform, key, sizeof(key));
	memzero_explicit(key, sizeof(key));
	return error;
}

struct tacet_cipher *tacet_cipher_create(void)
{
	struct tacet_cipher *cipher = kzalloc(sizeof(*cipher), GFP_KERNEL);
	int error;

	if (!cipher)
		return ERR_PTR(-ENOMEM);
	/* A transform that allocates while it encrypts could wait for itself. */
	cipher->transform = crypto_alloc_skcipher("xts(aes)", 0, CRYPTO_ALG_ALLOCATES_MEMORY);
	if (IS_ERR(cipher->transform)) {
		error = PTR_ERR(cipher->transform);
		goto free_cipher;
	}
	error = set_key(cipher->transform);
	if (error)
		goto free_transform;
	cipher->request_size = sizeof(struct skcipher_request) + crypto_skcipher_reqsize(cipher->transform);
	error = mempool_init_kmalloc_pool(&cipher->requests, REQUESTS, cipher->request_size);
	if (!error)
		return cipher;

free_transform:
	crypto_free_skcipher(cipher->transform);
free_cipher:
	kfree(cipher);
	return ERR_PTR(error);
}

void tacet_cipher_destroy(struct tacet_cipher *cipher)
{
	crypto_free_skcipher(cipher->transform);
	mempool_exit(&cipher->requests);
	kfree(cipher);
}

static int run(struct tacet_cipher *cipher, int (*direction)(struct skcipher_request *), struct page *from,
	       struct page *to, u64 device, u64 slot)
{
	struct tweak tweak = { .slot = cpu_to_le64(slot), .device = cpu_to_le64(device) };
	struct skcipher_request *request = mempool_alloc(&cipher->requests, GFP_NOIO);
	struct scatterlist source, target;
	DECLARE_CRYPTO_WAIT(wait);
	int error;

	sg_init_table(&source, 1);
	sg_set_page(&source, from, PAGE_SIZE, 0);
	sg_init_table(&target, 1);
	sg_set_page(&target, to, PAGE_SIZE, 0);
	skcipher_request_set_tfm(request, cipher->transform);
	skcipher_request_set_callback(request, CRYPTO_TFM_REQ_MAY_BACKLOG, crypto_req_done, &wait);
	skcipher_request_set_crypt(request, &source, from == to ? &source : &target, PAGE_SIZE, &tweak);
	error = crypto_wait_req(direction(request), &wait);
	memzero_explicit(request, cipher->request_size);
	mempool_free(request, &cipher->requests);
	return error;
}

int tacet_cipher_encrypt(struct tacet_cipher *cipher, struct page *from, struct page *to, u64 device, u64 slot)
{
	return run(cipher, crypto_skcipher_encrypt, from, to, device, slot);
}

int tacet_cipher_decrypt(struct tacet_cipher *cipher, struct page *page, u64 device, u64 slot)
{
	return run(cipher, crypto_skcipher_decrypt, page, page, device, slot);
}
