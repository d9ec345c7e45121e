/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits for each user, so that one user cannot take what others need. */
#ifndef _TACET_BASE_ACCOUNT_H
#define _TACET_BASE_ACCOUNT_H

#include <linux/hashtable.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>

/**
 * struct tacet_account - how much of one thing each user has
 * @limit: the most that a user may have
 * @lock: guards @users
 * @users: those who have any
 */
struct tacet_account {
	unsigned int limit;
	spinlock_t lock;
	DECLARE_HASHTABLE(users, 6);
};

#define TACET_ACCOUNT(account, most) \
	struct tacet_account account = { .limit = (most), .lock = __SPIN_LOCK_UNLOCKED(account.lock) }

/*
 * Returns the user who answers for the current task. In a user namespace that is the user who made the
 * outermost one, since further numbers there cost nothing.
 */
kuid_t tacet_account_user(void);
/* Counts one more for @user. Returns -ENOSPC at the limit, -ENOMEM without memory. Sleeps. */
int tacet_account_add(struct tacet_account *account, kuid_t user);
void tacet_account_remove(struct tacet_account *account, kuid_t user);

#endif
