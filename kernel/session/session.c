// SPDX-License-Identifier: GPL-2.0-only
/* The table of private sessions, and who is in one. */
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/fs.h>
#include <linux/memcontrol.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <net/af_unix.h>
#include <net/sock.h>

#include "session/owner.h"
#include "session/page/mark.h"
#include "session/session.h"

/* Only the steps of a session's life change these, and their caller serialises them. */
static LIST_HEAD(sessions);
static unsigned int session_count;
static u64 last_id;
static DEFINE_MUTEX(sockets_lock);
/* The table by owner number. An entry is taken from the making of a session until its last reference is gone. */
static DEFINE_SPINLOCK(table_lock);
static struct tacet_private __rcu *table[TACET_SESSION_MAX];

bool tacet_session_none(void)
{
	return !READ_ONCE(session_count);
}

static struct tacet_private *find_above(struct cgroup *cgroup)
{
	struct tacet_private *session;

	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "sessions are freed by RCU");
	list_for_each_entry_rcu(session, &sessions, node)
		if (cgroup_is_descendant(cgroup, session->css->cgroup))
			return session;
	return NULL;
}

static struct tacet_private *find(struct mem_cgroup *memcg)
{
	return memcg ? find_above(memcg->css.cgroup) : NULL;
}

u8 tacet_session_owner_of_task(struct task_struct *task)
{
	struct tacet_private *session;
	u8 owner;

	if (tacet_session_none())
		return TACET_OWNER_NONE;
	rcu_read_lock();
	session = find(mem_cgroup_from_task(task));
	owner = session ? session->owner : TACET_OWNER_NONE;
	rcu_read_unlock();
	return owner;
}

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

bool tacet_session_is_member(void)
{
	return tacet_session_owner_of_task(current) != TACET_OWNER_NONE;
}

bool tacet_session_any(void)
{
	return !tacet_session_none();
}

void tacet_session_unname(void)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (tacet_session_owner_of_task(thread) == TACET_OWNER_NONE)
			continue;
		task_lock(thread);
		strscpy_pad(thread->comm, "private", sizeof(thread->comm));
		task_unlock(thread);
	}
	rcu_read_unlock();
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
	theirs = find_above(sock_cgroup_ptr(&peer->sk_cgrp_data));
	ours = find(mem_cgroup_from_task(current));
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

struct tacet_private *tacet_session_get(u8 owner)
{
	struct tacet_private *session;

	if (!tacet_owner_is_session(owner))
		return NULL;
	rcu_read_lock();
	session = rcu_dereference(table[owner - TACET_OWNER_SESSION]);
	if (session && !refcount_inc_not_zero(&session->references))
		session = NULL;
	rcu_read_unlock();
	return session;
}

/* Returns the session that the mark of @folio names. It serves folios whose cgroup is no session's. */
static struct tacet_private *session_of_mark(struct folio *folio)
{
	u8 owner = tacet_page_mark_get(folio_page(folio, 0));
	struct tacet_private *session = tacet_session_get(owner);

	if (!session)
		return owner == TACET_OWNER_ENDED || tacet_owner_is_session(owner) ? ERR_PTR(-EKEYREVOKED) : NULL;
	if (READ_ONCE(session->cipher) && !css_is_dying(session->css)) {
		tacet_session_put(session);
		return NULL;
	}
	return session;
}

/*
 * While a session's cgroup lives, it owns the pages that are charged to it, and no others. When it has
 * been removed, its pages are charged to its parent or to the process that swapped them in. Then the
 * mark of the page decides.
 */
struct tacet_private *tacet_session_of_folio(struct folio *folio)
{
	struct tacet_private *session;

	rcu_read_lock();
	session = find(folio_memcg(folio));
	if (session && !refcount_inc_not_zero(&session->references))
		session = NULL;
	rcu_read_unlock();
	return session ?: session_of_mark(folio);
}

/* Once all references are gone, nothing can be entered in a map under the session's number any more. */
void tacet_session_put(struct tacet_private *session)
{
	unsigned long flags;

	if (!refcount_dec_and_test(&session->references))
		return;
	spin_lock_irqsave(&table_lock, flags);
	RCU_INIT_POINTER(table[session->owner - TACET_OWNER_SESSION], NULL);
	spin_unlock_irqrestore(&table_lock, flags);
	css_put(session->css);
	kfree_rcu(session, rcu);
}

static bool overlaps(struct cgroup *cgroup)
{
	struct tacet_private *other;

	list_for_each_entry(other, &sessions, node)
		if (cgroup_is_descendant(cgroup, other->css->cgroup) ||
		    cgroup_is_descendant(other->css->cgroup, cgroup))
			return true;
	return false;
}

static int take_number(struct tacet_private *session)
{
	int error = -EUSERS;
	unsigned int i;

	spin_lock_irq(&table_lock);
	for (i = 0; i < ARRAY_SIZE(table) && error; i++) {
		if (rcu_access_pointer(table[i]))
			continue;
		session->owner = TACET_OWNER_SESSION + i;
		rcu_assign_pointer(table[i], session);
		error = 0;
	}
	spin_unlock_irq(&table_lock);
	return error;
}

int tacet_session_number(struct tacet_private *session)
{
	int error = overlaps(session->css->cgroup) ? -EBUSY : take_number(session);

	if (!error)
		session->id = ++last_id;
	return error;
}

void tacet_session_publish(struct tacet_private *session)
{
	list_add_rcu(&session->node, &sessions);
	WRITE_ONCE(session_count, session_count + 1);
}

void tacet_session_hide(struct tacet_private *session)
{
	list_del_rcu(&session->node);
	synchronize_rcu();
}

bool tacet_session_count_down(void)
{
	WRITE_ONCE(session_count, session_count - 1);
	return !session_count;
}
