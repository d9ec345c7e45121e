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

/*
 * Adds @set to the label of the process, also for its tracer and for files that it has mapped. Returns
 * 0 or -errno.
 */
int tacet_intake_label(const struct tacet_entry *entry, struct tacet_labelset *set, struct tacet_origin *origin);
/* Does the same for data that was, or is about to be, read from @file. */
int tacet_intake_file(const struct tacet_entry *entry, struct tacet_labelset *set, struct file *file);
/* Does the same for the data in @channel. */
int tacet_intake_channel(const struct tacet_entry *entry, struct tacet_channel *channel);
/*
 * Gives the process the label of @file's data before it has the data. Data that cannot be labelled is
 * not read. Returns 0 or -ENOMEM.
 */
int tacet_intake_reader(const struct tacet_entry *entry, struct file *file);
/*
 * Returns true if the call reads labelled data without an event: from a channel with derived data, or from
 * a silent file. The process then has the label.
 */
bool tacet_intake_without_event(struct tacet_entry *entry);
/* Tells whether the current process could still make such a call. */
bool tacet_intake_possible(void);
/*
 * Gives the process the label of the file that the call maps. If the process can store there, it gives
 * the file the label of the process. Returns 0 or -errno.
 */
int tacet_intake_mapping(struct tacet_entry *entry, struct file *file);
/*
 * Does both for the shared memory that is mapped at @address. Returns 0 or -errno.
 */
int tacet_intake_attached(struct tacet_entry *entry, unsigned long address);

#endif
