// SPDX-License-Identifier: GPL-2.0-only
/* Threads: what they find, and who of them does what, is the same in both. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "innocent.h"

#define WORKERS 4
#define PIECES 60

/* Each gets its number; until all have ended. */
static void run_threads(int count, void *(*run)(void *))
{
	pthread_t threads[8];

	for (long i = 0; i < count; i++)
		INNOCENT_MUST(!pthread_create(&threads[i], NULL, run, (void *)i));
	for (int i = 0; i < count; i++)
		INNOCENT_MUST(!pthread_join(threads[i], NULL));
}

static void *count_up(void *argument)
{
	unsigned long *number = argument;

	for (int i = 0; i < 1000; i++)
		(*number)++;
	return argument;
}

static void threads_joined(void)
{
	unsigned long numbers[8] = { 0 }, sum = 0;
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		INNOCENT_MUST(!pthread_create(&threads[i], NULL, count_up, &numbers[i]));
	for (int i = 0; i < 8; i++) {
		INNOCENT_MUST(!pthread_join(threads[i], NULL));
		sum += numbers[i];
	}
	innocent_say(" %lu", sum);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *take_turns(void *argument)
{
	int mine = (int)(long)argument;

	for (int round = 0; round < 25; round++) {
		pthread_mutex_lock(&mutex);
		while (turn % 4 != mine)
			pthread_cond_wait(&changed, &mutex);
		turn++;
		getppid();
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void threads_in_turn(void)
{
	run_threads(4, take_turns);
	innocent_say(" %d", turn);
}

static void *allocate(void *argument)
{
	for (int i = 0; i < 200; i++) {
		char *block = malloc(1000 + 100 * i);

		memset(block, i, 1000);
		free(block);
	}
	return argument;
}

static void threads_allocating(void)
{
	run_threads(4, allocate);
	innocent_say(" allocated");
}

static void *wait_for_end(void *argument)
{
	sem_wait(argument);
	return NULL;
}

static void threads_waiting(void)
{
	pthread_t threads[3];
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	for (int i = 0; i < 3; i++)
		INNOCENT_MUST(!pthread_create(&threads[i], NULL, wait_for_end, &semaphore));
	usleep(10000);
	for (int i = 0; i < 3; i++)
		sem_post(&semaphore);
	for (int i = 0; i < 3; i++)
		INNOCENT_MUST(!pthread_join(threads[i], NULL));
	innocent_say(" woken");
}

/* Who takes which piece is decided in user mode, and nothing but chance decides it. */
static pthread_t workers[WORKERS];
static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static int pieces_left, pieces_made;
static bool queue_closed;
static int taken_by[WORKERS];
static unsigned long order;

static void *work(void *argument)
{
	long mine = (long)argument;

	for (;;) {
		pthread_mutex_lock(&queue_mutex);
		while (!pieces_left && !queue_closed)
			pthread_cond_wait(&queue_filled, &queue_mutex);
		if (!pieces_left) {
			pthread_mutex_unlock(&queue_mutex);
			return NULL;
		}
		pieces_left--;
		taken_by[mine]++;
		order = order * 31 + mine;
		pthread_mutex_unlock(&queue_mutex);
		getppid();
	}
}

static void start_workers(void)
{
	for (long i = 0; i < WORKERS; i++)
		INNOCENT_MUST(!pthread_create(&workers[i], NULL, work, (void *)i));
}

static void fill_queue(void)
{
	while (pieces_made++ < PIECES) {
		pthread_mutex_lock(&queue_mutex);
		pieces_left++;
		pthread_cond_signal(&queue_filled);
		pthread_mutex_unlock(&queue_mutex);
	}
	pthread_mutex_lock(&queue_mutex);
	queue_closed = true;
	pthread_cond_broadcast(&queue_filled);
	pthread_mutex_unlock(&queue_mutex);
	for (int i = 0; i < WORKERS; i++) {
		INNOCENT_MUST(!pthread_join(workers[i], NULL));
		innocent_say(" %d", taken_by[i]);
	}
	innocent_say(" %lx", order);
}

static void threads_with_queue(void)
{
	start_workers();
	fill_queue();
}

static atomic_int sum_of_all, luck;

static void *compute(void *argument)
{
	volatile unsigned long sum = 0;

	for (int i = 0; i < 5; i++) {
		for (int j = 0; j < 4000000; j++)
			sum += j;
		getppid();
	}
	atomic_fetch_add(&sum_of_all, 1);
	return argument;
}

/* Longer than a turn lasts. */
static void threads_computing(void)
{
	run_threads(3, compute);
	innocent_say(" %d", sum_of_all);
}

static void *try_lock(void *argument)
{
	for (int i = 0; i < 50; i++) {
		if (!pthread_mutex_trylock(&mutex)) {
			atomic_fetch_add(&luck, 1);
			getppid();
			pthread_mutex_unlock(&mutex);
		}
		getppid();
	}
	return argument;
}

static void threads_trying(void)
{
	run_threads(3, try_lock);
	innocent_say(" %d", luck);
}

static atomic_int baton;

static void *pass_baton(void *argument)
{
	long mine = (long)argument;

	for (int i = 0; i < 20; i++) {
		while (atomic_load(&baton) % 2 != mine)
			sched_yield();
		atomic_fetch_add(&baton, 1);
	}
	return NULL;
}

static void threads_yielding(void)
{
	run_threads(2, pass_baton);
	innocent_say(" %d", baton);
}

static atomic_int signals;

static void count_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals, 1);
}

static void *wait_for_signals(void *argument)
{
	while (atomic_load(&signals) < 20)
		usleep(1000);
	return argument;
}

static void threads_signalled(void)
{
	struct sigaction action = { .sa_handler = count_signal };
	pthread_t threads[2];

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 2; i++)
		INNOCENT_MUST(!pthread_create(&threads[i], NULL, wait_for_signals, NULL));
	for (int sent = 0; sent < 20; sent++) {
		INNOCENT_MUST(!pthread_kill(threads[sent % 2], SIGUSR1));
		while (atomic_load(&signals) <= sent)
			usleep(500);
	}
	for (int i = 0; i < 2; i++)
		INNOCENT_MUST(!pthread_join(threads[i], NULL));
	innocent_say(" %d", signals);
}

