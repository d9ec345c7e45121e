/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks the daemon what to do with a breach, and remembers the answer for its scope. */
#ifndef _TACET_QUESTION_H
#define _TACET_QUESTION_H

#include "sink/sink.h"
#include "uapi/tacet.h"

struct path;
struct task_struct;
struct tacet_labelset;
struct tacet_origin;

/* Everything points to kernel memory that outlives the call. */
struct tacet_breach {
	struct file *file;	 /* written to, or NULL */
	const struct path *path; /* TACET_SINK_MARKED: the file that would be changed */
	struct tacet_peer peer;
	struct tacet_labelset *set;
	struct tacet_origin *origin; /* where the data came from; may be NULL */
	const u8 *data;		     /* what the original would send */
	size_t length;
	const u8 *scrubbed; /* what the doppelganger would send; may be NULL */
	size_t scrubbed_length;
	u32 flags; /* enum tacet_question_flag */
	u64 calls_equal;
	u64 calls_total;
	u64 calls_realigned;
};

int tacet_question_init(void);
void tacet_question_exit(void);

/*
 * The verdict for @breach by the current task: from the cache, else from the
 * daemon; blocks until the answer, the deadline or a fatal signal. No reader,
 * no answer, no memory: TACET_ACTION_BLOCK. Counts and never fails.
 */
enum tacet_action tacet_question_ask(const struct tacet_breach *breach);

/* The action that is in the cache for @breach by the current task, or 0. Any context. */
u32 tacet_question_known(const struct tacet_breach *breach);
/* Tells the daemon that @breach was blocked and nobody could be asked. */
void tacet_question_report_missed(const struct tacet_breach *breach);
/* Blocks @breach for @duration (ns) unless there is an answer in the cache. */
void tacet_question_hold_refusal(const struct tacet_breach *breach, u64 duration);

/* TACET_IOC_VERDICT: 0, -ENOENT, -EINVAL, -EOPNOTSUPP */
int tacet_question_answer(const struct tacet_verdict *verdict);
/* TACET_IOC_POLICY: 0, -EINVAL */
int tacet_question_set_policy(const struct tacet_policy *policy);
/* TACET_IOC_FLUSH */
void tacet_question_flush(void);
/* A new reader has come: all open questions are queued again. */
void tacet_question_requeue(void);
/* The process is gone: drop verdicts of its scope. Atomic. */
void tacet_question_forget(struct task_struct *leader);

unsigned int tacet_question_barrier_timeout(void); /* jiffies */

#endif
