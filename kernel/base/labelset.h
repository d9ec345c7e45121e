/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels: interned sets of categories. */
#ifndef _TACET_BASE_LABELSET_H
#define _TACET_BASE_LABELSET_H

#include <linux/refcount.h>
#include <linux/types.h>
#include "uapi/tacet.h"

/**
 * struct tacet_labelset - an interned label: equal sets are the same object
 * @references: at zero the set leaves the table and is freed by RCU
 * @node: the set's place in the table
 * @rcu: frees the set
 * @label: immutable; its count is not zero, as the empty set is NULL everywhere
 */
struct tacet_labelset {
	refcount_t references;
	struct hlist_node node;
	struct rcu_head rcu;
	struct tacet_label label;
};

/*
 * Returns a reference, or NULL for count == 0. ERR_PTR(-EINVAL) means not ascending or too many; the
 * other error is -ENOMEM.
 */
struct tacet_labelset *tacet_labelset_intern(const struct tacet_label *label, gfp_t gfp);
struct tacet_labelset *tacet_labelset_get(struct tacet_labelset *set);
/* Works in any context. */
void tacet_labelset_put(struct tacet_labelset *set);
/*
 * Returns a reference to the union of both, or ERR_PTR(-ENOMEM). Each may be NULL. If the union has
 * more than TACET_LABEL_MAX categories, it returns the larger set and warns once.
 */
struct tacet_labelset *tacet_labelset_union(struct tacet_labelset *a, struct tacet_labelset *b, gfp_t gfp);
bool tacet_labelset_contains(const struct tacet_labelset *outer, const struct tacet_labelset *inner);

#endif
