/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring through which an original's thread hands the results of its calls to its doppelganger. It
 * has one producer (the original) and one consumer (the doppelganger).
 */
#ifndef _TACET_PAIR_RING_H
#define _TACET_PAIR_RING_H

#include <linux/refcount.h>
#include <linux/signal_types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "base/blob.h"
#include "call/call.h"
#include "pair/pair.h"

struct file;
struct task_struct;

#define TACET_RING_STEPS 64

enum tacet_step_kind {
	TACET_STEP_CALL,
	/* The original handled a signal here. */
	TACET_STEP_SIGNAL,
};

/* The progress of both halves with a call that waits for the comparison. */
enum tacet_step_stage {
	TACET_STAGE_COMPLETED = 0, /* result and out data are there */
	TACET_STAGE_ISSUED,	   /* the original waits for the doppelganger's data */
	TACET_STAGE_COMPARED,	   /* ->equal and ->scrubbed are there */
};

/**
 * struct tacet_step - one call of the original, or one signal that it handled
 * @kind: enum tacet_step_kind
 * @signal_follows: a signal was pending when the call ended, so a signal step may follow
 * @claimed: 1 if a task gives the signal to the doppelganger, or has given it. Set by cmpxchg
 * @stage: enum tacet_step_stage, with acquire and release
 * @result: that of the call; in a signal step that of the call that the signal cut off
 * @in: in data of a call that need not wait for the comparison
 * @out: out data of the call; a signal step that took the place of an interrupted call has that
 *	call's
 * @number: the call's number
 * @args: the arguments
 * @length: for a call that only writes: how many bytes it was to write
 * @memory_ticket: tacet_pair.memory_issued of a call that changes the address space, or 0
 * @goes_outside: the output has to be asked about if it is derived
 * @equal: COMPARED: the in data were equal. Written by the doppelganger
 * @scrubbed: COMPARED: &tacet_ring.doppelganger_output, or NULL if the doppelganger did not come
 *	to the call
 * @answered: a filter of the program's own gave the result, and the call was not made
 * @has_own_result: the doppelganger gets @own_result and not @result
 * @own_result: see @has_own_result
 * @taken_by: at a takeover: the original, which sleeps until the doppelganger has given its
 *	registers; a reference
 * @given: the doppelganger has given its registers
 * @file: the file to map, or with @reads_shadow the one whose scrubbed content is the payload; a
 *	reference
 * @position: position of the payload in @file; for a fork with CLONE_PIDFD the number of the
 *	descriptor
 * @reads_shadow: see @file
 * @child_pair: for a fork: the children's pair; a reference
 * @child_ring: for a fork: the ring between the children; a reference
 * @clone_flags: for a fork: how the child is made
 * @interrupted: the signal cut off a call, which has @result
 * @has_output: the interrupted call has written out data nevertheless, see @out
 * @has_mask: the call had put the signal mask @mask in force
 * @mask: the original's mask while it handled the signal
 * @signal: the signal as it was delivered
 * @signal_number: its number
 *
 * The original fills a step and publishes it. From then on the step is the doppelganger's, until the
 * doppelganger consumes it. But both use the steps of a comparison, in the order of @stage. The group
 * for_call is valid if @kind is CALL, for_signal if it is SIGNAL.
 */
struct tacet_step {
	u8 kind;
	bool signal_follows;
	int claimed;
	int stage;
	long result;
	struct tacet_blob in;
	struct tacet_blob out;
	union {
		struct_group(for_call, unsigned int number; unsigned long args[TACET_CALL_ARGUMENTS]; size_t length;
			     u64 memory_ticket; bool goes_outside; bool equal; bool answered; bool has_own_result;
			     bool given; bool reads_shadow; const struct tacet_blob *scrubbed; long own_result;
			     struct task_struct * taken_by; struct file * file; loff_t position;
			     struct tacet_pair * child_pair; struct tacet_ring * child_ring; u64 clone_flags;);
		struct_group(for_signal, bool interrupted; bool has_output; bool has_mask; int signal_number;
			     sigset_t mask; struct kernel_siginfo signal;);
	};
};

