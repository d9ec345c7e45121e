// SPDX-License-Identifier: GPL-2.0-only
/* Interned labels: equal sets of categories are one object. */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/slab.h>

#include "base/labelset.h"

#define SETS_BITS 8

/* Writers hold sets_lock, and readers use RCU. An object whose count is zero has left the table. */
static DEFINE_HASHTABLE(sets, SETS_BITS);
static DEFINE_SPINLOCK(sets_lock);

static size_t categories_size(const struct tacet_label *label)
{
	return label->count * sizeof(label->categories[0]);
}

static u32 hash_label(const struct tacet_label *label)
{
	return jhash(label->categories, categories_size(label), label->count);
}

static bool label_valid(const struct tacet_label *label)
{
	u32 i;

	if (label->count > TACET_LABEL_MAX || label->reserved)
		return false;
	for (i = 1; i < label->count; i++)
		if (label->categories[i - 1] >= label->categories[i])
			return false;
	return true;
}

/* The caller holds the RCU lock or sets_lock. */
static struct tacet_labelset *find_set(const struct tacet_label *label, u32 hash)
{
	struct tacet_labelset *set;

	hash_for_each_possible_rcu(sets, set, node, hash, lockdep_is_held(&sets_lock))
		if (set->label.count == label->count &&
		    !memcmp(set->label.categories, label->categories, categories_size(label)) &&
		    refcount_inc_not_zero(&set->references))
			return set;
	return NULL;
}

struct tacet_labelset *tacet_labelset_intern(const struct tacet_label *label, gfp_t gfp)
{
	struct tacet_labelset *set, *found;
	unsigned long flags;
	u32 hash;

	if (!label_valid(label))
		return ERR_PTR(-EINVAL);
	if (!label->count)
		return NULL;

	hash = hash_label(label);
	rcu_read_lock();
	found = find_set(label, hash);
	rcu_read_unlock();
	if (found)
		return found;

	set = kzalloc(sizeof(*set), gfp);
	if (!set)
		return ERR_PTR(-ENOMEM);
	refcount_set(&set->references, 1);
	set->label.count = label->count;
	memcpy(set->label.categories, label->categories, categories_size(label));

	spin_lock_irqsave(&sets_lock, flags);
	found = find_set(label, hash);
	if (!found)
		hash_add_rcu(sets, &set->node, hash);
	spin_unlock_irqrestore(&sets_lock, flags);
	if (!found)
		return set;
	kfree(set);
	return found;
}

struct tacet_labelset *tacet_labelset_get(struct tacet_labelset *set)
{
	if (set)
		refcount_inc(&set->references);
	return set;
}

void tacet_labelset_put(struct tacet_labelset *set)
{
	unsigned long flags;
	bool last;

	if (!set || refcount_dec_not_one(&set->references))
		return;
	spin_lock_irqsave(&sets_lock, flags);
	last = refcount_dec_and_test(&set->references);
	if (last)
		hash_del_rcu(&set->node);
	spin_unlock_irqrestore(&sets_lock, flags);
	if (last)
		kfree_rcu(set, rcu);
}

/* Returns false when the union has more than TACET_LABEL_MAX categories. */
static bool merge_labels(const struct tacet_label *a, const struct tacet_label *b, struct tacet_label *merged)
{
	u32 i = 0, j = 0;
	u64 next;

	while (i < a->count || j < b->count) {
		if (merged->count == TACET_LABEL_MAX)
			return false;
		if (j == b->count || (i < a->count && a->categories[i] <= b->categories[j]))
			next = a->categories[i];
		else
			next = b->categories[j];
		i += i < a->count && a->categories[i] == next;
		j += j < b->count && b->categories[j] == next;
		merged->categories[merged->count++] = next;
	}
	return true;
}

struct tacet_labelset *tacet_labelset_union(struct tacet_labelset *a, struct tacet_labelset *b, gfp_t gfp)
{
	struct tacet_label merged = {};

	if (tacet_labelset_contains(a, b))
		return tacet_labelset_get(a);
	if (tacet_labelset_contains(b, a))
		return tacet_labelset_get(b);
	if (merge_labels(&a->label, &b->label, &merged))
		return tacet_labelset_intern(&merged, gfp);

	pr_warn_once("a union of labels has more than %d categories, some are dropped\n", TACET_LABEL_MAX);
	return tacet_labelset_get(a->label.count >= b->label.count ? a : b);
}

bool tacet_labelset_contains(const struct tacet_labelset *outer, const struct tacet_labelset *inner)
{
	u32 i, j = 0;

	if (outer == inner || !inner)
		return true;
	if (!outer)
		return false;
	for (i = 0; i < inner->label.count; i++) {
		while (j < outer->label.count && outer->label.categories[j] < inner->label.categories[i])
			j++;
		if (j == outer->label.count || outer->label.categories[j] != inner->label.categories[i])
			return false;
	}
	return true;
}
