// SPDX-License-Identifier: GPL-2.0-only
/* The queue of events that the daemon reads. It hands out whole records, first in, first out, and is bounded. */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "base/counter.h"
#include "event/event.h"

/*
 * queue_lock protects the list, its length and the number of lost events. Inside it, only the wait
 * queue's lock may be taken. Records are copied to user memory without it.
 */
static LIST_HEAD(queue);
static DEFINE_SPINLOCK(queue_lock);
static unsigned int queue_length;
static u64 events_lost;
static DECLARE_WAIT_QUEUE_HEAD(queue_waiters);
static atomic_t reader_present = ATOMIC_INIT(0);

static size_t record_size(u32 type)
{
	return type == TACET_EVENT_QUESTION || type == TACET_EVENT_MISSED ? sizeof(struct tacet_question) :
									    sizeof(struct tacet_notice);
}

struct tacet_record *tacet_event_record_alloc(u32 type)
{
	size_t size = record_size(type);
	struct tacet_record *record;

	record = kvzalloc(offsetof(struct tacet_record, event) + size, GFP_KERNEL_ACCOUNT);
	if (!record)
		return NULL;
	INIT_LIST_HEAD(&record->node);
	refcount_set(&record->references, 1);
	record->event.size = size;
	record->event.type = type;
	record->event.time = ktime_get_boottime_ns();
	return record;
}

void tacet_event_record_put(struct tacet_record *record)
{
	if (record && refcount_dec_and_test(&record->references))
		kvfree_sensitive(record, offsetof(struct tacet_record, event) + record->event.size);
}

bool tacet_event_record_queue(struct tacet_record *record)
{
	bool queued = true;

	spin_lock(&queue_lock);
	if (!list_empty(&record->node)) {
		spin_unlock(&queue_lock);
		return true;
	}
	if (queue_length < TACET_EVENT_QUEUE_MAX) {
		refcount_inc(&record->references);
		list_add_tail(&record->node, &queue);
		queue_length++;
	} else {
		events_lost++;
		queued = false;
	}
	spin_unlock(&queue_lock);

	if (!queued)
		tacet_counter_add(TACET_COUNTER_EVENTS_LOST);
	wake_up_interruptible_poll(&queue_waiters, EPOLLIN | EPOLLRDNORM);
	return queued;
}

bool tacet_event_record_unqueue(struct tacet_record *record)
{
	bool queued;

	spin_lock(&queue_lock);
	queued = !list_empty(&record->node);
	if (queued) {
		list_del_init(&record->node);
		queue_length--;
	}
	spin_unlock(&queue_lock);
	if (queued)
		tacet_event_record_put(record);
	return queued;
}

int tacet_event_claim(void)
{
	return atomic_cmpxchg(&reader_present, 0, 1) ? -EBUSY : 0;
}

void tacet_event_release(void)
{
	atomic_set(&reader_present, 0);
}

bool tacet_event_has_reader(void)
{
	return atomic_read(&reader_present);
}

/* Returns a record with the number of dropped events; NULL when none were dropped. */
static struct tacet_record *take_lost(void)
{
	struct tacet_record *record;
	u64 lost;

	if (!READ_ONCE(events_lost))
		return NULL;
	record = tacet_event_record_alloc(TACET_EVENT_LOST);
	if (!record)
		return NULL;
	spin_lock(&queue_lock);
	lost = events_lost;
	events_lost = 0;
	spin_unlock(&queue_lock);
	record->notice.id = lost;
	return record;
}

/*
 * Returns the next record with the queue's reference, or NULL if there is none. ERR_PTR(-EINVAL) means
 * that it is longer than @room.
 */
static struct tacet_record *take_record(size_t room)
{
	struct tacet_record *record;

	if (room >= sizeof(struct tacet_notice)) {
		record = take_lost();
		if (record)
			return record;
	}
	spin_lock(&queue_lock);
	record = list_first_entry_or_null(&queue, struct tacet_record, node);
	if (record && record->event.size > room) {
		record = ERR_PTR(-EINVAL);
	} else if (record) {
		list_del_init(&record->node);
		queue_length--;
	}
	spin_unlock(&queue_lock);
	return record;
}

/* Puts a record back at the head of the queue, as the daemon gave a bad address. */
static void return_record(struct tacet_record *record)
{
	spin_lock(&queue_lock);
	if (list_empty(&record->node)) {
		list_add(&record->node, &queue);
		queue_length++;
		record = NULL;
	}
	spin_unlock(&queue_lock);
	tacet_event_record_put(record);
}

static ssize_t copy_records(char __user *buffer, size_t size)
{
	struct tacet_record *record;
	size_t done = 0;

	for (;;) {
		record = take_record(size - done);
		if (IS_ERR_OR_NULL(record))
			return done ?: PTR_ERR(record);
		if (copy_to_user(buffer + done, &record->event, record->event.size)) {
			return_record(record);
			return done ?: -EFAULT;
		}
		done += record->event.size;
		tacet_event_record_put(record);
	}
}

static bool queue_readable(void)
{
	return !list_empty_careful(&queue) || READ_ONCE(events_lost);
}

ssize_t tacet_event_read(char __user *buffer, size_t size, bool nonblock)
{
	ssize_t done;
	int error;

	for (;;) {
		done = copy_records(buffer, size);
		if (done)
			return done;
		if (nonblock)
			return -EAGAIN;
		error = wait_event_freezable(queue_waiters, queue_readable());
		if (error)
			return error;
	}
}

__poll_t tacet_event_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &queue_waiters, wait);
	return queue_readable() ? EPOLLIN | EPOLLRDNORM : 0;
}

int tacet_event_init(void)
{
	return 0;
}

void tacet_event_exit(void)
{
	struct tacet_record *record, *next;

	list_for_each_entry_safe(record, next, &queue, node) {
		list_del_init(&record->node);
		tacet_event_record_put(record);
	}
	queue_length = 0;
	events_lost = 0;
}
