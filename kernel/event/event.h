/* SPDX-License-Identifier: GPL-2.0-only */
/* The bounded queue of events to the daemon. */
#ifndef _TACET_EVENT_H
#define _TACET_EVENT_H

#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include "uapi/tacet.h"

struct file;

/* Further events are counted and dropped. */
#define TACET_EVENT_QUEUE_MAX 256

/**
 * struct tacet_record - one event on its way to the daemon
 * @node: its place in the queue, or empty; protected by the queue's lock
 * @references: the queue holds one while @node is linked
 * @event: header of the record as the daemon reads it; nothing in it changes once it is queued
 * @question: the same memory, for TACET_EVENT_QUESTION and _MISSED
 * @notice: the same memory, for all other types
 */
struct tacet_record {
	struct list_head node;
	refcount_t references;
	union {
		struct tacet_event event;
		struct tacet_question question;
		struct tacet_notice notice;
	};
};

int tacet_event_init(void);
void tacet_event_exit(void);

/* Returns a zeroed record of the size that belongs to @type, with the time in it. NULL means no memory. Sleeps. */
struct tacet_record *tacet_event_record_alloc(u32 type);
void tacet_event_record_put(struct tacet_record *record);
/*
 * Returns false if the queue is full, and counts the record as lost. A record that is already queued
 * stays where it is.
 */
bool tacet_event_record_queue(struct tacet_record *record);
/* Returns true if the record was still queued. Then the daemon has not seen it and never will. */
bool tacet_event_record_unqueue(struct tacet_record *record);

/* Makes the caller the one reader. Returns -EBUSY when there is one already. */
int tacet_event_claim(void);
void tacet_event_release(void);
bool tacet_event_has_reader(void);
ssize_t tacet_event_read(char __user *buffer, size_t size, bool nonblock);
__poll_t tacet_event_poll(struct file *file, poll_table *wait);

#endif
