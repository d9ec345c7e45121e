// SPDX-License-Identifier: GPL-2.0-only
/* Limits for each user. */
#include <linux/cred.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "base/account.h"

/* A user who has some of the thing. */
struct holder {
	struct hlist_node node;
	kuid_t user;
	unsigned int count;
};

kuid_t tacet_account_user(void)
{
	struct user_namespace *namespace = current_user_ns();
	kuid_t user = current_uid();

	for (; namespace != &init_user_ns; namespace = namespace->parent)
		user = namespace->owner;
	return user;
}

static struct holder *find(struct tacet_account *account, kuid_t user)
{
	struct holder *holder;

	lockdep_assert_held(&account->lock);
	hash_for_each_possible(account->users, holder, node, __kuid_val(user))
		if (uid_eq(holder->user, user))
			return holder;
	return NULL;
}

int tacet_account_add(struct tacet_account *account, kuid_t user)
{
	struct holder *made = kzalloc(sizeof(*made), GFP_KERNEL), *holder;
	int error = 0;

	if (!made)
		return -ENOMEM;
	spin_lock(&account->lock);
	holder = find(account, user);
	if (!holder) {
		holder = made;
		holder->user = user;
		hash_add(account->users, &holder->node, __kuid_val(user));
		made = NULL;
	}
	if (holder->count < account->limit)
		holder->count++;
	else
		error = -ENOSPC;
	spin_unlock(&account->lock);
	kfree(made);
	return error;
}

void tacet_account_remove(struct tacet_account *account, kuid_t user)
{
	struct holder *holder, *empty = NULL;

	spin_lock(&account->lock);
	holder = find(account, user);
	if (!WARN_ON_ONCE(!holder) && !--holder->count) {
		hash_del(&holder->node);
		empty = holder;
	}
	spin_unlock(&account->lock);
	kfree(empty);
}
