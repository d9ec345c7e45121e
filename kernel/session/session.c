// SPDX-License-Identifier: GPL-2.0-only
/* The table of private sessions, and who is in one. */
#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "memory/mark.h"
#include "memory/owner.h"
#include "session/session.h"

/* Only the steps of a session's life change these, and their caller serialises them. */
static LIST_HEAD(sessions);
static unsigned int session_count;
static u64 last_id;
/* The table by owner number. An entry is taken from the making of a session until its last reference is gone. */
static DEFINE_SPINLOCK(table_lock);
static struct tacet_private __rcu *table[TACET_SESSION_MAX];

bool tacet_session_any(void)
{
	return READ_ONCE(session_count);
}

struct tacet_private *tacet_session_above(struct cgroup *cgroup)
{
	struct tacet_private *session;

	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "sessions are freed by RCU");
	list_for_each_entry_rcu(session, &sessions, node)
		if (cgroup_is_descendant(cgroup, session->css->cgroup))
			return session;
	return NULL;
}

struct tacet_private *tacet_session_of_memcg(struct mem_cgroup *memcg)
{
	return memcg ? tacet_session_above(memcg->css.cgroup) : NULL;
}

struct tacet_private *tacet_session_of_task(struct task_struct *task)
{
	return tacet_session_of_memcg(mem_cgroup_from_task(task));
}

u8 tacet_session_owner_of_task(struct task_struct *task)
{
	struct tacet_private *session;
	u8 owner;

	if (!tacet_session_any())
		return TACET_OWNER_NONE;
	rcu_read_lock();
	session = tacet_session_of_task(task);
	owner = session ? session->owner : TACET_OWNER_NONE;
	rcu_read_unlock();
	return owner;
}

bool tacet_session_is_member(void)
{
	return tacet_session_owner_of_task(current) != TACET_OWNER_NONE;
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
	session = tacet_session_of_memcg(folio_memcg(folio));
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
	atomic_inc(&tacet_owner_count);
	tacet_owner_changed();
}

void tacet_session_hide(struct tacet_private *session)
{
	list_del_rcu(&session->node);
	tacet_owner_changed();
	synchronize_rcu();
}

bool tacet_session_count_down(void)
{
	WRITE_ONCE(session_count, session_count - 1);
	atomic_dec(&tacet_owner_count);
	return !session_count;
}
