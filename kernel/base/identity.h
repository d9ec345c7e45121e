/* SPDX-License-Identifier: GPL-2.0-only */
/* By which names and numbers files and processes are told apart, and told to the daemon. */
#ifndef _TACET_BASE_IDENTITY_H
#define _TACET_BASE_IDENTITY_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct inode;
struct path;
struct task_struct;

/* @path as the current task sees it, cut to @size with its NUL; works in an exiting task too. */
void tacet_identity_path(const struct path *path, char *text, size_t size);
/* The name of @task's process: that of its first thread. */
void tacet_identity_comm(char comm[TACET_COMM_MAX], struct task_struct *task);
/* st_dev and st_ino of the file at @path. */
void tacet_identity_numbers(const struct path *path, __u64 *device, __u64 *inode);
/* A keyed hash of the inode's numbers, so that nobody can make one that collides with another. Bit 63 is set. */
u64 tacet_identity_of_inode(const struct inode *inode);

#endif