static atomic_int gone;

static void *go(void *argument)
{
	free(malloc(10000));
	atomic_fetch_add(&gone, 1);
	return argument;
}

/* Stacks are used again once the kernel has said that their thread is gone. */
static void threads_coming_and_going(void)
{
	pthread_attr_t detached;
	pthread_t thread;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 60; i++)
		INNOCENT_MUST(!pthread_create(&thread, &detached, go, NULL));
	while (atomic_load(&gone) < 60)
		usleep(1000);
	for (int i = 0; i < 20; i++) {
		INNOCENT_MUST(!pthread_create(&thread, NULL, go, NULL));
		INNOCENT_MUST(!pthread_join(thread, NULL));
	}
	innocent_say(" %d", gone);
}

const struct innocent_deed innocent_threads[] = {
	{ "threads-joined", threads_joined },
	{ "threads-in-turn", threads_in_turn },
	{ "threads-allocating", threads_allocating },
	{ "threads-waiting", threads_waiting },
	{ "threads-with-queue", threads_with_queue },
	{ "threads-older-than-pair", fill_queue },
	{ "threads-computing", threads_computing },
	{ "threads-trying", threads_trying },
	{ "threads-yielding", threads_yielding },
	{ "threads-signalled", threads_signalled },
	{ "threads-coming-and-going", threads_coming_and_going },
	{ NULL, NULL },
};

const struct innocent_deed innocent_threads_earlier[] = {
	{ "threads-older-than-pair", start_workers },
	{ NULL, NULL },
};
