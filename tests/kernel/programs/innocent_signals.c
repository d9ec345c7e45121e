// SPDX-License-Identifier: GPL-2.0-only
/* Signals that come during calls, between calls, by faults and by the process itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "innocent.h"

static volatile sig_atomic_t caught, last;

static void handle(int number)
{
	caught++;
	last = number;
}

static void set_handler(int number, int flags)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = flags };

	INNOCENT_MUST(!sigaction(number, &action, NULL));
}

static void start_timer(long first_us, long every_us)
{
	struct itimerval timer = { { 0, every_us }, { 0, first_us } };

	INNOCENT_MUST(!setitimer(ITIMER_REAL, &timer, NULL));
}

static void alarm_pause(void)
{
	set_handler(SIGALRM, 0);
	start_timer(20000, 20000);
	while (caught < 5)
		pause();
	start_timer(0, 0);
	innocent_say(" alarms");
}

/* The handler runs between two instructions of a loop that makes no call. */
static void alarm_loop(void)
{
	set_handler(SIGALRM, 0);
	start_timer(20000, 0);
	while (!caught)
		;
	innocent_say(" %d", (int)caught);
}

static void alarm_restarts(void)
{
	struct timespec now;
	int ends[2];
	char byte;

	set_handler(SIGALRM, SA_RESTART);
	INNOCENT_MUST(!pipe(ends));
	start_timer(20000, 0);
	if (!fork()) {
		usleep(80000);
		_exit(write(ends[1], "x", 1) != 1);
	}
	INNOCENT_MUST(read(ends[0], &byte, 1) == 1 && byte == 'x' && caught == 1);
	INNOCENT_MUST(wait(NULL) > 0 && !clock_gettime(CLOCK_REALTIME, &now));
	innocent_say(" %ld", now.tv_nsec);
}

static void interrupted_sleep(void)
{
	struct timespec wanted = { 5, 0 }, left = { 0, 0 };

	set_handler(SIGALRM, 0);
	start_timer(20000, 0);
	INNOCENT_MUST(nanosleep(&wanted, &left) == -1 && errno == EINTR);
	innocent_say(" %ld.%09ld", (long)left.tv_sec, left.tv_nsec);
}

static void interrupted_poll(void)
{
	int result;

	set_handler(SIGALRM, 0);
	start_timer(20000, 0);
	result = poll(NULL, 0, 5000);
	innocent_say(" %d %d %d", result, errno, (int)caught);
}

static void child_ends(void)
{
	int status;

	set_handler(SIGCHLD, 0);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork(), got;

		if (!pid)
			_exit(i);
		while ((got = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
			;
		innocent_say(" %d", WEXITSTATUS(status));
	}
	innocent_say(" of %d", (int)caught);
}

static sigjmp_buf before;

static void jump(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

static void fault_jump(void)
{
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	signal(SIGSEGV, jump);
	for (volatile int i = 0; i < 3; i++) {
		if (!sigsetjmp(before, 1)) {
			*(volatile char *)page = 1;
			innocent_fail("no fault");
		}
		innocent_say(" fault");
	}
}

static char *repaired;

static void repair(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	INNOCENT_MUST(info->si_addr == repaired && !mprotect(repaired, 4096, PROT_READ | PROT_WRITE));
}

static void fault_repair(void)
{
	struct sigaction action = { .sa_sigaction = repair, .sa_flags = SA_SIGINFO };

	repaired = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	*(volatile char *)repaired = 42;
	innocent_say(" %d", *repaired);
}

static void suspended(void)
{
	sigset_t blocked, old;

	set_handler(SIGUSR1, 0);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	if (!fork()) {
		usleep(30000);
		_exit(kill(getppid(), SIGUSR1));
	}
	INNOCENT_MUST(sigsuspend(&old) == -1 && caught == 1);
	INNOCENT_MUST(wait(NULL) > 0);
	innocent_say(" %d", (int)last);
}

static void raised(void)
{
	set_handler(SIGUSR2, 0);
	for (int i = 0; i < 20; i++)
		INNOCENT_MUST(!raise(SIGUSR2));
	INNOCENT_MUST(!kill(getpid(), SIGUSR2));
	innocent_say(" %d", (int)caught);
}

static void other_stack(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };

	INNOCENT_MUST(!sigaltstack(&stack, NULL));
	set_handler(SIGUSR1, SA_ONSTACK);
	INNOCENT_MUST(!raise(SIGUSR1) && !raise(SIGUSR1));
	innocent_say(" %d", (int)caught);
}

static void awaited(void)
{
	struct timespec limit = { 2, 0 };
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	INNOCENT_MUST(!kill(getpid(), SIGUSR1));
	INNOCENT_MUST(sigtimedwait(&set, &info, &limit) == SIGUSR1);
	innocent_say(" %d", info.si_pid == getpid());
}

static void ignored(void)
{
	signal(SIGPIPE, SIG_IGN);
	int ends[2];

	INNOCENT_MUST(!pipe(ends) && !close(ends[0]));
	INNOCENT_MUST(write(ends[1], "x", 1) == -1 && errno == EPIPE);
	innocent_say(" EPIPE");
}

/* Stopped and continued from outside, in a call and out of it. */
static void stopped(void)
{
	if (!fork()) {
		for (int i = 0; i < 3; i++) {
			usleep(20000);
			kill(getppid(), SIGSTOP);
			usleep(20000);
			kill(getppid(), SIGCONT);
		}
		_exit(0);
	}
	INNOCENT_MUST(wait(NULL) > 0);
	innocent_say(" continued");
}

const struct innocent_deed innocent_signals[] = {
	{ "alarm-pause", alarm_pause },
	{ "alarm-loop", alarm_loop },
	{ "alarm-restarts", alarm_restarts },
	{ "interrupted-sleep", interrupted_sleep },
	{ "interrupted-poll", interrupted_poll },
	{ "child-ends", child_ends },
	{ "fault-jump", fault_jump },
	{ "fault-repair", fault_repair },
	{ "suspended", suspended },
	{ "raised", raised },
	{ "other-stack", other_stack },
	{ "awaited", awaited },
	{ "ignored", ignored },
	{ "stopped", stopped },
	{ NULL, NULL },
};
