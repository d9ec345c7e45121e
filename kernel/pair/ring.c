// SPDX-License-Identifier: GPL-2.0-only
/* The ring between an original's thread and its doppelganger. */
#include <linux/file.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "base/blob.h"
#include "base/wait.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "question/question.h"

static int spins = 2000;
module_param(spins, int, 0644);
MODULE_PARM_DESC(spins, "looks at the other side before a task goes to sleep");

/* This many steps are kept free for signals. */
#define SIGNAL_STEPS 8

/* The doppelganger may be this many steps behind while it sleeps. */
#define LAG_MAX 24

static int spins_for(int other_cpu)
{
	return READ_ONCE(other_cpu) == raw_smp_processor_id() ? 0 : READ_ONCE(spins);
}

struct tacet_ring *tacet_ring_create(struct tacet_pair *pair)
{
	struct tacet_ring *ring = kvzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	unsigned int i;

	if (!ring)
		return NULL;
	refcount_set(&ring->references, 1);
	init_waitqueue_head(&ring->original_wait.queue);
	init_waitqueue_head(&ring->doppelganger_wait.queue);
	for (i = 0; i < TACET_RING_STEPS; i++) {
		tacet_blob_init(&ring->steps[i].in);
		tacet_blob_init(&ring->steps[i].out);
	}
	tacet_blob_init(&ring->output);
	tacet_blob_init(&ring->doppelganger_output);
	ring->pair = tacet_pair_get(pair);
	tacet_pair_add_wait(pair, &ring->original_wait);
	tacet_pair_add_wait(pair, &ring->doppelganger_wait);
	return ring;
}

struct tacet_ring *tacet_ring_get(struct tacet_ring *ring)
{
	refcount_inc(&ring->references);
	return ring;
}

/* Drops a reference. With the last one, the ring is added to @dead. */
static void drop(struct tacet_ring *ring, struct list_head *dead)
{
	if (!refcount_dec_and_test(&ring->references))
		return;
	tacet_pair_remove_wait(ring->pair, &ring->original_wait);
	tacet_pair_remove_wait(ring->pair, &ring->doppelganger_wait);
	list_add(&ring->node, dead);
}

static void drop_references(struct tacet_step *step, struct list_head *dead)
{
	if (step->kind != TACET_STEP_CALL)
		return;
	if (step->file)
		fput(step->file);
	if (step->taken_by)
		put_task_struct(step->taken_by);
	if (step->child_ring)
		drop(step->child_ring, dead);
	if (step->child_pair)
		tacet_pair_put(step->child_pair);
	step->file = NULL;
	step->taken_by = NULL;
	step->child_ring = NULL;
	step->child_pair = NULL;
}

static void free_ring(struct tacet_ring *ring, struct list_head *dead)
{
	unsigned int i;

	for (i = 0; i < TACET_RING_STEPS; i++) {
		tacet_blob_release(&ring->steps[i].in);
		tacet_blob_release(&ring->steps[i].out);
		drop_references(&ring->steps[i], dead);
	}
	if (ring->doppelganger_task)
		put_task_struct(ring->doppelganger_task);
	tacet_blob_release(&ring->output);
	tacet_blob_release(&ring->doppelganger_output);
	tacet_pair_put(ring->pair);
	kvfree_rcu(ring, rcu);
}

/* Children's rings hang on their parents'. A long line of them must not become a deep recursion. */
static void free_all(struct list_head *dead)
{
	struct tacet_ring *ring;

	while ((ring = list_first_entry_or_null(dead, struct tacet_ring, node))) {
		list_del(&ring->node);
		free_ring(ring, dead);
	}
}

void tacet_ring_put(struct tacet_ring *ring)
{
	LIST_HEAD(dead);

	drop(ring, &dead);
	free_all(&dead);
}

static void empty(struct tacet_step *step)
{
	LIST_HEAD(dead);

	drop_references(step, &dead);
	free_all(&dead);
}

