/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of private sessions, and who is in one. */
#ifndef _TACET_SESSION_H
#define _TACET_SESSION_H

#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/types.h>
#include "memory/owner.h"
#include "uapi/tacet.h"

struct cgroup;
struct cgroup_subsys_state;
struct folio;
struct mem_cgroup;
struct tacet_cipher;
struct task_struct;

/**
 * struct tacet_outside_socket - the file of a UNIX socket of outside
 * @device: of its file system
 * @inode: its number there
 * @generation: tells it from a later file of that number
 */
struct tacet_outside_socket {
	dev_t device;
	unsigned long inode;
	u32 generation;
};

/**
 * struct tacet_private - a private session
 * @references: one of the descriptor, and one of each task that encrypts for it; at zero its
 *	number is free again
 * @rcu: frees it
 * @node: in the list of the sessions whose descriptor is open
 * @id: for user space
 * @owner: its number in the maps of pages and slots; they hold no references and are swept when it
 *	ends
 * @css: the memory cgroup, with a reference, so that no other can be taken for it
 * @key_lock: held for reading while @cipher is used and its result entered in a map, for writing
 *	when the session ends
 * @cipher: keyed; NULL after the session has ended
 * @socket_count: of @sockets; grows under a lock of border.c, and is read with acquire
 * @sockets: those of outside that members may reach; they do not change once they are counted
 */
struct tacet_private {
	refcount_t references;
	struct rcu_head rcu;
	struct list_head node;
	u64 id;
	u8 owner;
	struct cgroup_subsys_state *css;
	struct rw_semaphore key_lock;
	struct tacet_cipher *cipher;
	unsigned int socket_count;
	struct tacet_outside_socket sockets[TACET_SESSION_SOCKETS_MAX];
};

/* Tells whether any session exists. This is the cheap check before any other. */
bool tacet_session_any(void);
/* Returns the owner number of the session that @task is in, or TACET_OWNER_NONE. Works in any context. */
u8 tacet_session_owner_of_task(struct task_struct *task);
/* These return the session or NULL, without a reference. The caller holds the RCU read lock. */
struct tacet_private *tacet_session_above(struct cgroup *cgroup);
struct tacet_private *tacet_session_of_task(struct task_struct *task);
struct tacet_private *tacet_session_of_memcg(struct mem_cgroup *memcg);
/* Tells whether the current task is in a session. Works in any context. */
bool tacet_session_is_member(void);
/*
 * Returns a reference to the session whose cgroup @folio is or was charged to, or NULL.
 * ERR_PTR(-EKEYREVOKED) means that the session has ended. Works in any context.
 */
struct tacet_private *tacet_session_of_folio(struct folio *folio);
/* Returns a reference to the session with that number, or NULL when it has ended. Works in any context. */
struct tacet_private *tacet_session_get(u8 owner);
/* Works in any context. */
void tacet_session_put(struct tacet_private *session);

/*
 * These are the steps of a session's life, and the caller serialises them. tacet_session_number() gives
 * @session a number, which it keeps until its last reference is gone. Returns 0, -EBUSY (its cgroup
 * belongs to another session) or -EUSERS.
 */
int tacet_session_number(struct tacet_private *session);
/* Members of the session are found from now on. */
void tacet_session_publish(struct tacet_private *session);
/* Members are not found any more. Waits for readers that look at the list at this moment. */
void tacet_session_hide(struct tacet_private *session);
/* The session does not count any more. Returns true if it was the last. */
bool tacet_session_count_down(void);

#endif
