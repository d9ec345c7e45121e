/* SPDX-License-Identifier: GPL-2.0-only */
/* Labelled data comes into a process. */
#ifndef _TACET_ENGINE_INTAKE_H
#define _TACET_ENGINE_INTAKE_H

#include <linux/types.h>

struct file;
struct tacet_channel;
struct tacet_entry;
struct tacet_labelset;
struct tacet_origin;

/* Adds to what the process has read, also for whoever traces it and for files that it has mapped. 0 or -errno. */
int tacet_intake_label(const struct tacet_entry *entry, struct tacet_labelset *set, struct tacet_origin *origin);
/* The same for what was, or is about to be, read from @file. */
int tacet_intake_file(const struct tacet_entry *entry, struct tacet_labelset *set, struct file *file);
/* The same for what @channel holds. */
int tacet_intake_channel(const struct tacet_entry *entry, struct tacet_channel *channel);
/*
 * The label of what @file gives is the process's before it has the data: what cannot be labelled is not read.
 * 0 or -ENOMEM.
 */
int tacet_intake_reader(const struct tacet_entry *entry, struct file *file);
/* True: the file that the call reads from is a channel with derived data, whose label is the process's now. */
bool tacet_intake_from_channel(struct tacet_entry *entry);
/*
 * The label of the file that the call maps is the process's, and the file's that of the process if it can store there.
 * 0 or -errno.
 */
int tacet_intake_mapping(struct tacet_entry *entry, struct file *file);

#endif
