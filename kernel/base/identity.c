// SPDX-License-Identifier: GPL-2.0-only
/* The names and numbers by which files and processes are told apart. */
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/kdev_t.h>
#include <linux/net.h>
#include <linux/sched.h>
#include <linux/siphash.h>
#include <linux/stat.h>

#include "base/identity.h"

/* This bit keeps the hashes of files apart from the cookies of sockets, which count up from 1. */
#define INODE_BIT BIT_ULL(63)

void tacet_identity_path(const struct path *path, char *text, size_t size)
{
	char *found;

	/* The last close of a file may come from a task that has already given up its root directory. */
	if (current->fs)
		found = d_path(path, text, size);
	else
		found = dentry_path_raw(path->dentry, text, size);
	if (IS_ERR(found))
		snprintf(text, size, "%pd", path->dentry);
	else
		memmove(text, found, strlen(found) + 1);
}

void tacet_identity_comm(char comm[TACET_COMM_MAX], struct task_struct *task)
{
	char name[TASK_COMM_LEN];

	rcu_read_lock();
	/* A process that has ended may outlive its leader. */
	get_task_comm(name, pid_alive(task) ? task->group_leader : task);
	rcu_read_unlock();
	strscpy(comm, name, TACET_COMM_MAX);
}

void tacet_identity_numbers(const struct path *path, __u64 *device, __u64 *inode)
{
	struct kstat stat;

	if (vfs_getattr_nosec(path, &stat, STATX_INO, AT_STATX_DONT_SYNC)) {
		stat.dev = d_inode(path->dentry)->i_sb->s_dev;
		stat.ino = d_inode(path->dentry)->i_ino;
	}
	*device = new_encode_dev(stat.dev);
	*inode = stat.ino;
}

u64 tacet_identity_of_inode(const struct inode *inode)
{
	static siphash_key_t key __read_mostly;

	net_get_random_once(&key, sizeof(key));
	return siphash_3u64(inode->i_sb->s_dev, inode->i_ino,
			    S_ISREG(inode->i_mode) ? inode->i_generation : inode->i_rdev, &key) |
	       INODE_BIT;
}
