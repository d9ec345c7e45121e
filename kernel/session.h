/* SPDX-License-Identifier: GPL-2.0-only */
/* Private sessions: who is in one, and its key. */
#ifndef _TACET_SESSION_H
#define _TACET_SESSION_H

#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/types.h>
#include "uapi/tacet.h"

struct cgroup_subsys_state;
struct folio;
struct sock;
struct tacet_cipher;
struct task_struct;

/* Whose data a page of memory or a slot of swap holds, in a byte. */
enum tacet_owner {
	TACET_OWNER_NONE = 0,		/* public memory; on swap: as it was before */
	TACET_OWNER_PUBLIC = 1,		/* on swap: with the key made at load */
	TACET_OWNER_SESSION = 2,	/* and the TACET_SESSION_MAX - 1 after it */
	TACET_OWNER_UNKNOWN = 254,	/* memory that may be a session's: cleared, no more */
	TACET_OWNER_ENDED = 255,	/* of a session that has ended */
};

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

static inline bool tacet_owner_is_session(u8 owner)
{
	return owner >= TACET_OWNER_SESSION && owner < TACET_OWNER_SESSION + TACET_SESSION_MAX;
}

int tacet_session_init(void);
void tacet_session_exit(void);

/* TACET_IOC_SESSION: a descriptor, or -errno. */
int tacet_session_create(int cgroup_fd);

/* A session of @css, which gets a reference more; ERR_PTR(-EBUSY, -EUSERS, -ENOMEM, ...). Sleeps. */
struct tacet_private *tacet_session_begin(struct cgroup_subsys_state *css);
/* After this nobody finds it, its key is gone, and no map has its number. Drops the reference. Sleeps. */
void tacet_session_end(struct tacet_private *session);

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

#endif
