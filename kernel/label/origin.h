/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Origins: the way by which labelled data came to a process, from the file through all processes that
 * passed it on. An origin holds no files, as they would keep their mounts busy.
 */
#ifndef _TACET_LABEL_ORIGIN_H
#define _TACET_LABEL_ORIGIN_H

#include <linux/refcount.h>
#include <linux/types.h>
#include "uapi/tacet.h"

struct file;
struct tacet_labelset;
struct task_struct;

/**
 * struct tacet_origin - one process on the way; immutable
 * @references: those of pairs, channels and the next process on the way
 * @from: a reference to the process before, or NULL if this process read the file
 * @length: the number of processes up to this one, at most TACET_CHAIN_MAX
 * @hop: the process
 * @device: st_dev of the file, if @from is NULL
 * @inode: st_ino of the file
 * @source: tacet_origin_source_of_file()
 * @path: the path of the file as the process saw it then
 */
struct tacet_origin {
	refcount_t references;
	struct tacet_origin *from;
	unsigned int length;
	struct tacet_hop hop;
	u64 device;
	u64 inode;
	u64 source;
	char path[];
};

/* Makes an origin for @reader, which has read @file. Returns a reference, or NULL without memory. Sleeps. */
struct tacet_origin *tacet_origin_of_file(struct file *file, struct task_struct *reader);
/*
 * Makes an origin for @receiver, which got the data from the last process of @from. Returns a
 * reference. It is one to @from itself if both are the same process, the way is too long, or there is
 * no memory.
 */
struct tacet_origin *tacet_origin_passed(struct tacet_origin *from, struct task_struct *receiver);
/* Both accept NULL. They work in any context. */
struct tacet_origin *tacet_origin_get(struct tacet_origin *origin);
void tacet_origin_put(struct tacet_origin *origin);

/* Returns a number for @file that differs for other files and for other names of the same file. It is never 0. */
u64 tacet_origin_source_of_file(const struct file *file);
/* Returns that number for the file with which @origin began, or 0 for NULL. */
u64 tacet_origin_source(const struct tacet_origin *origin);
/* Returns the process that read the file. */
const struct tacet_origin *tacet_origin_first(const struct tacet_origin *origin);
/* Fills @chain, with the reader first. Returns the number of processes. */
u32 tacet_origin_chain(const struct tacet_origin *origin, struct tacet_hop chain[TACET_CHAIN_MAX]);
/* Calls tacet_notice_send_named() with the name of the file that was read. @origin may be NULL. */
void tacet_origin_notice(const struct tacet_origin *origin, u32 type, struct tacet_labelset *set, const char *reason);

#endif
