/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References to inodes. A plain reference that is left when the file system is unmounted is a BUG() in
 * the kernel. So all references of the module are taken here, and ./dev lint refuses others.
 */
#ifndef _TACET_BASE_INODE_H
#define _TACET_BASE_INODE_H

#include <linux/types.h>

struct inode;
struct tacet_inode_hold;

int tacet_inode_init(void);
/* The caller makes sure that nobody holds an inode any more. */
void tacet_inode_exit(void);

/*
 * Keeps @inode in memory until tacet_inode_release(), or until its file system is shut down or its last
 * name goes. In these cases @gone gets @owner before the inode goes. The inode may still be open when its
 * last name goes. @gone is called with a spinlock held and must not sleep. Sleeps. Returns ERR_PTR on
 * failure.
 */
struct tacet_inode_hold *tacet_inode_hold(struct inode *inode, void (*gone)(void *owner), void *owner);
/* When it returns, @gone is not running and will not be called. Sleeps. */
void tacet_inode_release(struct tacet_inode_hold *hold);

/*
 * Keeps @inode and its file system for a moment: an unmount that comes meanwhile ends when
 * tacet_inode_unpin() is called. Returns false if the file system is being shut down. Atomic.
 */
bool tacet_inode_pin(struct inode *inode);
/* May put the last reference to the inode and to its file system. Sleeps. */
void tacet_inode_unpin(struct inode *inode);

#endif
