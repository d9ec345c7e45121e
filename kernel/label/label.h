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

/**
 * struct tacet_label_hooks - who is told when labelled files are used
 * @mark: by system calls on the file
 * @mapped: @file has just been labelled @set: who has it mapped has read it. Sleeps. -ENOMEM: not all of them
 */
struct tacet_label_hooks {
	struct tacet_mark_hooks mark;
	int (*mapped)(struct file *file, struct tacet_labelset *set);
};

/* @hooks stay until after tacet_label_exit(). */
int tacet_label_init(const struct tacet_label_hooks *hooks);
void tacet_label_exit(void);

/* TACET_IOC_LABEL_SET and _GET on an open file; @shadow may be NULL. */
int tacet_label_set(struct file *file, const struct tacet_label *label, u32 flags, struct file *shadow);
int tacet_label_get(struct file *file, struct tacet_label *label, u32 *flags);

/*
 * Data with @set was or is about to be written to @file: adds to its label,
 * arms it and tells the daemon. @source: tacet_origin_source() of the data. 0 also when it carries @set already;
 * -EOPNOTSUPP when its file system cannot keep a label. On another error the
 * file triggers until it leaves memory, but its label is not on disk. Sleeps.
 */
int tacet_label_derive(struct file *file, struct tacet_labelset *set, u64 source);
/* Data of @source is written to @file, which carries its label already. */
void tacet_label_mix(struct file *file, u64 source);
/* Tells whether @file has the number @source, as tacet_origin_source() returns it, or is derived from that file. */
bool tacet_label_stems_from(struct file *file, u64 source);

/*
 * Reading @file reads the file below it, @below. @file gets the label that @below has,
 * on its disk or in memory, and the shadow. 0 or -errno. Sleeps.
 */
int tacet_label_inherit(struct file *file, struct dentry *below);
/* Tells whether the file at @dentry has a label, or may have one. Sleeps. */
bool tacet_label_lies_at(struct dentry *dentry);

/*
 * Opens the file behind @file again, read-only, so that reading raises no
 * trigger and finds no label: for who makes shadow files. ERR_PTR on failure.
 */
struct file *tacet_label_reopen(struct file *file);

#endif
