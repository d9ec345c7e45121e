/* SPDX-License-Identifier: GPL-2.0-only */
/* Labelled inodes in memory: they trigger. */
#ifndef _TACET_LABEL_MARK_H
#define _TACET_LABEL_MARK_H

#include <linux/types.h>

struct file;
struct inode;
struct tacet_armed;
struct tacet_labelset;

/**
 * struct tacet_armed_hooks - what happens when a program uses a labelled file
 * @reads: the current task is about to read from @file. 0: it goes on; an error: the call has it. Holds SRCU of fsnotify, may sleep
 * @opens: it is about to open @file. The same
 */
struct tacet_armed_hooks {
	int (*reads)(struct file *file);
	int (*opens)(struct file *file);
};

int tacet_armed_init(const struct tacet_armed_hooks *hooks);
void tacet_armed_exit(void);

/* The inode whose label counts: that of the overlay, where @file is what lies below it (mappings). */
struct inode *tacet_armed_inode_of(struct file *file);
/* Whether @inode triggers. Any context. */
bool tacet_armed_inode(const struct inode *inode);
/* A reference, or NULL: @inode does not trigger. */
struct tacet_armed *tacet_armed_get(struct inode *inode);
void tacet_armed_put(struct tacet_armed *armed);

/*
 * Makes @inode trigger with @set, instead of what it had; the caller holds
 * inode_lock(). A reference, or ERR_PTR; @ret_new: it did not trigger before.
 * @source: of what is written to it, 0: it is marked.
 */
struct tacet_armed *tacet_armed_arm(struct inode *inode, struct tacet_labelset *set, u64 source, bool *ret_new);
/* No more. The caller holds inode_lock(). */
void tacet_armed_disarm(struct inode *inode);

/* A reference to its label. */
struct tacet_labelset *tacet_armed_set(struct tacet_armed *armed);
/* Whether the label is on disk as it is in memory. Under inode_lock(). */
void tacet_armed_saved(struct tacet_armed *armed, bool saved);
/* tacet_origin_source() of all labelled data that was written to the file, in memory only; 0: it was marked, or is not known. */
u64 tacet_armed_source(struct tacet_armed *armed);
/* Data of @source is written to it. */
void tacet_armed_mix(struct tacet_armed *armed, u64 source);
/* Whether the label of @file, on disk too, contains @set. */
bool tacet_armed_contains(struct file *file, const struct tacet_labelset *set);

/* @shadow, or NULL, belongs to the content that the inode has now. */
void tacet_armed_register_shadow(struct tacet_armed *armed, struct file *shadow);
/* A reference to the shadow that is registered and current, or NULL. */
struct file *tacet_armed_shadow(struct tacet_armed *armed);
/* TACET_LABEL_ARMED and _SHADOW */
u32 tacet_armed_flags(struct tacet_armed *armed);

#endif