void tacet_ring_set_doppelganger(struct tacet_ring *ring, struct task_struct *task)
{
	ring->doppelganger_task = get_task_struct(task);
}

static bool has_room(struct tacet_ring *ring)
{
	return ring->head - smp_load_acquire(&ring->tail) < TACET_RING_STEPS - SIGNAL_STEPS;
}

/* A signal cannot wait, so it may use the last steps. */
static bool has_last_room(struct tacet_ring *ring)
{
	return ring->head - smp_load_acquire(&ring->tail) < TACET_RING_STEPS;
}

/* A task that waited for room goes on only when there is plenty. Otherwise it would wait again at once. */
static bool is_half_empty(struct tacet_ring *ring)
{
	return READ_ONCE(ring->head) - smp_load_acquire(&ring->tail) <= TACET_RING_STEPS / 2;
}

static struct tacet_step *take(struct tacet_ring *ring)
{
	struct tacet_step *step = &ring->steps[ring->head % TACET_RING_STEPS];

	/* The groups for_call and for_signal share memory. */
	if (step->kind == TACET_STEP_SIGNAL)
		memset(&step->for_call, 0, sizeof(step->for_call));
	step->kind = TACET_STEP_CALL;
	step->signal_follows = false;
	step->answered = false;
	step->has_own_result = false;
	step->reads_shadow = false;
	step->goes_outside = false;
	step->stage = TACET_STAGE_COMPLETED;
	step->memory_ticket = 0;
	return step;
}

struct tacet_step *tacet_ring_try_reserve(struct tacet_ring *ring)
{
	return tacet_pair_lives(ring->pair) && has_last_room(ring) ? take(ring) : NULL;
}

struct tacet_step *tacet_ring_reserve(struct tacet_ring *ring)
{
	struct tacet_step *step;
	long left;

	if (!has_room(ring)) {
		left = tacet_wait_spinning(spins_for(ring->doppelganger_cpu), ring->original_wait.queue,
					   is_half_empty(ring) || !tacet_pair_lives(ring->pair),
					   tacet_question_barrier_timeout());
		if (left == 0)
			tacet_pair_taint(ring->pair, "doppelganger-too-slow");
		if (left <= 0)
			return NULL;
	}
	if (!tacet_pair_lives(ring->pair))
		return NULL;
	step = take(ring);
	empty(step);
	tacet_blob_reset(&step->in);
	tacet_blob_reset(&step->out);
	return step;
}

void tacet_ring_abandon(struct tacet_step *step)
{
	empty(step);
}

static void advance(struct tacet_ring *ring)
{
	WARN_ON_ONCE(ring->head - READ_ONCE(ring->tail) >= TACET_RING_STEPS);
	WRITE_ONCE(ring->original_cpu, raw_smp_processor_id());
	smp_store_release(&ring->head, ring->head + 1);
}

void tacet_ring_urge(struct tacet_ring *ring)
{
	if (wq_has_sleeper(&ring->doppelganger_wait.queue))
		wake_up(&ring->doppelganger_wait.queue);
}

void tacet_ring_publish(struct tacet_ring *ring)
{
	advance(ring);
	tacet_ring_urge(ring);
}

/*
 * On a shared processor a woken doppelganger displaces the original, and they switch back after one
 * call. With several threads nothing may lag, as another thread's doppelganger may wait for this one.
 */
static bool may_lag(struct tacet_ring *ring)
{
	return READ_ONCE(ring->doppelganger_cpu) == raw_smp_processor_id() && get_nr_threads(current) == 1 &&
	       ring->head - READ_ONCE(ring->tail) < LAG_MAX;
}

void tacet_ring_publish_lazily(struct tacet_ring *ring)
{
	advance(ring);
	if (!may_lag(ring))
		tacet_ring_urge(ring);
}

static bool has_step(struct tacet_ring *ring)
{
	return smp_load_acquire(&ring->head) != ring->tail;
}

