/* SPDX-License-Identifier: GPL-2.0-only */
/* Labelled inodes in memory: they trigger. */
#ifndef _TACET_LABEL_MARK_H
#define _TACET_LABEL_MARK_H

#include <linux/types.h>

struct file;
struct inode;
struct tacet_mark;
struct tacet_labelset;

/**
 * struct tacet_mark_hooks - what happens when a program uses a labelled file
 * @reads: the current task is about to read from @file. 0: it goes on; an error: the call has it. Holds SRCU of fsnotify, may sleep
 * @opens: it is about to open @file. The same
 */
struct tacet_mark_hooks {
	int (*reads)(struct file *file);
	int (*opens)(struct file *file);
};

int tacet_mark_init(const struct tacet_mark_hooks *hooks);
void tacet_mark_exit(void);

/*
 * The label of @file, a reference or NULL. Cheap for files without a
 * label: no lock, no look at the disk. Atomic context is fine. Files of
 * TACET_IOC_REOPEN have none.
 */
struct tacet_labelset *tacet_mark_label(struct file *file);
/* Tells whether the inode has a label. Costs as little, and takes no reference. */
bool tacet_mark_is_on(struct file *file);

/* A reference to the registered shadow file of @file, if that is current; else NULL. Sleeps. */
struct file *tacet_mark_shadow_of(struct file *file);

/* Returns the number of inodes that have a label in memory. */
unsigned int tacet_mark_count(void);

/* The inode whose label counts: that of the overlay, where @file is what lies below it (mappings). */
struct inode *tacet_mark_inode_of(struct file *file);
/* Tells whether reading @inode starts a pair. Any context. */
bool tacet_mark_is_on_inode(const struct inode *inode);
/* A reference, or NULL: @inode does not trigger. */
struct tacet_mark *tacet_mark_get(struct inode *inode);
void tacet_mark_put(struct tacet_mark *mark);

/*
 * Makes @inode trigger with @set, instead of what it had; the caller holds
 * inode_lock(). A reference, or ERR_PTR; @ret_new: it did not trigger before.
 * @source: of what is written to it, 0: it is marked.
 */
struct tacet_mark *tacet_mark_put_on(struct inode *inode, struct tacet_labelset *set, u64 source, bool *ret_new);
/* No more. The caller holds inode_lock(). */
void tacet_mark_take_off(struct inode *inode);

/* A reference to its label. */
struct tacet_labelset *tacet_mark_set(struct tacet_mark *mark);
/* Tells whether the label on disk equals the one in memory. The caller holds inode_lock(). */
void tacet_mark_saved(struct tacet_mark *mark, bool saved);
/* tacet_origin_source() of all labelled data that was written to the file, in memory only; 0: it was marked, or is not known. */
u64 tacet_mark_source(struct tacet_mark *mark);
/* Data of @source is written to it. */
void tacet_mark_mix(struct tacet_mark *mark, u64 source);
/* Tells whether the label of @file contains @set, in memory and on disk. */
bool tacet_mark_contains(struct file *file, const struct tacet_labelset *set);

/* @shadow, or NULL, belongs to the content that the inode has now. */
void tacet_mark_register_shadow(struct tacet_mark *mark, struct file *shadow);
/* A reference to the shadow that is registered and current, or NULL. */
struct file *tacet_mark_shadow(struct tacet_mark *mark);
/* TACET_LABEL_ARMED and _SHADOW */
u32 tacet_mark_flags(struct tacet_mark *mark);

#endif
