/* SPDX-License-Identifier: GPL-2.0-only */
/* Remembers the daemon's verdicts, each for its scope. */
#ifndef _TACET_QUESTION_VERDICT_H
#define _TACET_QUESTION_VERDICT_H

#include <linux/types.h>
#include "sink/sink.h"
#include "uapi/tacet.h"

struct pid;
struct tacet_labelset;

/**
 * struct tacet_flow - sender, data and recipient, as far as verdicts distinguish them
 * @cookie: that of tacet_sink_flow()
 * @process: thread group; a flow that is kept holds a reference
 * @set: a flow that is kept holds a reference; another set, larger or smaller, is another flow
 * @execution: changes with each execve(), so that a verdict is for the program that the person was
 *	shown
 * @peer: the recipient of the data
 * @source: tacet_origin_source() of the data, 0 if it is not known
 */
struct tacet_flow {
	u64 cookie;
	struct pid *process;
	struct tacet_labelset *set;
	u64 execution;
	struct tacet_peer peer;
	u64 source;
};

/* Take or drop the references that a kept @flow holds. */
void tacet_verdict_flow_get(const struct tacet_flow *flow);
void tacet_verdict_flow_put(const struct tacet_flow *flow);
/* Tells whether a verdict of @scope for @a holds for @b too. */
bool tacet_verdict_flow_equal(const struct tacet_flow *a, const struct tacet_flow *b, u32 scope);

/* Returns the action for @flow, or 0. Works in any context. */
u32 tacet_verdict_find(const struct tacet_flow *flow);
/* Keeps a verdict. Without memory it does nothing, and the daemon is asked again. */
void tacet_verdict_keep(const struct tacet_flow *flow, u32 scope, u32 action, u64 until);
/* Drops the verdicts for one process. Works in any context. */
void tacet_verdict_forget(const struct pid *process);
void tacet_verdict_flush(void);

#endif
