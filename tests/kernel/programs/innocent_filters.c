// SPDX-License-Identifier: GPL-2.0-only
/* Filters of the program's own (seccomp): they judge every call, in all threads, as long as the process lives. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "innocent.h"

#define CALLS 200
#define SPOOFED 4711

/* Gives getppid() the action, and lets all else pass. */
static long filter_getppid(unsigned int action, unsigned int flags)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(lines) / sizeof(*lines), .filter = lines };

	INNOCENT_MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* How many of so many calls the filter refuses. */
static int refusals(int calls)
{
	int refused = 0;

	for (int i = 0; i < calls; i++) {
		refused += syscall(SYS_getppid) == -1 && errno == EXDEV;
		/* This one passes. */
		getuid();
	}
	return refused;
}

static void filtered(void)
{
	int status;

	INNOCENT_MUST(!filter_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
	innocent_say(" %d", refusals(CALLS));
	if (!fork())
		_exit(refusals(100));
	INNOCENT_MUST(wait(&status) > 0);
	innocent_say(" %d", WEXITSTATUS(status));
}

/* A thread that the filter does not reach asks for ever. */
static void *ask_until_refused(void *argument)
{
	atomic_int *refused = argument;

	while (!refusals(1))
		;
	atomic_fetch_add(refused, refusals(CALLS));
	return NULL;
}

/* Threads come and go while one of them gives all a filter. */
static void filter_of_all_threads(void)
{
	atomic_int refused = 0;
	pthread_t threads[4];

	for (int i = 0; i < 4; i++) {
		INNOCENT_MUST(!pthread_create(&threads[i], NULL, ask_until_refused, &refused));
		if (i == 2)
			INNOCENT_MUST(!filter_getppid(SECCOMP_RET_ERRNO | EXDEV, SECCOMP_FILTER_FLAG_TSYNC));
	}
	for (int i = 0; i < 4; i++)
		INNOCENT_MUST(!pthread_join(threads[i], NULL));
	innocent_say(" %d", refused);
}

/* The answers come from another process, which has read nothing. */
static void supervise(void)
{
	int listener = filter_getppid(SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
	struct pollfd ready = { .fd = listener, .events = POLLIN };

	INNOCENT_MUST(listener >= 0);
	if (fork()) {
		close(listener);
		return;
	}
	for (;;) {
		struct seccomp_notif question = { 0 };
		struct seccomp_notif_resp answer = { .val = SPOOFED };

		if (poll(&ready, 1, -1) != 1 || !(ready.revents & POLLIN))
			_exit(0);
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question))
			continue;
		answer.id = question.id;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

static void supervised(void)
{
	int spoofed = 0;

	for (int i = 0; i < 20; i++)
		spoofed += syscall(SYS_getppid) == SPOOFED;
	innocent_say(" %d", spoofed);
}

static volatile sig_atomic_t trapped;

static void answer_trap(int number, siginfo_t *information, void *context)
{
	(void)number;
	(void)context;
	trapped += information->si_syscall == SYS_getppid;
}

/* Sandboxes of browsers answer calls in a handler. */
static void filter_with_signals(void)
{
	struct sigaction action = { .sa_sigaction = answer_trap, .sa_flags = SA_SIGINFO };

	INNOCENT_MUST(!sigaction(SIGSYS, &action, NULL));
	INNOCENT_MUST(!filter_getppid(SECCOMP_RET_TRAP, 0));
	for (int i = 0; i < 20; i++)
		syscall(SYS_getppid);
	innocent_say(" %d", trapped);
}

/* The end of a pipe that the program writes to, and of one that tells the child to drop it. */
static int to_reader = -1, to_drop = -1;

/* A child with a filter holds a pipe's reading end. It is watched once the pipe has what depends on the file. */
static void start_reader(void)
{
	int data[2], drop[2];
	char byte;

	INNOCENT_MUST(!pipe(data) && !pipe(drop));
	if (!fork()) {
		close(data[1]);
		close(drop[1]);
		INNOCENT_MUST(!filter_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
		refusals(10);
		INNOCENT_MUST(read(drop[0], &byte, 1) == 1);
		close(data[0]);
		close(drop[0]);
		/* In these calls the module finds that nothing can come in any more. */
		_exit(refusals(CALLS));
	}
	close(data[0]);
	close(drop[0]);
	to_reader = data[1];
	to_drop = drop[1];
}

static void filter_outlives_watch(void)
{
	int status;

	INNOCENT_MUST(write(to_reader, innocent_content, 100) == 100);
	INNOCENT_MUST(write(to_drop, "", 1) == 1);
	INNOCENT_MUST(wait(&status) > 0);
	innocent_say(" %d", WEXITSTATUS(status));
}

const struct innocent_deed innocent_filters[] = {
	{ "filter", filtered },
	{ "filter-of-all-threads", filter_of_all_threads },
	{ "filter-with-supervisor", supervised },
	{ "filter-with-signals", filter_with_signals },
	{ "filter-outlives-watch", filter_outlives_watch },
	{ NULL, NULL },
};

const struct innocent_deed innocent_filters_earlier[] = {
	{ "filter-with-supervisor", supervise },
	{ "filter-outlives-watch", start_reader },
	{ NULL, NULL },
};
