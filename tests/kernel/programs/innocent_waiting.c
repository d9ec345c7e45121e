// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for files, timers and events. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "innocent.h"

static void timeouts(void)
{
	struct timespec short_time = { 0, 5000000 };
	struct timeval little = { 0, 5000 };
	int queue = epoll_create1(0), ends[2];
	struct epoll_event event;
	struct pollfd file;
	fd_set set;

	INNOCENT_MUST(!pipe(ends));
	file = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	INNOCENT_MUST(poll(&file, 1, 5) == 0 && ppoll(&file, 1, &short_time, NULL) == 0);
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	INNOCENT_MUST(select(ends[0] + 1, &set, NULL, NULL, &little) == 0 && !FD_ISSET(ends[0], &set));
	FD_SET(ends[0], &set);
	INNOCENT_MUST(pselect(ends[0] + 1, &set, NULL, NULL, &short_time, NULL) == 0);
	INNOCENT_MUST(epoll_wait(queue, &event, 1, 5) == 0);
	innocent_say(" timeouts");
}

static void readiness(void)
{
	struct pollfd files[2];
	fd_set set;
	int ends[2];

	INNOCENT_MUST(!pipe(ends) && write(ends[1], "abc", 3) == 3);
	files[0] = (struct pollfd){ ends[0], POLLIN, 0 };
	files[1] = (struct pollfd){ ends[1], POLLOUT, 0 };
	INNOCENT_MUST(poll(files, 2, -1) == 2);
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	INNOCENT_MUST(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1);
	innocent_say(" %d %d", files[0].revents, files[1].revents);
}

static void event_loop(void)
{
	int queue = epoll_create1(EPOLL_CLOEXEC), counter = eventfd(0, EFD_NONBLOCK), timer, rounds = 0, ticks = 0;
	struct itimerspec every = { { 0, 3000000 }, { 0, 3000000 } };
	struct epoll_event events[4], event = { .events = EPOLLIN };
	uint64_t value = 1;

	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	INNOCENT_MUST(!timerfd_settime(timer, 0, &every, NULL));
	event.data.ptr = &counter;
	INNOCENT_MUST(!epoll_ctl(queue, EPOLL_CTL_ADD, counter, &event));
	event.data.ptr = &timer;
	INNOCENT_MUST(!epoll_ctl(queue, EPOLL_CTL_ADD, timer, &event));
	while (ticks < 5) {
		int got = epoll_wait(queue, events, 4, 1000);

		INNOCENT_MUST(got > 0 && ++rounds < 1000);
		for (int i = 0; i < got; i++) {
			int *source = events[i].data.ptr;

			INNOCENT_MUST(source == &counter || source == &timer);
			INNOCENT_MUST(read(*source, &value, sizeof(value)) == sizeof(value));
			if (source == &timer) {
				ticks++;
				INNOCENT_MUST(write(counter, &value, sizeof(value)) == sizeof(value));
			}
		}
	}
	innocent_say(" %d rounds", rounds);
}

static void signal_file(void)
{
	struct signalfd_siginfo info;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	INNOCENT_MUST(!kill(getpid(), SIGUSR1) && read(fd, &info, sizeof(info)) == sizeof(info));
	innocent_say(" %d %d", info.ssi_signo, info.ssi_pid == (uint32_t)getpid());
}

static void own_pipe(void)
{
	char data[1000], back[1000];
	int ends[2];

	INNOCENT_MUST(!pipe2(ends, O_CLOEXEC));
	for (int i = 0; i < 50; i++) {
		memset(data, i, sizeof(data));
		INNOCENT_MUST(write(ends[1], data, sizeof(data)) == sizeof(data));
		INNOCENT_MUST(read(ends[0], back, sizeof(back)) == sizeof(back) && back[999] == i);
	}
	innocent_say(" pipe");
}

static void own_sockets(void)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
	char byte[8];
	int ends[2];

	for (int i = 0; i < 3; i++) {
		struct iovec part = { "message", 7 };
		struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

		INNOCENT_MUST(!socketpair(AF_UNIX, types[i], 0, ends));
		INNOCENT_MUST(send(ends[0], "ping", 4, 0) == 4 && recv(ends[1], byte, 8, 0) == 4);
		INNOCENT_MUST(sendmsg(ends[0], &message, 0) == 7);
		part.iov_base = byte;
		INNOCENT_MUST(recvmsg(ends[1], &message, 0) == 7);
		innocent_say(" %.7s", byte);
	}
}

/* Several writers, whose order only the original knows. */
static void many_children(void)
{
	struct pollfd files[4];
	char byte;
	int left = 4;

	for (int i = 0; i < 4; i++) {
		int ends[2];

		INNOCENT_MUST(!pipe(ends));
		files[i] = (struct pollfd){ ends[0], POLLIN, 0 };
		if (!fork()) {
			usleep(5000 * (i % 2));
			_exit(write(ends[1], "x", 1) != 1);
		}
		close(ends[1]);
	}
	while (left) {
		INNOCENT_MUST(poll(files, 4, 2000) > 0);
		for (int i = 0; i < 4; i++)
			if (files[i].fd >= 0 && files[i].revents) {
				INNOCENT_MUST(read(files[i].fd, &byte, 1) == 1);
				innocent_say(" %d", i);
				files[i].fd = -1;
				left--;
			}
	}
	while (wait(NULL) > 0)
		;
}

const struct innocent_deed innocent_waiting[] = {
	{ "timeouts", timeouts },	    { "readiness", readiness },
	{ "event-loop", event_loop },	    { "signal-file", signal_file },
	{ "own-pipe", own_pipe },	    { "own-sockets", own_sockets },
	{ "many-children", many_children }, { NULL, NULL },
};
