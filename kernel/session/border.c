// SPDX-License-Identifier: GPL-2.0-only
/* What does not cross the border of a private session: looks, sockets, FIFOs, locks, futexes, news of files. */
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/filelock.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <net/af_unix.h>
#include <net/sock.h>

#include "memory/owner.h"
#include "session/border.h"
#include "session/name.h"
#include "session/session.h"

static DEFINE_MUTEX(sockets_lock);

/*
 * Outsiders do not look into members, and members do not change outsiders. A capability of a session's
 * own user namespace counts for nothing here.
 */
int tacet_session_check_access(struct task_struct *child, unsigned int mode)
{
	u8 theirs = tacet_session_owner_of_task(child);
	u8 ours = tacet_session_owner_of_task(current);

	if (theirs == ours || (!theirs && !(mode & PTRACE_MODE_ATTACH)))
		return 0;
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE) ? 0 : -EPERM;
}

/*
 * UNIX sockets are checked when they connect, and a network carries what goes to other machines. All
 * other families, and most of netlink, reach programs of this machine.
 */
int tacet_session_check_socket(int family, int protocol)
{
	bool allowed = family == AF_UNIX || family == AF_INET || family == AF_INET6;

	if (family == AF_NETLINK)
		allowed = protocol == NETLINK_ROUTE || protocol == NETLINK_SOCK_DIAG ||
			  protocol == NETLINK_KOBJECT_UEVENT || protocol == NETLINK_GENERIC;
	return allowed ? 0 : -EAFNOSUPPORT;
}

/*
 * A session has the file systems of outside read-only, or below an overlay, where it has FIFOs of its
 * own. But a FIFO is written to on a read-only mount, too.
 */
int tacet_session_check_fifo(const struct file *file)
{
	return file->f_path.mnt->mnt_flags & MNT_READONLY && tacet_session_is_member() ? -EACCES : 0;
}

/*
 * tacet-session mounts what it cannot cover read-only and without access times. A member that has a user namespace can
 * mount a tree of the session read-only, as bubblewrap does. It cannot let access times of outside be kept.
 */
static bool is_on_mount_of_outside(const struct file *file)
{
	unsigned long kind = file_inode(file)->i_sb->s_magic;
	int flags = file->f_path.mnt->mnt_flags;

	return flags & MNT_READONLY && ((kind != OVERLAYFS_SUPER_MAGIC && kind != TMPFS_MAGIC) || flags & MNT_NOATIME);
}

/*
 * A session's own files lie on overlays, stores and terminals that are its own. What it has of outside is
 * on such a mount, is a device, or belongs to the kernel: namespaces, processes, and the one inode
 * behind descriptors without a file. Memory and pipes are the kernel's, too, but each has its own inode.
 */
static bool has_own_inode(const struct file *file)
{
	const struct inode *inode = file_inode(file);
	unsigned long kind = inode->i_sb->s_magic;

	if (S_ISFIFO(inode->i_mode))
		return true;
	if (S_ISCHR(inode->i_mode))
		return kind == DEVPTS_SUPER_MAGIC;
	return (S_ISREG(inode->i_mode) || S_ISDIR(inode->i_mode)) && !is_on_mount_of_outside(file) &&
	       (!(inode->i_sb->s_flags & SB_KERNMOUNT) || kind == TMPFS_MAGIC);
}

int tacet_session_check_lock(const struct file *file)
{
	/* The session's own parts, which are root's, lock the file of a box. */
	return has_own_inode(file) || ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN) ? 0 : -ENOLCK;
}

/*
 * The key of a futex in a file names the file below the overlay, which others have mapped, too. Inodes
 * are numbered from 1 on, so a number never has these bits by itself.
 */
void tacet_session_separate_futex(union futex_key *key)
{
	if (key->both.offset & FUT_OFF_INODE)
		key->shared.i_seq |= (u64)tacet_session_owner_of_task(current) << 56;
}

/* Below an overlay each file that a member opens is opened in the file system of outside, too. */
bool tacet_session_hides_from(const struct fsnotify_group *watchers)
{
	const struct tacet_private *ours;
	bool hides;

	rcu_read_lock();
	ours = tacet_session_of_task(current);
	hides = ours && ours != tacet_session_of_memcg(watchers->memcg);
	rcu_read_unlock();
	return hides;
}

int tacet_session_allow_socket(struct tacet_private *session, const struct inode *inode)
{
	unsigned int count;
	int error = 0;

	if (!S_ISSOCK(inode->i_mode))
		return -ENOTSOCK;
	mutex_lock(&sockets_lock);
	count = session->socket_count;
	if (count < ARRAY_SIZE(session->sockets)) {
		session->sockets[count] = (struct tacet_outside_socket){
			.device = inode->i_sb->s_dev,
			.inode = inode->i_ino,
			.generation = inode->i_generation,
		};
		smp_store_release(&session->socket_count, count + 1);
	} else {
		error = -ENOSPC;
	}
	mutex_unlock(&sockets_lock);
	return error;
}

/* The state lock of @peer keeps its path. */
static bool is_allowed(const struct tacet_private *session, struct sock *peer)
{
	const struct dentry *dentry = unix_sk(peer)->path.dentry;
	unsigned int count = smp_load_acquire(&session->socket_count), i;
	const struct tacet_outside_socket *socket;
	const struct inode *inode = dentry ? d_inode(dentry) : NULL;

	for (i = 0; inode && i < count; i++) {
		socket = &session->sockets[i];
		if (socket->device == inode->i_sb->s_dev && socket->inode == inode->i_ino &&
		    socket->generation == inode->i_generation)
			return true;
	}
	return false;
}

/*
 * A connection carries data both ways, so nobody outside may begin one. @connected: it is there, and
 * members keep those that they came in with.
 */
static int check_peer(struct sock *peer, bool connected)
{
	const struct tacet_private *theirs, *ours;
	int error = 0;

	rcu_read_lock();
	theirs = tacet_session_above(sock_cgroup_ptr(&peer->sk_cgrp_data));
	ours = tacet_session_of_task(current);
	if (theirs != ours && (theirs || !(connected || is_allowed(ours, peer))))
		error = -EPERM;
	rcu_read_unlock();
	return error;
}

int tacet_session_check_connect(struct sock *peer)
{
	return check_peer(peer, false);
}

int tacet_session_check_send(struct sock *sock, struct sock *peer)
{
	return check_peer(peer, READ_ONCE(unix_sk(sock)->peer) == peer);
}

bool tacet_session_hides_socket(struct sock *sock)
{
	const struct tacet_private *theirs;
	bool hides;

	rcu_read_lock();
	theirs = tacet_session_above(sock_cgroup_ptr(&sock->sk_cgrp_data));
	hides = theirs && theirs != tacet_session_of_task(current);
	rcu_read_unlock();
	return hides && !ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
}

bool tacet_session_hides_lock(const struct file_lock_core *lock)
{
	struct task_struct *task;
	bool hides;

	rcu_read_lock();
	/* Locks of open files have no process, and those that are passed on may have lost theirs. */
	task = lock->flc_pid > 0 ? pid_task(find_pid_ns(lock->flc_pid, &init_pid_ns), PIDTYPE_PID) : NULL;
	if (task)
		hides = tacet_session_hides_name(task);
	else
		hides = !ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
	rcu_read_unlock();
	return hides;
}
