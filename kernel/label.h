/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels (interned sets of categories) and the labels of files. */
#ifndef _TACET_LABEL_H
#define _TACET_LABEL_H

#include <linux/refcount.h>
#include <linux/types.h>
#include "uapi/tacet.h"

struct file;
struct inode;

/*
 * An interned label: equal sets are the same object. Immutable; freed by RCU.
 * The empty set is NULL everywhere.
 */
struct tacet_labelset {
	refcount_t references;
	struct hlist_node node;
	struct rcu_head rcu;
	struct tacet_label label;
};

int tacet_label_init(void);
void tacet_label_exit(void);

/* A reference; NULL for count == 0. ERR_PTR: -EINVAL (not ascending, too many), -ENOMEM. */
struct tacet_labelset *tacet_labelset_intern(const struct tacet_label *label, gfp_t gfp);
struct tacet_labelset *tacet_labelset_get(struct tacet_labelset *set);
void tacet_labelset_put(struct tacet_labelset *set);
/* A reference to the union of both, each may be NULL. -E2BIG is folded to the larger one plus a warning once. */
struct tacet_labelset *tacet_labelset_union(struct tacet_labelset *a, struct tacet_labelset *b, gfp_t gfp);
bool tacet_labelset_contains(const struct tacet_labelset *outer, const struct tacet_labelset *inner);

/*
 * The label of an armed file, a reference or NULL. Cheap for files without a
 * label: no lock, no look at the disk. Atomic context is fine.
 */
struct tacet_labelset *tacet_label_of(struct file *file);
/* The same question without taking a reference. */
bool tacet_label_armed(struct file *file);

/* TACET_IOC_LABEL_SET and _GET on an open file; @shadow may be NULL. */
int tacet_label_set(struct file *file, const struct tacet_label *label, u32 flags, struct file *shadow);
int tacet_label_get(struct file *file, struct tacet_label *label, u32 *flags);

/*
 * Data with @set was or is about to be written to @file: adds to its label,
 * arms it and tells the daemon. 0 also when it carries @set already;
 * -EOPNOTSUPP when its file system cannot keep a label. Sleeps.
 */
int tacet_label_derive(struct file *file, struct tacet_labelset *set);

unsigned int tacet_label_armed_count(void);

#endif
