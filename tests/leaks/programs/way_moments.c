// SPDX-License-Identifier: GPL-2.0-only
/* The moment of reading and that of sending: in handlers, threads, descendants, at the end, after much else. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "way.h"

static const char *file;
static char data[WAY_SIZE];
static size_t size;
static volatile sig_atomic_t caught;

static void send_in_handler(int number)
{
	(void)number;
	if (!caught++)
		way_send(data, size);
}

static void read_and_send_in_handler(int number)
{
	(void)number;
	way_send(data, way_read(file, data));
	caught = 1;
}

static void handler(const char *path)
{
	file = path;
	signal(SIGUSR1, read_and_send_in_handler);
	raise(SIGUSR1);
	WAY_MUST(caught);
}

static void start_timer(void)
{
	struct itimerval timer = { .it_value.tv_usec = 30000 };

	signal(SIGALRM, send_in_handler);
	WAY_MUST(!setitimer(ITIMER_REAL, &timer, NULL));
}

static void handler_in_call(const char *path)
{
	size = way_read(path, data);
	start_timer();
	while (!caught)
		pause();
}

static void handler_in_loop(const char *path)
{
	size = way_read(path, data);
	start_timer();
	while (!caught)
		;
}

/*
 * Figure 2 of TightLip: an alarm pre-empts user-level threads, and decides which of them takes the lock next. What is
 * sent is the order, which does not come from the file.
 */
static ucontext_t threads[2];
static volatile int running;
static char order[500];
static volatile size_t taken;
static int events[2];

static void yield(int number)
{
	int before = running;

	(void)number;
	running = !before;
	swapcontext(&threads[before], &threads[running]);
}

/* An alarm that comes during a call reaches both halves there. So nearly all of the time is spent between calls. */
static void compute_and_log(char name)
{
	for (volatile int i = 0; i < 200000; i++)
		;
	if (taken < sizeof(order))
		order[taken++] = name;
}

static void read_and_log(void)
{
	char event;

	for (;;) {
		WAY_MUST(read(events[0], &event, 1) == 1);
		compute_and_log('a');
	}
}

static void tightlip_figure_two(const char *path)
{
	const struct sigaction action = { .sa_handler = yield, .sa_flags = SA_RESTART };
	/* With a shorter time a busy machine does nothing but switch. */
	struct itimerval timer = { { 0, 20000 }, { 0, 20000 } };
	static char stack[65536];

	way_read(path, data);
	WAY_MUST(!pipe(events) && !getcontext(&threads[1]) && !sigaction(SIGALRM, &action, NULL));
	threads[1].uc_stack = (stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) };
	makecontext(&threads[1], read_and_log, 0);
	WAY_MUST(!setitimer(ITIMER_REAL, &timer, NULL));
	/* On a busy machine one thread may get all of the first turns. */
	for (int round = 0; round < 100 && !memchr(order, 'a', sizeof(order)); round++)
		for (taken = 0; taken < sizeof(order);) {
			WAY_MUST(write(events[1], "x", 1) == 1);
			compute_and_log('b');
		}
	memset(&timer, 0, sizeof(timer));
	WAY_MUST(!setitimer(ITIMER_REAL, &timer, NULL));
	WAY_MUST(memchr(order, 'a', sizeof(order)));
	way_send(order, sizeof(order));
}

static void handler_of_fault(const char *path)
{
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	size = way_read(path, data);
	sigaction(SIGSEGV, &(struct sigaction){ .sa_handler = send_in_handler, .sa_flags = SA_RESETHAND }, NULL);
	if (!fork()) {
		*(volatile char *)page = 1;
		_exit(0);
	}
	wait(NULL);
}

static void handler_of_child(const char *path)
{
	size = way_read(path, data);
	signal(SIGCHLD, send_in_handler);
	if (!fork())
		_exit(0);
	while (!caught)
		usleep(1000);
}

static void send_at_end(void)
{
	way_send(data, size);
}

static void at_exit(const char *path)
{
	size = way_read(path, data);
	atexit(send_at_end);
	exit(0);
}

static void *read_and_send(void *path)
{
	way_send(data, way_read(path, data));
	return NULL;
}

static void thread(const char *path)
{
	pthread_t thread;

	WAY_MUST(!pthread_create(&thread, NULL, read_and_send, (void *)path));
	WAY_MUST(!pthread_join(thread, NULL));
}

static void *outlive(void *path)
{
	usleep(50000);
	read_and_send(path);
	exit(0);
}

/* From the pipe that is its input. */
static void *read_input_and_send(void *unused)
{
	ssize_t got;

	(void)unused;
	usleep(200000);
	got = read(0, data, sizeof(data));
	WAY_MUST(got > 0);
	way_send(data, got);
	exit(0);
}

static void reading_thread_after_main(const char *path)
{
	pthread_t thread;

	(void)path;
	WAY_MUST(!pthread_create(&thread, NULL, read_input_and_send, NULL));
	pthread_exit(NULL);
}

