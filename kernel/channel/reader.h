/* SPDX-License-Identifier: GPL-2.0-only */
/* Those who can read from a pipe, socket or terminal. */
#ifndef _TACET_CHANNEL_READER_H
#define _TACET_CHANNEL_READER_H

#include <linux/types.h>

struct file;
struct sock;
struct tacet_labelset;

/* Returns the pipe's inode, socket or terminal's master end behind @file, to be compared only; NULL when it is none of them. Atomic. */
const void *tacet_reader_key(struct file *file);

/*
 * Every process that holds the reading end @key (tacet_reader_key()) is under the
 * hook, and none is inside a read, when this returns. @sock: the socket, or NULL; who may
 * accept it counts. @set: who cannot be watched is tainted with it. Sets @ret_found when
 * there was one; 0, -ENOMEM. Sleeps.
 */
int tacet_reader_watch(const void *key, const struct sock *sock, struct tacet_labelset *set, bool *ret_found);

#endif
