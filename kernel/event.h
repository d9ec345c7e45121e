/* SPDX-License-Identifier: GPL-2.0-only */
/* The bounded queue of events to the daemon. */
#ifndef _TACET_EVENT_H
#define _TACET_EVENT_H

#include <linux/poll.h>
#include <linux/types.h>
#include "uapi/tacet.h"

struct file;
struct tacet_labelset;

#define TACET_EVENT_QUEUE_MAX 256

int tacet_event_init(void);
void tacet_event_exit(void);

/* Queues a copy of a whole record; when the queue is full it is counted and TACET_EVENT_LOST follows. Sleeps. */
void tacet_event_push(const struct tacet_event *record);

/* Builds and queues a struct tacet_notice about the current task; @file and @set may be NULL. Sleeps. */
void tacet_event_notice(u32 type, u64 id, struct file *file, struct tacet_labelset *set, const char *reason);

/* The one reader: -EBUSY when there is one. */
int tacet_event_claim(void);
void tacet_event_release(void);
bool tacet_event_has_reader(void);
ssize_t tacet_event_read(char __user *buffer, size_t size, bool nonblock);
__poll_t tacet_event_poll(struct file *file, poll_table *wait);

#endif