/* read(), by the number and the way that 32-bit programs have. */
static void calls_of_32_bit(const char *path)
{
	char *low = mmap(NULL, WAY_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	int got;

	(void)path;
	WAY_MUST(low != MAP_FAILED);
	asm volatile("int $0x80" : "=a"(got) : "a"(3), "b"(0), "c"(low), "d"(WAY_SIZE) : "memory");
	WAY_MUST(got > 0);
	way_send(low, got);
}

static void thread_after_main(const char *path)
{
	pthread_t thread;

	WAY_MUST(!pthread_create(&thread, NULL, outlive, (void *)path));
	pthread_exit(NULL);
}

static pthread_barrier_t barrier;

static void *await_and_send(void *unused)
{
	pthread_barrier_wait(&barrier);
	way_send(data, size);
	return unused;
}

/* The thread is there before the file is read, by another. */
static void thread_of_old(const char *path)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	WAY_MUST(!pthread_create(&thread, NULL, await_and_send, NULL));
	usleep(20000);
	size = way_read(path, data);
	pthread_barrier_wait(&barrier);
	WAY_MUST(!pthread_join(thread, NULL));
}

static void *wait_for_ever(void *unused)
{
	pause();
	return unused;
}

/* What the kernel answers says what lies in memory: whether to wait at all. */
static void lock_of_threads(const char *path)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	pthread_t thread;
	char bits[8 * WAY_SIZE];
	int word;

	WAY_MUST(!pthread_create(&thread, NULL, wait_for_ever, NULL));
	size = way_read(path, data);
	for (size_t i = 0; i < 8 * size; i++) {
		word = data[i / 8] >> i % 8 & 1;
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &moment, NULL, 0);
		bits[i] = errno == EAGAIN ? 'y' : 'n';
	}
	for (size_t i = 0; i < size; i++) {
		data[i] = 0;
		for (int bit = 0; bit < 8; bit++)
			data[i] |= (bits[8 * i + bit] == 'y') << bit;
	}
	way_send(data, size);
	exit(0);
}

/* Nobody who began it lives any more when the data goes out. */
static void daemon_process(const char *path)
{
	int ends[2];
	char byte;

	WAY_MUST(!pipe(ends));
	size = way_read(path, data);
	if (!fork()) {
		setsid();
		if (fork())
			_exit(0);
		while (getppid() > 1 && getpgrp() == getppid())
			usleep(1000);
		way_send(data, size);
		_exit(write(ends[1], "x", 1) != 1);
	}
	wait(NULL);
	/* The group of the case is killed when it ends. A daemon that was refused ends without a byte. */
	close(ends[1]);
	WAY_MUST(read(ends[0], &byte, 1) >= 0);
}

static void generations(const char *path)
{
	size = way_read(path, data);
	for (int i = 0; i < 8; i++)
		if (fork()) {
			wait(NULL);
			_exit(0);
		}
	way_send(data, size);
}

static void after_calls(const char *path)
{
	size = way_read(path, data);
	for (int i = 0; i < 5000; i++)
		WAY_MUST(getppid() > 0 && !access("/", F_OK));
	way_send(data, size);
}

static void after_computing(const char *path)
{
	volatile unsigned long sum = 0;

	size = way_read(path, data);
	for (unsigned long i = 0; i < 30000000; i++)
		sum += i;
	way_send(data, size);
}

static void after_children(const char *path)
{
	size = way_read(path, data);
	for (int i = 0; i < 20; i++) {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	way_send(data, size);
}

static void after_sleeping(const char *path)
{
	size = way_read(path, data);
	sleep(1);
	way_send(data, size);
}

static void as_somebody_else(const char *path)
{
	size = way_read(path, data);
	WAY_MUST(!setgid(1000) && !setuid(1000));
	way_send(data, size);
}

static void in_another_root(const char *path)
{
	size = way_read(path, data);
	WAY_MUST(!mkdir("root", 0700) && !chroot("root") && !chdir("/"));
	way_send(data, size);
}

static void unlinked(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t got;

	WAY_MUST(!unlink(path));
	got = read(fd, data, sizeof(data));
	WAY_MUST(got > 0);
	way_send(data, got);
}

const struct way way_moments[] = {
	{ "handler", handler },
	{ "handler-in-call", handler_in_call },
	{ "handler-in-loop", handler_in_loop },
	{ "tightlip-figure-two", tightlip_figure_two },
	{ "handler-of-fault", handler_of_fault },
	{ "handler-of-child", handler_of_child },
	{ "at-exit", at_exit },
	{ "thread", thread },
	{ "thread-after-main", thread_after_main },
	{ "reading-thread-after-main", reading_thread_after_main },
	{ "calls-of-32-bit", calls_of_32_bit },
	{ "thread-of-old", thread_of_old },
	{ "lock-of-threads", lock_of_threads },
	{ "daemon", daemon_process },
	{ "generations", generations },
	{ "after-calls", after_calls },
	{ "after-computing", after_computing },
	{ "after-children", after_children },
	{ "after-sleeping", after_sleeping },
	{ "as-somebody-else", as_somebody_else },
	{ "in-another-root", in_another_root },
	{ "unlinked", unlinked },
	{ NULL, NULL },
};
