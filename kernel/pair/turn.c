// SPDX-License-Identifier: GPL-2.0-only
/*
 * The turns of a pair's threads in user mode. The original has one thread there at a time, the
 * doppelganger follows in the same order.
 */
#include <linux/futex.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "base/wait.h"
#include "call/run.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/signal.h"
#include "pair/task.h"
#include "pair/turn.h"
#include "question/question.h"

/* The doppelganger may be this many turns behind. Some are kept for threads that cannot wait. */
#define TURNS 2048
#define SPARE_TURNS 512

/*
 * A thread loses its turn to waiting threads after one of three times. It has computed for
 * COMPUTING_MAX, or slept in user mode (in a page fault, stopped) for SLEEPING_MAX. Or it could run for
 * STARVING_MAX and got no processor. A busy machine alone must not change the order: the doppelganger
 * could not repeat the work of two threads at once.
 */
#define COMPUTING_MAX (40 * NSEC_PER_MSEC)
#define SLEEPING_MAX (HZ / 2)
#define STARVING_MAX (3 * HZ)

/* This is SLEEPING_MAX in the doppelganger, for a thread whose original lost its turn. */
#define SLEEPING_MAX_DOPPELGANGER (HZ / 20)

struct turn {
	const struct tacet_ring *ring; /* that of the thread whose turn it is; only compared */
	/* The turn was taken from a thread that had not come to a call. */
	bool early;
	/* The thread had a signal to handle first. */
	bool signalled;
};

/**
 * struct holder - the thread whose turn it is, in one of the halves
 * @ring: the thread's ring; only compared; NULL if it is nobody's turn
 * @task: alive, since a thread lets go before it exits
 * @since: jiffies when it got its turn, or when another thread began to wait for it
 * @runtime: ns that @task had run by then
 * @ticked: ns of the timer's ticks that had met @task by then
 */
struct holder {
	const struct tacet_ring *ring;
	struct task_struct *task;
	unsigned long since;
	u64 runtime;
	u64 ticked;
};

struct tacet_turns {
	/*
	 * These halves take turns. The doppelganger begins later, when it comes to the place where the
	 * original began.
	 */
	bool begun, doppelganger_begun;
	/* Guards both holders, and the list of waiters in the original. */
	spinlock_t lock;
	struct holder original, doppelganger;
	struct list_head waiters;
	u32 given; /* read without the lock */
	/* The doppelganger's thread whose turn it is writes this. */
	u32 taken;
	struct tacet_pair_wait wait;
	struct turn log[TURNS];
};

struct waiter {
	struct list_head node;
	struct tacet_ring *ring;
	struct task_struct *task;
	bool granted, early;
};

int tacet_turn_prepare(struct tacet_pair *pair)
{
	struct tacet_turns *turns;

	if (pair->turns)
		return 0;
	turns = kvzalloc(sizeof(*turns), GFP_KERNEL_ACCOUNT);
	if (!turns)
		return -ENOMEM;
	spin_lock_init(&turns->lock);
	INIT_LIST_HEAD(&turns->waiters);
	init_waitqueue_head(&turns->wait.queue);
	/* Several threads may make others at once, and another one was faster. */
	if (cmpxchg(&pair->turns, NULL, turns))
		kvfree(turns);
	else
		tacet_pair_add_wait(pair, &turns->wait);
	return 0;
}

void tacet_turn_begin(struct tacet_pair *pair)
{
	WRITE_ONCE(pair->turns->begun, true);
}

void tacet_turn_begin_doppelganger(struct tacet_pair *pair)
{
	WRITE_ONCE(pair->turns->doppelganger_begun, true);
}

void tacet_turn_call_off(struct tacet_pair *pair)
{
	WRITE_ONCE(pair->turns->begun, false);
	WRITE_ONCE(pair->turns->doppelganger_begun, false);
}

static struct tacet_turns *turns_of(const struct tacet_task *context)
{
	struct tacet_pair *pair = tacet_task_pair(context);
	struct tacet_turns *turns = smp_load_acquire(&pair->turns);
	bool is_doppelganger = context->role == TACET_ROLE_DOPPELGANGER;

	if (!turns || !context->ring || tacet_pair_state(pair) >= TACET_PAIR_TAINTED)
		return NULL;
	return READ_ONCE(*(is_doppelganger ? &turns->doppelganger_begun : &turns->begun)) ? turns : NULL;
}

bool tacet_turn_taken_by_side(const struct tacet_task *context)
{
	return turns_of(context);
}

static void wake_doppelgangers(struct tacet_turns *turns)
{
	if (wq_has_sleeper(&turns->wait.queue))
		wake_up_all(&turns->wait.queue);
}

static u64 ticked(const struct task_struct *task)
{
	return READ_ONCE(task->utime) + READ_ONCE(task->stime);
}

static void start_clock(struct holder *holder)
{
	holder->since = jiffies;
	holder->runtime = READ_ONCE(holder->task->se.sum_exec_runtime);
	holder->ticked = ticked(holder->task);
}

