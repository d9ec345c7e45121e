// SPDX-License-Identifier: GPL-2.0-only
/* The cache of verdicts. It is bounded, and the oldest verdict goes first. Readers take no lock. */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>

#include "base/labelset.h"
#include "question/verdict.h"
#include "sink/sink.h"

#define VERDICTS_BITS 9
#define VERDICTS_MAX 4096

/* An answer "this once" about a change holds for this time, as a program makes several calls to save a file. */
#define CHANGE_NS (10 * NSEC_PER_SEC)

/**
 * struct verdict_key - the parts of a flow that count for a scope; the others are zero, for memcmp()
 * and jhash()
 * @cookie: for FLOW and FLOW_FILE; for other scopes if the sink is not the network, as no address
 *	tells the peer
 * @process: for PROCESS and FILE; for other scopes if the sink is not the network, as others may
 *	use the same device
 * @set: always
 * @execution: with @process
 * @peer: always, as a socket can be connected anew or send to many; the cookie alone is no
 *	recipient
 * @source: for FILE and FLOW_FILE
 * @scope: enum tacet_verdict_scope
 */
struct verdict_key {
	u64 cookie;
	const struct pid *process;
	const struct tacet_labelset *set;
	u64 execution;
	struct tacet_peer peer;
	u64 source;
	u32 scope;
};

/**
 * struct verdict - one cached answer; immutable, freed by RCU
 * @node: its place in verdicts; verdicts_lock
 * @age: its place in verdicts_by_age; verdicts_lock
 * @rcu: frees it
 * @flow: holds references, so that the pointers in @key stay unique as long as it is in the table
 * @key: the key of @flow
 * @action: enum tacet_action
 * @until: boottime in ns, 0 for no end
 */
struct verdict {
	struct hlist_node node;
	struct list_head age;
	struct rcu_head rcu;
	struct tacet_flow flow;
	struct verdict_key key;
	u32 action;
	u64 until;
};

/* Writers hold verdicts_lock with interrupts off, as processes are also forgotten when they exit. Readers use RCU. */
static DEFINE_HASHTABLE(verdicts, VERDICTS_BITS);
static LIST_HEAD(verdicts_by_age);
static DEFINE_SPINLOCK(verdicts_lock);
static unsigned int verdicts_count;

void tacet_verdict_flow_get(const struct tacet_flow *flow)
{
	get_pid(flow->process);
	tacet_labelset_get(flow->set);
}

void tacet_verdict_flow_put(const struct tacet_flow *flow)
{
	put_pid(flow->process);
	tacet_labelset_put(flow->set);
}

static void copy_peer(struct tacet_peer *to, const struct tacet_peer *from)
{
	to->sink = from->sink;
	to->family = from->family;
	to->protocol = from->protocol;
	memcpy(to->address, from->address, sizeof(to->address));
	to->port = from->port;
}

static void make_key(struct verdict_key *key, const struct tacet_flow *flow, u32 scope)
{
	/* This also clears the padding, for memcmp() and jhash(). */
	memset(key, 0, sizeof(*key));
	key->scope = scope;
	key->set = flow->set;
	copy_peer(&key->peer, &flow->peer);
	if (scope == TACET_SCOPE_PROCESS || scope == TACET_SCOPE_FILE || flow->peer.sink != TACET_SINK_NETWORK) {
		key->process = flow->process;
		key->execution = flow->execution;
	}
	if (scope == TACET_SCOPE_FLOW || scope == TACET_SCOPE_FLOW_FILE || flow->peer.sink != TACET_SINK_NETWORK)
		key->cookie = flow->cookie;
	if (scope == TACET_SCOPE_FILE || scope == TACET_SCOPE_FLOW_FILE)
		key->source = flow->source;
}

static u32 hash_key(const struct verdict_key *key)
{
	return jhash(key, sizeof(*key), 0);
}

bool tacet_verdict_flow_equal(const struct tacet_flow *a, const struct tacet_flow *b, u32 scope)
{
	struct verdict_key key_a, key_b;

	make_key(&key_a, a, scope);
	make_key(&key_b, b, scope);
	return !memcmp(&key_a, &key_b, sizeof(key_a));
}

