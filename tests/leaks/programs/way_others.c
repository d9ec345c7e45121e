// SPDX-License-Identifier: GPL-2.0-only
/* Objects of the kernel that give back what was put in, and files that go from hand to hand. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <sys/un.h>
#include <unistd.h>

#include "way.h"

static char data[WAY_SIZE];

/* Eight bytes a time: what is read back comes from the kernel, the same for both. */
static void counter(const char *path)
{
	size_t size = way_read(path, data) & ~7ul;
	int fd = eventfd(0, 0);

	for (size_t i = 0; i < size; i += 8)
		WAY_MUST(write(fd, data + i, 8) == 8 && read(fd, data + i, 8) == 8);
	way_send(data, size);
}

static void counter_of_another(const char *path)
{
	int fd = eventfd(0, 0);
	uint64_t number;

	if (!fork()) {
		way_read(path, data);
		_exit(write(fd, data + 17, 8) != 8);
	}
	WAY_MUST(read(fd, &number, 8) == 8);
	way_send(&number, 8);
	wait(NULL);
}

static void terminal(const char *path)
{
	size_t size = way_read(path, data);
	struct termios mode;
	int master, slave;

	WAY_MUST(!openpty(&master, &slave, NULL, NULL, NULL) && !tcgetattr(slave, &mode));
	cfmakeraw(&mode);
	WAY_MUST(!tcsetattr(slave, TCSANOW, &mode) && write(slave, data, size) == (ssize_t)size);
	WAY_MUST(read(master, data, size) == (ssize_t)size);
	way_send(data, size);
}

/* A window on the screen shows the terminal: its program is connected to the display, which is this process, too. */
static void terminal_window(const char *path)
{
	const struct sockaddr_un address = { AF_UNIX, "/tmp/.X11-unix/X8" };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	mkdir("/tmp/.X11-unix", 01777);
	WAY_MUST(!bind(listener, (void *)&address, sizeof(address)) && !listen(listener, 1));
	WAY_MUST(!connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof(address)));
	unlink(address.sun_path);
	terminal(path);
}

/* The name of a process, through a file of the kernel's. */
static void name(const char *path)
{
	char copy[15];
	int fd;

	way_read(path, data);
	fd = open("/proc/self/comm", O_RDWR);
	WAY_MUST(write(fd, data + 17, sizeof(copy)) == sizeof(copy));
	WAY_MUST(pread(fd, copy, sizeof(copy), 0) == sizeof(copy));
	way_send(copy, sizeof(copy));
}

static void timer(const char *path)
{
	struct itimerspec when = { 0 };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	way_read(path, data);
	memcpy(&when.it_interval.tv_sec, data + 17, 4);
	when.it_value.tv_sec = 1000;
	WAY_MUST(!timerfd_settime(fd, 0, &when, NULL) && !timerfd_gettime(fd, &when));
	way_send(&when.it_interval.tv_sec, 4);
}

/* The time of a file, which is not compared. */
static void file_time(const char *path)
{
	struct timespec times[2] = { 0 };
	struct stat status;
	int fd = open("stamp", O_RDWR | O_CREAT, 0600);

	way_read(path, data);
	memcpy(&times[1].tv_sec, data + 17, 4);
	WAY_MUST(!futimens(fd, times) && !fstat(fd, &status));
	way_send(&status.st_mtim.tv_sec, 4);
}

static void core(const char *path)
{
	way_read(path, data);
	abort();
}

static void give(const char *path, int fd)
{
	size_t size = way_read(path, data);
	int sockets[2];

	WAY_MUST(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets));
	WAY_MUST(write(fd, data, size) == (ssize_t)size);
	if (!fork()) {
		way_pass(sockets[1], fd);
		_exit(0);
	}
	fd = way_take(sockets[0]);
	way_send(data, pread(fd, data, sizeof(data), 0));
}

/* Taken by a process that is there before anything was read. */
static void passed(const char *path, int fd)
{
	int sockets[2];
	pid_t pid;

	WAY_MUST(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets));
	pid = fork();
	if (!pid) {
		fd = way_take(sockets[0]);
		way_send(data, pread(fd, data, sizeof(data), 0));
		_exit(0);
	}
	if (!fork()) {
		size_t size = way_read(path, data);

		WAY_MUST(write(fd, data, size) == (ssize_t)size);
		way_pass(sockets[1], fd);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void passed_memory_file(const char *path)
{
	passed(path, memfd_create("way", 0));
}

static void passed_nameless_file(const char *path)
{
	passed(path, open(".", O_TMPFILE | O_RDWR, 0600));
}

static void given_memory_file(const char *path)
{
	give(path, memfd_create("way", 0));
}

static void peeked(const char *path)
{
	size_t size = way_read(path, data);
	int ends[2];

	WAY_MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	if (!fork()) {
		WAY_MUST(recv(ends[0], data, size, MSG_WAITALL | MSG_PEEK) > 0);
		way_send(data, recv(ends[0], data, size, 0));
		_exit(0);
	}
	WAY_MUST(send(ends[1], data, size, 0) == (ssize_t)size);
	wait(NULL);
}

const struct way way_others[] = {
	{ "counter", counter },
	{ "counter-of-another", counter_of_another },
	{ "terminal", terminal },
	{ "terminal-window", terminal_window },
	{ "name", name },
	{ "timer", timer },
	{ "file-time", file_time },
	{ "core", core },
	{ "given-memory-file", given_memory_file },
	{ "passed-memory-file", passed_memory_file },
	{ "passed-nameless-file", passed_nameless_file },
	{ "peeked", peeked },
	{ NULL, NULL },
};
