/* SPDX-License-Identifier: GPL-2.0-only */
/* The tasks that can read from a pipe, socket or terminal. */
#ifndef _TACET_CHANNEL_READER_H
#define _TACET_CHANNEL_READER_H

#include <linux/types.h>

struct file;
struct sock;
struct tacet_labelset;

/*
 * Returns the pipe's inode, the socket or the terminal's master end behind @file. It is only compared.
 * Returns NULL for other files. Atomic.
 */
const void *tacet_reader_key(struct file *file);

/*
 * When this returns, every process that holds the reading end @key (tacet_reader_key()) is under the
 * hook, and none is inside a read. @sock is the socket, or NULL. A process that may accept it counts
 * too. A process that cannot be watched is tainted with @set. Sets @ret_found when there was a reader.
 * Returns 0 or -ENOMEM. Sleeps.
 */
int tacet_reader_watch(const void *key, const struct sock *sock, struct tacet_labelset *set, bool *ret_found);

#endif