/* The caller holds the RCU lock or verdicts_lock. */
static struct verdict *find_verdict(const struct verdict_key *key)
{
	struct verdict *verdict;

	hash_for_each_possible_rcu(verdicts, verdict, node, hash_key(key), lockdep_is_held(&verdicts_lock))
		if (!memcmp(&verdict->key, key, sizeof(*key)))
			return verdict;
	return NULL;
}

static u32 find_action(const struct tacet_flow *flow, u32 scope)
{
	struct verdict *verdict;
	struct verdict_key key;
	u32 action = 0;

	make_key(&key, flow, scope);
	rcu_read_lock();
	verdict = find_verdict(&key);
	if (verdict && (!verdict->until || ktime_get_boottime_ns() < verdict->until))
		action = verdict->action;
	rcu_read_unlock();
	return action;
}

u32 tacet_verdict_find(const struct tacet_flow *flow)
{
	u32 scope, action = 0;

	for (scope = TACET_SCOPE_FLOW; !action && scope <= TACET_SCOPE_FLOW_FILE; scope++)
		action = find_action(flow, scope);
	return action;
}

static void drop_verdict(struct verdict *verdict)
{
	lockdep_assert_held(&verdicts_lock);
	hash_del_rcu(&verdict->node);
	list_del(&verdict->age);
	verdicts_count--;
	tacet_verdict_flow_put(&verdict->flow);
	kfree_rcu(verdict, rcu);
}

/* Picks the entry to evict: an expired one, one whose process has exited, else the oldest. */
static struct verdict *least_needed(void)
{
	u64 now = ktime_get_boottime_ns();
	struct verdict *verdict;

	lockdep_assert_held(&verdicts_lock);
	list_for_each_entry(verdict, &verdicts_by_age, age)
		if ((verdict->until && verdict->until <= now) ||
		    (verdict->key.process && !pid_has_task((struct pid *)verdict->key.process, PIDTYPE_TGID)))
			return verdict;
	return list_first_entry(&verdicts_by_age, struct verdict, age);
}

void tacet_verdict_keep(const struct tacet_flow *flow, u32 scope, u32 action, u64 until)
{
	u64 now = ktime_get_boottime_ns();
	struct verdict *verdict, *old;
	unsigned long flags;

	if (flow->peer.sink == TACET_SINK_MARKED && scope == TACET_SCOPE_FLOW)
		until = min_not_zero(until, now + CHANGE_NS);
	if (until && until <= now)
		return;
	verdict = kzalloc(sizeof(*verdict), GFP_KERNEL);
	if (!verdict)
		return;
	tacet_verdict_flow_get(flow);
	verdict->flow = *flow;
	make_key(&verdict->key, flow, scope);
	verdict->action = action;
	verdict->until = until;

	spin_lock_irqsave(&verdicts_lock, flags);
	old = find_verdict(&verdict->key);
	if (!old && verdicts_count >= VERDICTS_MAX)
		old = least_needed();
	if (old)
		drop_verdict(old);
	hash_add_rcu(verdicts, &verdict->node, hash_key(&verdict->key));
	list_add_tail(&verdict->age, &verdicts_by_age);
	verdicts_count++;
	spin_unlock_irqrestore(&verdicts_lock, flags);
}

void tacet_verdict_forget(const struct pid *process)
{
	struct verdict *verdict, *next;
	unsigned long flags;

	if (!READ_ONCE(verdicts_count))
		return;
	spin_lock_irqsave(&verdicts_lock, flags);
	list_for_each_entry_safe(verdict, next, &verdicts_by_age, age)
		if (verdict->key.process == process)
			drop_verdict(verdict);
	spin_unlock_irqrestore(&verdicts_lock, flags);
}

void tacet_verdict_flush(void)
{
	struct verdict *verdict, *next;
	unsigned long flags;

	spin_lock_irqsave(&verdicts_lock, flags);
	list_for_each_entry_safe(verdict, next, &verdicts_by_age, age)
		drop_verdict(verdict);
	spin_unlock_irqrestore(&verdicts_lock, flags);
}
