/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of private sessions: who is in one. */
#ifndef _TACET_SESSION_H
#define _TACET_SESSION_H

#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/types.h>
#include "session/owner.h"
#include "uapi/tacet.h"

struct cgroup_subsys_state;
struct folio;
struct sock;
struct tacet_cipher;
struct task_struct;

/**
 * struct tacet_private - a private session
 * @references: the descriptor's; and who encrypts for it. Its number is free again at zero
 * @rcu: frees it
 * @node: in the list of those whose descriptor is open
 * @id: for user space
 * @owner: its number in maps of pages and slots, which hold no references: swept when it ends
 * @css: the memory cgroup, with a reference, so that no other can be taken for it
 * @key_lock: held for reading while @cipher is used and its result entered in a map, for
 *	writing when the session ends
 * @cipher: keyed; NULL: the session has ended
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
};

/* None exists: the cheap question before any other. */
bool tacet_session_none(void);
/* The owner number of the session that @task is in, or TACET_OWNER_NONE. Any context. */
u8 tacet_session_owner_of_task(struct task_struct *task);
/* 0, or -EPERM: the current task may not access @child so (PTRACE_MODE_*). Atomic. */
int tacet_session_check_access(struct task_struct *child, unsigned int mode);
/* 0, or -EPERM: the current task may not reach @peer, a UNIX socket made in a session. Atomic. */
int tacet_session_check_peer(const struct sock *peer);
/*
 * The session whose cgroup @folio is charged to, or was; a reference, or NULL.
 * ERR_PTR(-EKEYREVOKED): it has ended. Any context.
 */
struct tacet_private *tacet_session_of_folio(struct folio *folio);
/* The session with that number, a reference, or NULL when it has ended. Any context. */
struct tacet_private *tacet_session_get(u8 owner);
/* Any context. */
void tacet_session_put(struct tacet_private *session);

/*
 * The steps of a session's life; the caller serialises them. @session gets a number, which it keeps until its last
 * reference is gone: 0, -EBUSY (its cgroup belongs to another session), -EUSERS.
 */
int tacet_session_number(struct tacet_private *session);
/* Members are found from now on. */
void tacet_session_publish(struct tacet_private *session);
/* They are not found any more. Waits for those who look at this moment. */
void tacet_session_hide(struct tacet_private *session);
/* It does not count any more. True: it was the last. */
bool tacet_session_count_down(void);

#endif