/*
 * In a virtual machine the host may take the processor away for longer than COMPUTING_MAX, which the
 * runtime counts. Ticks come only when the processor is there.
 */
static bool has_computed_long(const struct holder *holder)
{
	return READ_ONCE(holder->task->se.sum_exec_runtime) - holder->runtime > COMPUTING_MAX &&
	       ticked(holder->task) - holder->ticked + TICK_NSEC > COMPUTING_MAX;
}

static void hold(struct holder *holder, const struct tacet_ring *ring, struct task_struct *task)
{
	holder->ring = ring;
	holder->task = task;
	start_clock(holder);
}

static bool holds_too_long(const struct holder *holder, unsigned long sleeping_max)
{
	unsigned long patience = task_is_running(holder->task) ? STARVING_MAX : sleeping_max;

	return has_computed_long(holder) || time_after(jiffies, holder->since + patience);
}

static void give(struct tacet_turns *turns, struct waiter *waiter, bool early)
{
	lockdep_assert_held(&turns->lock);
	hold(&turns->original, waiter->ring, waiter->task);
	waiter->early = early;
	WRITE_ONCE(waiter->granted, true);
	if (waiter->task != current)
		wake_up_all(&waiter->ring->original_wait.queue);
}

static void let_go(struct tacet_turns *turns)
{
	struct waiter *next;

	lockdep_assert_held(&turns->lock);
	turns->original.ring = NULL;
	next = list_first_entry_or_null(&turns->waiters, struct waiter, node);
	if (next) {
		list_del_init(&next->node);
		give(turns, next, false);
	}
}

static void take_early(struct tacet_turns *turns, struct waiter *waiter)
{
	spin_lock(&turns->lock);
	if (!waiter->granted && turns->original.ring && list_is_first(&waiter->node, &turns->waiters) &&
	    holds_too_long(&turns->original, SLEEPING_MAX)) {
		list_del_init(&waiter->node);
		give(turns, waiter, true);
	}
	spin_unlock(&turns->lock);
}

static bool has_room(const struct tacet_turns *turns)
{
	return READ_ONCE(turns->given) - READ_ONCE(turns->taken) < TURNS - SPARE_TURNS;
}

static bool is_over(const struct tacet_pair *pair)
{
	return tacet_pair_state(pair) >= TACET_PAIR_TAINTED;
}

static bool wait_for_room(struct tacet_turns *turns, struct tacet_pair *pair)
{
	long left = has_room(turns) ? 1 :
				      tacet_wait(turns->wait.queue, has_room(turns) || is_over(pair),
						 tacet_question_barrier_timeout());

	if (left == 0)
		tacet_pair_taint(pair, "doppelganger-too-slow");
	return left > 0 && !is_over(pair);
}

/* Only now, shortly before the thread goes to user mode, can it be told whether a signal comes first. */
static void note(struct tacet_turns *turns, const struct waiter *waiter)
{
	struct turn *turn = &turns->log[turns->given % TURNS];

	lockdep_assert_held(&turns->lock);
	if (turns->given - READ_ONCE(turns->taken) == TURNS) {
		tacet_pair_taint(waiter->ring->pair, "doppelganger-too-slow");
		return;
	}
	turn->ring = waiter->ring;
	turn->early = waiter->early || turns->original.ring != waiter->ring;
	turn->signalled = task_sigpending(current);
	smp_store_release(&turns->given, turns->given + 1);
	wake_doppelgangers(turns);
}

static void take_as_original(struct tacet_turns *turns, struct tacet_task *context)
{
	struct waiter waiter = { .ring = context->ring, .task = current };
	struct tacet_pair *pair = tacet_task_pair(context);
	long left = 1;

	if (!wait_for_room(turns, pair))
		return;
	INIT_LIST_HEAD(&waiter.node);
	spin_lock(&turns->lock);
	if (turns->original.ring == waiter.ring)
		let_go(turns);
	if (turns->original.ring)
		list_add_tail(&waiter.node, &turns->waiters);
	else
		give(turns, &waiter, false);
	spin_unlock(&turns->lock);
	while (left >= 0 && !READ_ONCE(waiter.granted) && !is_over(pair)) {
		left = tacet_wait(waiter.ring->original_wait.queue, READ_ONCE(waiter.granted) || is_over(pair), 1);
		if (!left)
			take_early(turns, &waiter);
	}
	spin_lock(&turns->lock);
	list_del_init(&waiter.node);
	if (waiter.granted)
		note(turns, &waiter);
	spin_unlock(&turns->lock);
}

static bool is_next(const struct tacet_turns *turns, const struct tacet_ring *ring)
{
	u32 taken = READ_ONCE(turns->taken);

	return smp_load_acquire(&turns->given) != taken && turns->log[taken % TURNS].ring == ring;
}

static bool lives(const struct tacet_task *context)
{
	return tacet_pair_lives(tacet_task_pair(context));
}

