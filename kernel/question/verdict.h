/* SPDX-License-Identifier: GPL-2.0-only */
/* Remembers the daemon's verdicts for the scope that each names. */
#ifndef _TACET_QUESTION_VERDICT_H
#define _TACET_QUESTION_VERDICT_H

#include <linux/types.h>
#include "sink/sink.h"
#include "uapi/tacet.h"

struct pid;
struct tacet_labelset;

/**
 * struct tacet_flow - who sends what where, as far as verdicts tell it apart
 * @cookie: of tacet_sink_flow()
 * @process: thread group; whoever keeps the flow holds a reference
 * @set: whoever keeps the flow holds a reference; another set, larger or smaller, is another flow
 * @execution: changes with each execve(), so that a verdict is for the program that the person was shown
 * @peer: whom the data is for
 * @source: tacet_origin_source() of the data, 0: not known
 */
struct tacet_flow {
	u64 cookie;
	struct pid *process;
	struct tacet_labelset *set;
	u64 execution;
	struct tacet_peer peer;
	u64 source;
};

/* Takes references to what @flow points to, or drops them. */
void tacet_verdict_flow_get(const struct tacet_flow *flow);
void tacet_verdict_flow_put(const struct tacet_flow *flow);
/* Tells whether a verdict of @scope for @a holds for @b too. */
bool tacet_verdict_flow_equal(const struct tacet_flow *a, const struct tacet_flow *b, u32 scope);

/* The action for @flow, or 0. Any context. */
u32 tacet_verdict_find(const struct tacet_flow *flow);
/* Best effort: without memory the daemon is asked again. */
void tacet_verdict_keep(const struct tacet_flow *flow, u32 scope, u32 action, u64 until);
/* Drops those that are for a process. Any context. */
void tacet_verdict_forget(const struct pid *process);
void tacet_verdict_flush(void);

#endif
