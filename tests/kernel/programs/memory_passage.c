// SPDX-License-Identifier: GPL-2.0-only
/* Stamps on their way through files, pipes, terminals and sockets, between programs that are covered and others that are not. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "memory.h"
#include "stamp.h"

int write_file(char **words)
{
	int fd = open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0644), i;
	char part[PAGE];

	fill(part, sizeof(part), strtoull(words[0], NULL, 10));
	for (i = 0; i < 128; i++)
		if (write(fd, part, sizeof(part)) != sizeof(part))
			return fail(words[1]);
	explicit_bzero(part, sizeof(part));
	return fsync(fd) ? fail("fsync") : 0;
}

int hold_file(char **words)
{
	int fd = open(words[0], O_RDONLY);
	char *memory = mmap(NULL, 128 * PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return fail(words[0]);
	for (size_t at = 0; at < 128 * PAGE; at += PAGE)
		*(volatile char *)(memory + at);
	meet(words[1]);
	return 0;
}

int keep_in_pipe(char **words)
{
	int fd = open(words[0], O_RDONLY), ends[2], i, damaged = 0;
	char first[PAGE], part[PAGE];

	if (fd < 0 || read(fd, first, sizeof(first)) != sizeof(first) || pipe(ends))
		return fail(words[0]);
	for (i = 0; i < 8; i++)
		if (splice(fd, NULL, ends[1], NULL, PAGE, 0) != PAGE)
			return fail("splice");
	if ((!words[1] && truncate(words[0], 0)) || unlink(words[0]))
		return fail("unlink");
	close(fd);
	/* A removed file is overwritten soon. */
	sleep(words[1] ? 3 : 0);
	for (i = 0; i < 8; i++)
		damaged += read(ends[0], part, sizeof(part)) != sizeof(part) || memcmp(part, first, sizeof(part));
	explicit_bzero(first, sizeof(first));
	explicit_bzero(part, sizeof(part));
	printf("%d\n", damaged);
	return 0;
}

int pour(char **words)
{
	char part[PAGE];

	fill(part, sizeof(part), strtoull(words[0], NULL, 10));
	for (int i = 0; i < 64; i++)
		if (write(1, part, sizeof(part)) != sizeof(part))
			return fail("pour");
	explicit_bzero(part, sizeof(part));
	return 0;
}

int drain(char **)
{
	char part[PAGE];

	/* So that pages queue up in the pipe. */
	usleep(300000);
	while (read(0, part, sizeof(part)) > 0)
		explicit_bzero(part, sizeof(part));
	return 0;
}

/* What is typed is not changed, and no byte of it is a command. A cooked terminal gives whole lines, and shows what is typed. */
static void set_up(int slave, int cooked)
{
	struct termios settings;

	tcgetattr(slave, &settings);
	cfmakeraw(&settings);
	if (cooked) {
		settings.c_lflag |= ICANON | ECHO;
		memset(settings.c_cc, _POSIX_VDISABLE, sizeof(settings.c_cc));
	}
	tcsetattr(slave, TCSANOW, &settings);
}

/* Takes what a cooked terminal shows, and keeps nothing. */
static void watch(int terminal)
{
	char part[2000];

	while (poll(&(struct pollfd){ .fd = terminal, .events = POLLIN }, 1, 500) > 0 &&
	       read(terminal, part, sizeof(part)) > 0)
		explicit_bzero(part, sizeof(part));
}

int at_terminal(char **words)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), slave, child, unread, started[2];
	const char *meeting = words[2];
	char part[2000];

	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal) || pipe2(started, O_CLOEXEC))
		return fail("terminal");
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	set_up(slave, meeting && words[3] && !strcmp(words[3], "cooked"));
	child = fork();
	if (!child) {
		dup2(slave, 0);
		close(slave);
		close(terminal);
		execl(words[1], words[1], "drain", NULL);
		_exit(1);
	}
	/* Nothing is typed before the program runs. */
	close(started[1]);
	if (read(started[0], part, 1))
		return fail("exec");
	fill(part, sizeof(part), strtoull(words[0], NULL, 10));
	part[sizeof(part) - 1] = '\n';
	if (write(terminal, part, sizeof(part)) != sizeof(part))
		return fail("write");
	explicit_bzero(part, sizeof(part));
	sleep(1);
	watch(terminal);
	while (!ioctl(slave, FIONREAD, &unread) && unread)
		usleep(100000);
	if (meeting)
		meet(meeting);
	/* The reader sees the end. */
	close(slave);
	close(terminal);
	waitpid(child, NULL, 0);
	return 0;
}

#define PORT 4711

int send_stamps(char **words)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd, i, yes = 1;
	char part[PAGE];

	if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 1))
		return fail("listen");
	fd = accept(listener, NULL, NULL);
	fill(part, sizeof(part), strtoull(words[0], NULL, 10));
	for (i = 0; i < 512; i++)
		if (write(fd, part, sizeof(part)) != sizeof(part))
			return fail("send");
	explicit_bzero(part, sizeof(part));
	return 0;
}

/* The first part is long awaited, so that the others queue up meanwhile. */
int receive_stamps(char **words)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), i;
	char part[PAGE];

	inet_pton(AF_INET, words[0], &address.sin_addr);
	for (i = 0; connect(fd, (struct sockaddr *)&address, sizeof(address)); i++) {
		if (i == 200)
			return fail("connect");
		usleep(50000);
	}
	usleep(500000);
	while (read(fd, part, sizeof(part)) > 0)
		;
	explicit_bzero(part, sizeof(part));
	return 0;
}
