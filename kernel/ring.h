/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring through which an original's thread hands the results of its calls to
 * its double. One producer (the original), one consumer (the doppelganger).
 */
#ifndef _TACET_RING_H
#define _TACET_RING_H

#include <linux/refcount.h>
#include <linux/signal_types.h>
#include <linux/wait.h>

#include "blob.h"
#include "call.h"
#include "pair.h"

#define TACET_RING_STEPS 64

enum tacet_step_kind {
	TACET_STEP_CALL,
	/* The original handled a signal here. */
	TACET_STEP_SIGNAL,
};

/* How far both have come with a call that waits for the comparison. */
enum tacet_step_stage {
	TACET_STAGE_COMPLETED = 0,	/* result and out data are there */
	TACET_STAGE_ISSUED,		/* the original waits for the doppelganger's data */
	TACET_STAGE_COMPARED,		/* ->equal and ->scrubbed are there */
};

struct tacet_step {
	u8 kind;
	/* A signal was pending when the call ended: a signal step may follow. */
	bool signal_follows;
	/* The original's call was cut off by this signal and has result. */
	bool interrupted;
	/* The call that was cut off has written something nevertheless: ->out. */
	bool has_output;
	/* An output that has to be asked about if it is derived. */
	bool goes_outside;
	/* COMPARED: the in data were equal. */
	bool equal;
	int stage;			/* enum tacet_step_stage, acquire and release */
	unsigned int number;
	unsigned long args[TACET_CALL_ARGUMENTS];
	long result;
	/* Of a call that only writes: how many bytes it was to write. */
	size_t length;
	u64 memory_ticket;
	/* What the call handed in, where it needs not wait for the comparison; and what it got. */
	struct tacet_blob in;
	struct tacet_blob out;
	/* COMPARED: &tacet_ring.double_output; NULL: the doppelganger did not come there. */
	const struct tacet_blob *scrubbed;
	/* The original's signal mask while it handled the signal, where the call had put one in force. */
	bool has_mask;
	sigset_t mask;
	/* 1: somebody gives the signal to the doppelganger, or has. */
	int claimed;
	/* A file to map, or (with reads_shadow) whose scrubbed content is the payload. A reference. */
	struct file *file;
	loff_t position;
	bool reads_shadow;
	/* What the doppelganger gets as result when it differs from the original's. */
	bool has_own_result;
	long own_result;
	/* The original takes its double's place, and sleeps until that has given its registers. A reference. */
	struct task_struct *taken_by;
	bool given;
	/* The children's pair and ring. References. And how they are made. */
	struct tacet_pair *child_pair;
	struct tacet_ring *child_ring;
	u64 clone_flags;
	struct kernel_siginfo signal;
	int signal_number;
};

struct tacet_ring {
	refcount_t references;
	struct rcu_head rcu;
	/* In a list of rings that are being freed. */
	struct list_head node;
	struct tacet_pair *pair;	/* a reference */
	/* The doppelganger's thread; a reference. NULL until it is born. */
	struct task_struct *double_task;
	/* Gives it a signal that it does not come to fetch; holds a reference to the ring. */
	struct delayed_work late_signal;
	/* Written by the original. */
	u32 head ____cacheline_aligned_in_smp;
	/* Where it last ran: who shares a processor does better to sleep than to spin. */
	int original_cpu;
	struct tacet_pair_wait original_wait;
	/*
	 * What the call that waits for the comparison hands in, the original's and the doppelganger's; only one does at a time.
	 * From COMPARED on both are the original's, which may need them after the other's death, and empties them.
	 */
	struct tacet_blob output;
	struct tacet_blob double_output;
	/* Written by the doppelganger. */
	u32 tail ____cacheline_aligned_in_smp;
	int doppelganger_cpu;
	/* Steps that it left out and calls that the original did not make; in a row, since both were together. */
	u32 passed;
	u32 dropped;
	u32 apart;
	struct tacet_pair_wait doppelganger_wait;
	struct tacet_step steps[TACET_RING_STEPS];
};

struct tacet_ring *tacet_ring_create(struct tacet_pair *pair);
struct tacet_ring *tacet_ring_get(struct tacet_ring *ring);
void tacet_ring_put(struct tacet_ring *ring);
/* @task is the doppelganger's thread. Atomic. */
void tacet_ring_set_double(struct tacet_ring *ring, struct task_struct *task);

/*
 * The next free step, emptied. NULL: the pair is no longer alive, or the
 * doppelganger did not keep up (the pair is then tainted), or a fatal signal.
 */
struct tacet_step *tacet_ring_reserve(struct tacet_ring *ring);
/* Without waiting: NULL when it is full. Atomic. */
struct tacet_step *tacet_ring_try_reserve(struct tacet_ring *ring);
void tacet_ring_publish(struct tacet_ring *ring);
/* The same for what the doppelganger may come to later: where both share a processor it is woken for several at a time. */
void tacet_ring_publish_lazily(struct tacet_ring *ring);
/* The original is about to sleep: the doppelganger may as well catch up. */
void tacet_ring_urge(struct tacet_ring *ring);

/* The next step for the doppelganger; NULL: it has to die. */
struct tacet_step *tacet_ring_next(struct tacet_ring *ring);
/* The same without waiting; NULL: there is none yet. */
struct tacet_step *tacet_ring_peek(struct tacet_ring *ring);
/* Whether tacet_ring_next() has an answer within @timeout jiffies. */
bool tacet_ring_has_next(struct tacet_ring *ring, long timeout);
void tacet_ring_consume(struct tacet_ring *ring);

/*
 * The original waits until the doppelganger has compared. False: the pair is
 * tainted now (divergence, timeout, loss) or a fatal signal is pending.
 */
bool tacet_ring_wait_compared(struct tacet_ring *ring, struct tacet_step *step);
/* The doppelganger waits for the result. False: it has to die. */
bool tacet_ring_wait_completed(struct tacet_ring *ring, struct tacet_step *step);
void tacet_ring_set_stage(struct tacet_ring *ring, struct tacet_step *step, int stage);
/* COMPLETED, of a call after which the original goes on; see tacet_ring_publish_lazily(). */
void tacet_ring_complete_lazily(struct tacet_ring *ring, struct tacet_step *step);

/*
 * Spins briefly (the other side runs on another CPU and is about to answer),
 * then sleeps, killable and freezable. > 0: the condition holds; 0: @timeout
 * jiffies have passed; < 0: a fatal signal.
 */
#define tacet_wait_spinning(spins, queue, condition, timeout)				\
({											\
	long __left = (timeout);							\
	int __spins = (spins);								\
											\
	while (!(condition) && __spins-- > 0 && !need_resched())			\
		cpu_relax();								\
	if (!(condition))								\
		__left = ___wait_event(queue, ___wait_cond_timeout(condition),		\
				       (TASK_KILLABLE | TASK_FREEZABLE), 0, __left,	\
				       __ret = schedule_timeout(__ret));		\
	else										\
		__left = 1;								\
	__left;										\
})

/* The same for what is seldom about to happen. */
#define tacet_wait(queue, condition, timeout) tacet_wait_spinning(0, queue, condition, timeout)

#endif
