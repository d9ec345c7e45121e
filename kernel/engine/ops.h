/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that handle a call of a hooked task, by the kind that calls.def names. */
#ifndef _TACET_ENGINE_OPS_H
#define _TACET_ENGINE_OPS_H

#include "call/call.h"

struct tacet_entry;
struct tacet_step;

/**
 * struct tacet_call_ops - the four ways in which calls of one kind are dealt with
 * @original: the original of a pair makes the call
 * @doppelganger: its doppelganger has come to the same call, which @step describes
 * @watched: a process that may come to read labelled data makes the call. NULL: the kernel runs it
 * @tainted: a process that has read labelled data and has no doppelganger makes the call. NULL:
 *	the kernel runs it
 *
 * Each returns the call's result or TACET_PASS. @original and @watched may return TACET_LOST: the
 * pair's state has changed before the call was run, and the call is dealt with anew.
 */
struct tacet_call_ops {
	long (*original)(struct tacet_entry *entry);
	long (*doppelganger)(struct tacet_entry *entry, struct tacet_step *step);
	long (*watched)(struct tacet_entry *entry);
	long (*tainted)(struct tacet_entry *entry);
};

/* Never returns NULL. */
const struct tacet_call_ops *tacet_ops_of(const struct tacet_call *call);

#endif
