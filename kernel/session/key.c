// SPDX-License-Identifier: GPL-2.0-only
/*
 * The key of a private session's store on disk. It is made here, and dm-crypt uses it by its name. User
 * space never has it.
 */
#include <linux/cred.h>
#include <linux/key.h>
#include <linux/random.h>
#include <linux/uaccess.h>

#include "session/key.h"
#include "uapi/tacet.h"

#define KEY_SIZE 64

/* A task that has the keyring may use the key and remove it. Nobody can read a key of type logon. */
#define KEY_RIGHTS (KEY_POS_VIEW | KEY_POS_SEARCH | KEY_POS_WRITE | KEY_POS_SETATTR)

static key_ref_t add_random_key(struct key *keyring, const char *name)
{
	u8 secret[KEY_SIZE];
	key_ref_t key;
	int error = wait_for_random_bytes();

	if (error)
		return ERR_PTR(error);
	get_random_bytes(secret, sizeof(secret));
	key = key_create_or_update(make_key_ref(keyring, true), "logon", name, secret, sizeof(secret), KEY_RIGHTS,
				   KEY_ALLOC_IN_QUOTA);
	memzero_explicit(secret, sizeof(secret));
	return key;
}

int tacet_session_key_make(void __user *argument)
{
	struct key *keyring = current_cred()->process_keyring;
	struct tacet_session_key reply = {};
	key_ref_t key;
	int error = 0;

	if (!keyring)
		return -ENOKEY;
	snprintf(reply.name, sizeof(reply.name), "tacet:%016llx", get_random_u64());
	key = add_random_key(keyring, reply.name);
	if (IS_ERR(key))
		return PTR_ERR(key);
	reply.serial = key_serial(key_ref_to_ptr(key));
	if (copy_to_user(argument, &reply, sizeof(reply))) {
		/* Nobody knows the key by name or number. */
		key_revoke(key_ref_to_ptr(key));
		error = -EFAULT;
	}
	key_ref_put(key);
	return error;
}
