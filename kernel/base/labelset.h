/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels: interned sets of categories. */
#ifndef _TACET_BASE_LABELSET_H
#define _TACET_BASE_LABELSET_H

#include <linux/refcount.h>
#include <linux/types.h>
#include "uapi/tacet.h"

/**
 * struct tacet_labelset - an interned label: equal sets are the same object
 * @references: at zero it leaves the table and is freed by RCU
 * @node: in the table
 * @rcu: frees it
 * @label: immutable, count is not zero: the empty set is NULL everywhere
 */
struct tacet_labelset {
	refcount_t references;
	struct hlist_node node;
	struct rcu_head rcu;
	struct tacet_label label;
};

/* A reference; NULL for count == 0. ERR_PTR: -EINVAL (not ascending, too many), -ENOMEM. */
struct tacet_labelset *tacet_labelset_intern(const struct tacet_label *label, gfp_t gfp);
struct tacet_labelset *tacet_labelset_get(struct tacet_labelset *set);
/* Any context. */
void tacet_labelset_put(struct tacet_labelset *set);
/*
 * A reference to the union of both, each may be NULL; ERR_PTR(-ENOMEM).
 * More than TACET_LABEL_MAX categories are folded to the larger set plus a warning once.
 */
struct tacet_labelset *tacet_labelset_union(struct tacet_labelset *a, struct tacet_labelset *b, gfp_t gfp);
bool tacet_labelset_contains(const struct tacet_labelset *outer, const struct tacet_labelset *inner);

#endif
