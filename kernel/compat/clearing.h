/* SPDX-License-Identifier: GPL-2.0-only */
/* The differences between kernels that the clearing of memory meets. */
#ifndef _TACET_COMPAT_CLEARING_H
#define _TACET_COMPAT_CLEARING_H

#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/version.h>
#include <linux/xattr.h>

struct simple_xattrs;

/* Newer kernels promise not to change the socket for which a message was dropped. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
#define TACET_DROP_SOCKET const struct sock
#else
#define TACET_DROP_SOCKET struct sock
#endif

/*
 * 7.0 keeps the attributes of a file in memory in a hash table, and frees each by itself and after a grace period, also with its
 * file. Then tacet_next_attribute() finds none.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define TACET_ATTRIBUTE_FREE simple_xattr_free
#define tacet_freed_attribute(argument) ((const struct simple_xattr *)(argument))
static inline const struct simple_xattr *tacet_next_attribute(const struct simple_xattrs *attributes,
							      const struct simple_xattr *before)
{
	return rb_entry_safe(before ? rb_next(&before->rb_node) : rb_first(&attributes->rb_root), struct simple_xattr,
			     rb_node);
}
#else
#define TACET_ATTRIBUTE_FREE simple_xattr_rcu_free
#define tacet_freed_attribute(argument) ((const struct simple_xattr *)container_of(argument, struct simple_xattr, rcu))
static inline const struct simple_xattr *tacet_next_attribute(const struct simple_xattrs *attributes,
							      const struct simple_xattr *before)
{
	return NULL;
}
#endif

#ifdef CONFIG_IO_URING
#define tacet_has_io_uring(task) (READ_ONCE((task)->io_uring) != NULL)
#else
#define tacet_has_io_uring(task) false
#endif

#endif