static void release_doppelganger(struct tacet_turns *turns, const struct tacet_ring *ring)
{
	bool held;

	spin_lock(&turns->lock);
	held = turns->doppelganger.ring == ring;
	if (held)
		turns->doppelganger.ring = NULL;
	spin_unlock(&turns->lock);
	if (held)
		wake_doppelgangers(turns);
}

/* The thread may still hold an earlier turn. It lets go first, as others may have had theirs since. */
static bool wait_for_turn(struct tacet_turns *turns, struct tacet_task *context)
{
	release_doppelganger(turns, context->ring);
	return tacet_wait(turns->wait.queue, is_next(turns, context->ring) || !lives(context), MAX_SCHEDULE_TIMEOUT) >
		       0 &&
	       lives(context);
}

static bool try_to_hold(struct tacet_turns *turns, const struct tacet_task *context, bool early)
{
	struct holder *holder = &turns->doppelganger;
	bool held;

	spin_lock(&turns->lock);
	held = !holder->ring || holder->ring == context->ring ||
	       (early && holds_too_long(holder, SLEEPING_MAX_DOPPELGANGER));
	if (held)
		hold(holder, context->ring, current);
	spin_unlock(&turns->lock);
	return held;
}

/* With @early, a thread that holds its turn for too long is passed by. */
static bool hold_doppelganger(struct tacet_turns *turns, struct tacet_task *context, bool early)
{
	long left = 0;

	if (early) {
		spin_lock(&turns->lock);
		if (turns->doppelganger.ring)
			start_clock(&turns->doppelganger);
		spin_unlock(&turns->lock);
	}
	while (!left)
		left = tacet_wait(turns->wait.queue, try_to_hold(turns, context, early) || !lives(context),
				  early ? 1 : MAX_SCHEDULE_TIMEOUT);
	return left > 0 && lives(context);
}

static void advance(struct tacet_turns *turns)
{
	smp_store_release(&turns->taken, turns->taken + 1);
	wake_doppelgangers(turns);
}

bool tacet_turn_take(struct tacet_task *context)
{
	struct tacet_turns *turns = turns_of(context);
	struct turn turn;

	if (!turns)
		return true;
	if (context->role == TACET_ROLE_ORIGINAL) {
		take_as_original(turns, context);
		return true;
	}
	if (!wait_for_turn(turns, context))
		return false;
	turn = turns->log[turns->taken % TURNS];
	if (!hold_doppelganger(turns, context, turn.early))
		return false;
	advance(turns);
	if (turn.signalled)
		tacet_signal_mirror_next(context->ring);
	return true;
}

bool tacet_turn_take_own(struct tacet_task *context)
{
	struct tacet_turns *turns = turns_of(context);

	return !turns || hold_doppelganger(turns, context, true);
}

bool tacet_turn_pass_over(struct tacet_task *context)
{
	struct tacet_turns *turns = turns_of(context);

	if (!turns)
		return true;
	if (!wait_for_turn(turns, context))
		return false;
	advance(turns);
	return true;
}

/* This works for a pair that is over too, as a thread that holds a turn may not exit with it. */
void tacet_turn_release(struct tacet_task *context)
{
	struct tacet_turns *turns = smp_load_acquire(&tacet_task_pair(context)->turns);

	if (!turns || !context->ring)
		return;
	if (context->role == TACET_ROLE_DOPPELGANGER) {
		release_doppelganger(turns, context->ring);
		return;
	}
	spin_lock(&turns->lock);
	if (turns->original.ring == context->ring)
		let_go(turns);
	spin_unlock(&turns->lock);
}

/* Runs on the way to user mode. */
static void take_expected(struct callback_head *work)
{
	struct tacet_task *context = container_of(work, struct tacet_task, turn_work);

	if (!(current->flags & PF_EXITING) && !tacet_turn_take(context))
		tacet_task_die();
	tacet_task_put(context);
}

void tacet_turn_expect(struct tacet_task *context, struct task_struct *task)
{
	if (!turns_of(context))
		return;
	refcount_inc(&context->references);
	init_task_work(&context->turn_work, take_expected);
	if (task_work_add(task, &context->turn_work, TWA_RESUME))
		refcount_dec(&context->references);
}

/* At a thread's end the kernel handles these locks before it clears the word. So it has to do both. */
static bool holds_robust_locks(void)
{
	struct robust_list_head __user *list = tacet_robust_list(current);
	struct robust_list __user *next;
	struct robust_list __user *pending;

	return list && (get_user(next, &list->list.next) || next != &list->list ||
			get_user(pending, &list->list_op_pending) || pending);
}

void tacet_turn_end_thread(void)
{
	int __user *address = current->clear_child_tid;

	if (!address || holds_robust_locks())
		return;
	/* The kernel does the same at the end, and then finds nothing to do. */
	current->clear_child_tid = NULL;
	if (!put_user(0, address))
		tacet_run_other(__NR_futex, (unsigned long)address, FUTEX_WAKE, 1, 0);
}
