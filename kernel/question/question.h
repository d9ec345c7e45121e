/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks the daemon what to do with an output or a change, and remembers the answer for its scope. */
#ifndef _TACET_QUESTION_H
#define _TACET_QUESTION_H

#include "sink/sink.h"
#include "uapi/tacet.h"

struct path;
struct task_struct;
struct tacet_labelset;
struct tacet_origin;

/* All pointers are to kernel memory that outlives the call. */
struct tacet_breach {
	struct file *file;	 /* the file that is written to, or NULL */
	const struct path *path; /* for TACET_SINK_MARKED: the file that would be changed */
	struct tacet_peer peer;
	struct tacet_labelset *set;
	struct tacet_origin *origin; /* the way of the data; may be NULL */
	const u8 *data;		     /* the bytes that the original would send */
	size_t length;
	const u8 *scrubbed; /* the bytes that the doppelganger would send; may be NULL */
	size_t scrubbed_length;
	u32 flags; /* enum tacet_question_flag */
	u64 calls_equal;
	u64 calls_total;
	u64 calls_realigned;
};

int tacet_question_init(void);
void tacet_question_exit(void);

/*
 * Returns the verdict for @breach by the current task, from the cache or else from the daemon. Blocks
 * until the answer, the deadline or a fatal signal. Without a reader, an answer or memory the verdict
 * is TACET_ACTION_BLOCK. Counts the question, and never fails.
 */
enum tacet_action tacet_question_ask(const struct tacet_breach *breach);

/* Returns the action in the cache for @breach by the current task, or 0. Works in any context. */
u32 tacet_question_known(const struct tacet_breach *breach);
/* Tells the daemon that @breach was blocked and nobody could be asked. */
void tacet_question_report_missed(const struct tacet_breach *breach);
/* Blocks @breach for @duration (ns) unless there is an answer in the cache. */
void tacet_question_hold_refusal(const struct tacet_breach *breach, u64 duration);

/* Serves TACET_IOC_VERDICT. Returns 0, -ENOENT, -EINVAL or -EOPNOTSUPP. */
int tacet_question_answer(const struct tacet_verdict *verdict);
/* Serves TACET_IOC_EXTEND. Returns 0, -ENOENT or -EINVAL. */
int tacet_question_extend(struct tacet_extension *extension);
/* Serves TACET_IOC_POLICY. Returns 0 or -EINVAL. */
int tacet_question_set_policy(const struct tacet_policy *policy);
/* Serves TACET_IOC_FLUSH. */
void tacet_question_flush(void);
/* Queues all open questions again, as a new reader has come. */
void tacet_question_requeue(void);
/* Drops the verdicts for a process that has ended. Atomic. */
void tacet_question_forget(struct task_struct *leader);

unsigned int tacet_question_barrier_timeout(void); /* in jiffies */

#endif