struct tacet_step *tacet_ring_next(struct tacet_ring *ring)
{
	/* Only the pair's life bounds this wait, as the original may sleep in poll() for days. */
	if (!has_step(ring) &&
	    tacet_wait_spinning(spins_for(ring->original_cpu), ring->doppelganger_wait.queue,
				has_step(ring) || !tacet_pair_lives(ring->pair), MAX_SCHEDULE_TIMEOUT) < 0)
		return NULL;
	if (!tacet_pair_is_followed(ring->pair) || !has_step(ring))
		return NULL;
	return &ring->steps[ring->tail % TACET_RING_STEPS];
}

struct tacet_step *tacet_ring_peek(struct tacet_ring *ring)
{
	return has_step(ring) ? &ring->steps[ring->tail % TACET_RING_STEPS] : NULL;
}

bool tacet_ring_has_next(struct tacet_ring *ring, long timeout)
{
	return tacet_wait_spinning(spins_for(ring->original_cpu), ring->doppelganger_wait.queue,
				   has_step(ring) || !tacet_pair_lives(ring->pair), timeout) != 0;
}

void tacet_ring_consume(struct tacet_ring *ring)
{
	struct tacet_step *step = &ring->steps[ring->tail % TACET_RING_STEPS];

	/*
	 * A child's ring is kept no longer than needed, as its own children's rings hang on it. The
	 * same goes for large buffers.
	 */
	empty(step);
	tacet_blob_reset(&step->in);
	tacet_blob_reset(&step->out);
	WRITE_ONCE(ring->doppelganger_cpu, raw_smp_processor_id());
	smp_store_release(&ring->tail, ring->tail + 1);
	if (is_half_empty(ring) && wq_has_sleeper(&ring->original_wait.queue))
		wake_up(&ring->original_wait.queue);
}

void tacet_ring_set_stage(struct tacet_ring *ring, struct tacet_step *step, int stage)
{
	wait_queue_head_t *wait = stage == TACET_STAGE_COMPARED ? &ring->original_wait.queue :
								  &ring->doppelganger_wait.queue;

	smp_store_release(&step->stage, stage);
	if (wq_has_sleeper(wait))
		wake_up(wait);
}

void tacet_ring_complete_lazily(struct tacet_ring *ring, struct tacet_step *step)
{
	smp_store_release(&step->stage, TACET_STAGE_COMPLETED);
	if (!may_lag(ring))
		tacet_ring_urge(ring);
}

static bool has_compared(struct tacet_step *step)
{
	return smp_load_acquire(&step->stage) == TACET_STAGE_COMPARED;
}

bool tacet_ring_wait_compared(struct tacet_ring *ring, struct tacet_step *step)
{
	long left = tacet_wait_spinning(spins_for(ring->doppelganger_cpu), ring->original_wait.queue,
					has_compared(step) || !tacet_pair_lives(ring->pair),
					tacet_question_barrier_timeout());

	if (left == 0)
		tacet_pair_taint(ring->pair, "doppelganger-too-slow");
	return left > 0 && has_compared(step) && tacet_pair_lives(ring->pair);
}

static bool is_completed(struct tacet_step *step)
{
	return smp_load_acquire(&step->stage) == TACET_STAGE_COMPLETED;
}

bool tacet_ring_wait_completed(struct tacet_ring *ring, struct tacet_step *step)
{
	long left = tacet_wait_spinning(spins_for(ring->original_cpu), ring->doppelganger_wait.queue,
					is_completed(step) || !tacet_pair_lives(ring->pair), MAX_SCHEDULE_TIMEOUT);

	return left > 0 && is_completed(step) && tacet_pair_is_followed(ring->pair);
}

void tacet_ring_give_up_children(struct tacet_ring *ring)
{
	u32 head = smp_load_acquire(&ring->head), i;
	const struct tacet_step *step;

	for (i = ring->tail; i != head; i++) {
		step = &ring->steps[i % TACET_RING_STEPS];
		if (step->kind == TACET_STEP_CALL && step->child_pair && step->child_pair != ring->pair)
			tacet_pair_taint(step->child_pair, "parents-doppelganger-died");
	}
}
