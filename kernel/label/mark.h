/* SPDX-License-Identifier: GPL-2.0-only */
/* Labelled inodes in memory, and the marks that raise events for them. */
#ifndef _TACET_LABEL_MARK_H
#define _TACET_LABEL_MARK_H

#include <linux/types.h>

struct file;
struct inode;
struct tacet_mark;
struct tacet_labelset;

/**
 * struct tacet_mark_hooks - the functions that are called when a program uses a labelled file
 * @reads: the current task is about to read from @file. 0 lets it go on, an error becomes the
 *	call's result. Runs under SRCU of fsnotify, and may sleep
 * @has_read: the current task has read from @file. Runs as @reads does
 * @opens: the current task is about to open @file. The rules are those of @reads
 */
struct tacet_mark_hooks {
	int (*reads)(struct file *file);
	void (*has_read)(struct file *file);
	int (*opens)(struct file *file);
};

int tacet_mark_init(const struct tacet_mark_hooks *hooks);
void tacet_mark_exit(void);

/*
 * Returns a reference to the label of @file, or NULL. Files without a label cost little: no lock, no
 * look at the disk. Works in atomic context. Files of TACET_IOC_REOPEN have no label here.
 */
struct tacet_labelset *tacet_mark_label(struct file *file);
/* Tells whether the inode has a label. Costs as little as tacet_mark_label(), and takes no reference. */
bool tacet_mark_is_on(struct file *file);

/* Returns a reference to the registered shadow file of @file if it is current, else NULL. Sleeps. */
struct file *tacet_mark_shadow_of(struct file *file);

/* Returns the number of inodes that have a label in memory. */
unsigned int tacet_mark_count(void);

/* Tells whether @inode is memory that processes share. It has no name, so its label is in memory only. Works in any context. */
bool tacet_mark_is_memory(const struct inode *inode);
/* Returns the inode whose label counts. If @file lies below an overlay (mappings), that is the overlay's inode. */
struct inode *tacet_mark_inode_of(struct file *file);
/* Tells whether reading @inode starts a pair. Works in any context. */
bool tacet_mark_is_on_inode(const struct inode *inode);
/* Returns a reference, or NULL if @inode has no mark. */
struct tacet_mark *tacet_mark_get(struct inode *inode);
void tacet_mark_put(struct tacet_mark *mark);

/*
 * Puts a mark with the label @set on @inode, in place of an earlier label. The caller holds
 * inode_lock(). Returns a reference or ERR_PTR. @ret_new tells that the inode had no mark before.
 * @source is that of the data written to the file, or 0 if a person labelled it.
 */
struct tacet_mark *tacet_mark_put_on(struct inode *inode, struct tacet_labelset *set, u64 source, bool *ret_new);
/* Takes the mark off the inode. The caller holds inode_lock(). */
void tacet_mark_take_off(struct inode *inode);

/* Returns a reference to the mark's label. */
struct tacet_labelset *tacet_mark_set(struct tacet_mark *mark);
/* Notes whether the label on disk equals the one in memory. The caller holds inode_lock(). */
void tacet_mark_saved(struct tacet_mark *mark, bool saved);
/*
 * Returns tacet_origin_source() of all labelled data that was written to the file. It is known in
 * memory only. 0 means that a person labelled the file, or that the source is not known.
 */
u64 tacet_mark_source(struct tacet_mark *mark);
/* Notes that data of @source is written to the file. */
void tacet_mark_mix(struct tacet_mark *mark, u64 source);
/*
 * Tells whether @file is labelled, and reading it raises no event: it came with an event of fanotify, so
 * that its reader does not wait for itself.
 */
bool tacet_mark_is_silent(struct file *file);
/* Tells whether the current process has such a file open. */
bool tacet_mark_silent_held(void);
/* Tells whether the label of @file contains @set, in memory and on disk. */
bool tacet_mark_contains(struct file *file, const struct tacet_labelset *set);

/* Registers @shadow, or NULL, for the content that the inode has now. */
void tacet_mark_register_shadow(struct tacet_mark *mark, struct file *shadow);
/* Registers @shadow for good, whatever is stored in the inode's memory from now on. */
void tacet_mark_freeze_shadow(struct tacet_mark *mark, struct file *shadow);
/* Returns a reference to the registered shadow if it is current, or NULL. */
struct file *tacet_mark_shadow(struct tacet_mark *mark);
/* Returns TACET_LABEL_ARMED, and _SHADOW if the shadow is current. */
u32 tacet_mark_flags(struct tacet_mark *mark);

#endif