/**
 * struct tacet_ring - between a thread of the original and its doppelganger
 * @references: those of both contexts, of a step that carries it, and of @late_signal
 * @rcu: frees it
 * @node: its place in a list of rings that are being freed
 * @pair: a reference
 * @doppelganger_task: the doppelganger's thread, a reference; NULL until it is born. Written once
 * @late_signal: gives the doppelganger a signal that it does not come to fetch; holds a reference
 *	while it is queued. Prepared by the original's thread
 * @head: number of the next step to publish; written by the original
 * @original_cpu: where the original last ran. On a shared processor it is better to sleep than to
 *	spin
 * @original_wait: the original sleeps here
 * @output: in data of the call that waits for the comparison. Only one call does at a time
 * @doppelganger_output: the doppelganger's in data of that call. From COMPARED on, both belong to
 *	the original, which may need them after the doppelganger's death. It empties them
 * @tail: number of the next step to consume; written by the doppelganger
 * @doppelganger_cpu: where the doppelganger last ran
 * @passed: the number of steps that the doppelganger left out; its own
 * @dropped: the number of calls that only the doppelganger made; its own
 * @apart: the number of both kinds in a row, since the halves were together; the doppelganger's
 *	own
 * @doppelganger_wait: the doppelganger sleeps here
 * @steps: by number modulo their count
 */
struct tacet_ring {
	refcount_t references;
	struct rcu_head rcu;
	struct list_head node;
	struct tacet_pair *pair;
	struct task_struct *doppelganger_task;
	struct delayed_work late_signal;
	u32 head ____cacheline_aligned_in_smp;
	int original_cpu;
	struct tacet_pair_wait original_wait;
	struct tacet_blob output;
	struct tacet_blob doppelganger_output;
	u32 tail ____cacheline_aligned_in_smp;
	int doppelganger_cpu;
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
void tacet_ring_set_doppelganger(struct tacet_ring *ring, struct task_struct *task);

/*
 * Returns the next free step, emptied. NULL means that the pair is no longer alive, the doppelganger
 * did not keep up (the pair is then tainted), or a fatal signal came.
 */
struct tacet_step *tacet_ring_reserve(struct tacet_ring *ring);
/* Does not wait, and returns NULL when the ring is full. Atomic. */
struct tacet_step *tacet_ring_try_reserve(struct tacet_ring *ring);
/*
 * Drops the references of a step that is not published, as the call comes again or a signal cuts it
 * off. In and out data stay.
 */
void tacet_ring_abandon(struct tacet_step *step);
void tacet_ring_publish(struct tacet_ring *ring);
/*
 * Publishes a step that the doppelganger may come to later. If both share a processor, it is woken for
 * several at a time.
 */
void tacet_ring_publish_lazily(struct tacet_ring *ring);
/* Wakes the doppelganger, which may catch up while the original sleeps. */
void tacet_ring_urge(struct tacet_ring *ring);

/* Returns the next step for the doppelganger, or NULL if it has to die. */
struct tacet_step *tacet_ring_next(struct tacet_ring *ring);
/* Returns the same without waiting, or NULL if there is none yet. */
struct tacet_step *tacet_ring_peek(struct tacet_ring *ring);
/* Tells whether tacet_ring_next() has an answer within @timeout jiffies. */
bool tacet_ring_has_next(struct tacet_ring *ring, long timeout);
void tacet_ring_consume(struct tacet_ring *ring);

/*
 * The original waits until the doppelganger has compared. Returns false if the pair is tainted now
 * (divergence, timeout, loss), or if a fatal signal is pending.
 */
bool tacet_ring_wait_compared(struct tacet_ring *ring, struct tacet_step *step);
/* The doppelganger waits for the result. Returns false if it has to die. */
bool tacet_ring_wait_completed(struct tacet_ring *ring, struct tacet_step *step);
/* The doppelganger dies. Children of the original that have none yet will get none, and need not wait for it. Atomic. */
void tacet_ring_give_up_children(struct tacet_ring *ring);
void tacet_ring_set_stage(struct tacet_ring *ring, struct tacet_step *step, int stage);
/* Sets COMPLETED for a call after which the original goes on; see tacet_ring_publish_lazily(). */
void tacet_ring_complete_lazily(struct tacet_ring *ring, struct tacet_step *step);

#endif
