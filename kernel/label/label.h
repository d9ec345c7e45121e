/* SPDX-License-Identifier: GPL-2.0-only */
/* The labels of files. */
#ifndef _TACET_LABEL_H
#define _TACET_LABEL_H

#include <linux/types.h>
#include "label/mark.h"
#include "base/labelset.h"
#include "uapi/tacet.h"

struct dentry;
struct file;
struct inode;
struct super_block;
struct inode;

/**
 * struct tacet_label_hooks - the functions that are called when labelled files are used
 * @mark: called at system calls on the file
 * @mapped: called when @file has just been labelled @set. Processes that have it mapped have read
 *	it. Sleeps. -ENOMEM means that not all of them were found
 */
struct tacet_label_hooks {
	struct tacet_mark_hooks mark;
	int (*mapped)(struct file *file, struct tacet_labelset *set);
};

/* @hooks must stay until after tacet_label_exit(). */
int tacet_label_init(const struct tacet_label_hooks *hooks);
void tacet_label_exit(void);

/*
 * Any task opens @file. If it carries a label on disk that is not in force yet, the label comes in force.
 * Returns 0 or -errno for the opening. Sleeps.
 */
int tacet_label_opens(struct file *file);
/* A file system is mounted, perhaps once more. The caller holds s_umount. Sleeps. */
void tacet_label_mounted(struct super_block *sb);

/*
 * Serve TACET_IOC_LABEL_SET and _GET on an open file. @shadow may be NULL. -EBUSY: a loop device has the
 * file.
 */
int tacet_label_set(struct file *file, const struct tacet_label *label, u32 flags, struct file *shadow);
int tacet_label_get(struct file *file, struct tacet_label *label, u32 *flags);

/*
 * Tells whether a loop device reads and writes the file. That keeps reclaim from waiting for the device,
 * as nothing else does with a file.
 */
bool tacet_label_backs_device(const struct inode *inode);

/*
 * Adds @set to the label of @file, because data with @set was or is about to be written to it. Puts the
 * mark on the inode and tells the daemon. @source is tacet_origin_source() of the data.
 *
 * Returns 0 also if the file carries @set already. Returns -EOPNOTSUPP if its file system cannot keep a
 * label, or if a loop device shows the data to everybody. After another error the file keeps its mark until it leaves memory, but its label is not on
 * disk. Sleeps.
 */
int tacet_label_derive(struct file *file, struct tacet_labelset *set, u64 source);
/*
 * Does the same for a file that a process with @set has mapped, as nobody sees what the process stores there. The
 * source is not known. Shared memory gets a shadow with the content that it has before. Sleeps.
 */
int tacet_label_share(struct file *file, struct tacet_labelset *set);
/* Notes that data of @source is written to @file, which carries its label already. */
void tacet_label_mix(struct file *file, u64 source);
/*
 * Tells whether @file is the file with the number @source, or is derived from it. tacet_origin_source()
 * returns such numbers.
 */
bool tacet_label_stems_from(struct file *file, u64 source);

/*
 * Gives @file the label and the shadow of the file below it, @below. Reading @file reads @below. The
 * label may be on the disk of @below or in memory. Returns 0 or -errno. Sleeps.
 */
int tacet_label_inherit(struct file *file, struct dentry *below);
/* Tells whether the file at @dentry has a label, or may have one. Sleeps. */
bool tacet_label_lies_at(struct dentry *dentry);

/*
 * Opens the file behind @file again, read-only, for code that makes shadow files. Reading the result
 * raises no event and finds no label. Returns ERR_PTR on failure.
 */
struct file *tacet_label_reopen(struct file *file);

#endif
