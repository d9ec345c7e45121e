/* SPDX-License-Identifier: GPL-2.0-only */
/* The names and numbers by which files and processes are told apart, and reported to the daemon. */
#ifndef _TACET_BASE_IDENTITY_H
#define _TACET_BASE_IDENTITY_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct inode;
struct path;
struct task_struct;

/* Writes @path as the current task sees it, cut to @size with its NUL. Works in an exiting task too. */
void tacet_identity_path(const struct path *path, char *text, size_t size);
/* Writes the name of @task's process, which is that of its first thread. */
void tacet_identity_comm(char comm[TACET_COMM_MAX], struct task_struct *task);
/* Returns st_dev and st_ino of the file at @path. */
void tacet_identity_numbers(const struct path *path, __u64 *device, __u64 *inode);
/*
 * Returns a keyed hash of the inode's numbers, so that nobody can make one that collides with another.
 * Bit 63 is set.
 */
u64 tacet_identity_of_inode(const struct inode *inode);

#endif
