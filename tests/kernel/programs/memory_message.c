// SPDX-License-Identifier: GPL-2.0-only
/* Stamps in messages to another program, which frees what the sender has allocated, and in memory that another program allocated. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "memory.h"
#include "stamp.h"

#define SIZE 60
#define SHARED (1 << 20)
/* The kernel's allocator of objects has none of this size. So the kernel maps pages for it. */
#define LARGE (5 << 20)
/* A datagram socket of the default length takes no more. */
#define COUNT 10
/* TCP has all messages in the same pages, which are soon used again. */
#define TCP_SIZE 3000

struct queued {
	long type;
	char text[SIZE];
};

static void check(int failed, const char *what)
{
	if (failed)
		exit(fail(what));
}

static void connect_inet(int type, int ends[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, type, 0);

	check(bind(listener, (struct sockaddr *)&address, size) ||
		      getsockname(listener, (struct sockaddr *)&address, &size) ||
		      (type == SOCK_STREAM && listen(listener, 1)),
	      "listener");
	ends[1] = socket(AF_INET, type, 0);
	check(connect(ends[1], (struct sockaddr *)&address, size), "connect");
	ends[0] = type == SOCK_STREAM ? accept(listener, NULL, NULL) : listener;
}

static void connect_netlink(int ends[2])
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	socklen_t size = sizeof(address);
	int room = 2 * LARGE;

	ends[0] = socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK);
	ends[1] = socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK);
	check(setsockopt(ends[0], SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
		      setsockopt(ends[1], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) ||
		      bind(ends[0], (struct sockaddr *)&address, size) ||
		      getsockname(ends[0], (struct sockaddr *)&address, &size) ||
		      connect(ends[1], (struct sockaddr *)&address, size),
	      "netlink");
}

static bool is_unread(const char *way)
{
	return strstr(way, "unread");
}

/*
 * WAY is stream, datagram, tcp, udp, netlink, netlink-large, stream-unread or tcp-unread, and in give() also queue or attribute.
 * @ends: of the reader and of the writer.
 */
static void connect_pair(const char *way, int ends[2])
{
	if (!strncmp(way, "tcp", 3) || !strcmp(way, "udp"))
		connect_inet(*way == 't' ? SOCK_STREAM : SOCK_DGRAM, ends);
	else if (!strncmp(way, "netlink", 7))
		connect_netlink(ends);
	else
		check(socketpair(AF_UNIX, !strncmp(way, "stream", 6) ? SOCK_STREAM : SOCK_DGRAM, 0, ends), way);
}

static void give_queued(int queue, uint64_t tag)
{
	struct queued message = { .type = 1 };

	fill(message.text, SIZE, tag);
	for (int i = 0; i < COUNT; i++)
		check(msgsnd(queue, &message, SIZE, 0), "msgsnd");
	explicit_bzero(&message, sizeof(message));
}

static void give_attributes(uint64_t tag)
{
	char value[SIZE], name[] = "trusted.0";

	fill(value, SIZE, tag);
	close(open("attributes", O_WRONLY | O_CREAT, 0666));
	for (int i = 0; i < COUNT; i++, name[8]++)
		check(setxattr("attributes", name, value, SIZE, 0), name);
	explicit_bzero(value, SIZE);
}

static size_t size_of(const char *way)
{
	return !strcmp(way, "tcp") ? TCP_SIZE : SIZE;
}

static void give_messages(int end, size_t size, uint64_t tag)
{
	char part[TCP_SIZE];

	fill(part, size, tag);
	for (int i = 0; i < COUNT; i++)
		check(write(end, part, size) != (ssize_t)size, "write");
	explicit_bzero(part, size);
}

static void take_message(size_t size)
{
	char part[TCP_SIZE];

	check(recv(0, part, size, MSG_WAITALL) != (ssize_t)size, "message");
	explicit_bzero(part, size);
}

/* Large parts lie in pages. More would wait at the sender. */
static void give_unread(int end, uint64_t tag)
{
	static char part[4 * PAGE];

	fill(part, sizeof(part), tag);
	fcntl(end, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 2 && write(end, part, sizeof(part)) > 0; i++)
		;
	explicit_bzero(part, sizeof(part));
}

static void give_large(int end, uint64_t tag)
{
	static char message[LARGE];

	fill(message, LARGE, tag);
	check(write(end, message, LARGE) != LARGE, "large message");
	explicit_bzero(message, LARGE);
}

static void take_large(void)
{
	static char message[LARGE];

	check(read(0, message, LARGE) != LARGE, "large message");
	explicit_bzero(message, LARGE);
}

int give(char **words)
{
	uint64_t tag = strtoull(words[1], NULL, 10);
	const char *way = words[0], *meeting = words[3];
	int ends[2] = { -1, -1 }, closed[2], queue = -1, child;
	char name[20];

	if (!strcmp(way, "queue"))
		queue = msgget(IPC_PRIVATE, 0600);
	else if (strcmp(way, "attribute"))
		connect_pair(way, ends);
	if (!strcmp(way, "netlink-large"))
		give_large(ends[1], tag);
	else if (is_unread(way))
		give_unread(ends[1], tag);
	else if (ends[1] >= 0)
		give_messages(ends[1], size_of(way), tag);
	else if (queue >= 0)
		give_queued(queue, tag);
	else
		give_attributes(tag);
	check(pipe(closed), "pipe");
	child = fork();
	if (!child) {
		/* The reader is the last that has its end, also if it ends at once. */
		close(closed[1]);
		check(read(closed[0], name, 1) != 0, "end of the pipe");
		snprintf(name, sizeof(name), "%d", queue);
		dup2(ends[0], 0);
		execl(words[2], words[2], "take", way, name, NULL);
		_exit(1);
	}
	close(ends[0]);
	close(closed[1]);
	close(closed[0]);
	check(waitpid(child, &child, 0) < 0 || child, "reader");
	if (meeting)
		meet(meeting);
	return 0;
}

int take(char **words)
{
	struct queued message;
	char name[] = "trusted.0";
	int i;

	if (is_unread(words[0]))
		return 0;
	if (!strcmp(words[0], "netlink-large")) {
		take_large();
		return 0;
	}
	for (i = 0; i < COUNT; i++, name[8]++)
		if (!strcmp(words[0], "queue"))
			check(msgrcv(atoi(words[1]), &message, SIZE, 0, 0) != SIZE, "msgrcv");
		else if (!strcmp(words[0], "attribute"))
			check(removexattr("attributes", name), name);
		else
			take_message(size_of(words[0]));
	explicit_bzero(&message, sizeof(message));
	return 0;
}

static void run(const char *program, const char *command, const char *tag, int output)
{
	int child = fork();

	if (!child) {
		dup2(output, 1);
		execl(program, program, command, tag, NULL);
		_exit(1);
	}
	close(output);
}

/* Messages of a queue that nobody else knows; prints its number. */
void lose_in_queue(uint64_t tag, const char *)
{
	int queue = msgget(IPC_PRIVATE, 0600);

	give_queued(queue, tag);
	printf("%d\n", queue);
}

/* Attributes of the file `attributes`, which stays. */
void lose_in_attributes(uint64_t tag, const char *)
{
	give_attributes(tag);
}

/* It has read from the pipe, which keeps the page for what is written next. */
void lose_in_kept_page(uint64_t tag, const char *meeting)
{
	char part[PAGE];
	int ends[2];

	check(pipe(ends), "pipe");
	fill(part, PAGE, tag);
	check(write(ends[1], part, PAGE) != PAGE || read(ends[0], part, PAGE) != PAGE, "pipe");
	explicit_bzero(part, PAGE);
	meet(meeting);
}

int reuse(char **words)
{
	char part[PAGE] = {};
	int ends[2], i;

	check(pipe2(ends, O_CLOEXEC), "pipe");
	for (i = 0; i < 2; i++)
		check(write(ends[1], part, PAGE) != PAGE, "write");
	for (i = 0; i < 2; i++)
		check(read(ends[0], part, PAGE) != PAGE, "read");
	run(words[1], "pour", words[0], ends[1]);
	while (read(ends[0], part, PAGE) > 0)
		;
	explicit_bzero(part, PAGE);
	check(wait(&i) < 0 || i, "writer");
	meet(words[2]);
	return 0;
}

/* Fills a device, past the page cache, and opens it so. */
static int fill_device(const char *device, uint64_t tag)
{
	char *part = mmap(NULL, SHARED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int file = open(device, O_RDWR | O_DIRECT);

	check(part == MAP_FAILED || file < 0, device);
	fill(part, SHARED, tag);
	check(pwrite(file, part, SHARED, 0) != SHARED || lseek(file, 0, SEEK_SET), device);
	explicit_bzero(part, SHARED);
	return file;
}

int pass(char **words)
{
	bool is_device = strcmp(words[1], "-") != 0;
	int source = is_device ? fill_device(words[1], strtoull(words[0], NULL, 10)) : 0;
	int ends[2], status, left = is_device ? SHARED : INT_MAX, size;

	check(pipe2(ends, O_CLOEXEC), "pipe");
	if (!fork()) {
		close(ends[1]);
		dup2(ends[0], 0);
		execl(words[2], words[2], "drain", NULL);
		_exit(1);
	}
	close(ends[0]);
	while (left > 0 && (size = splice(source, NULL, ends[1], NULL, left, 0)) > 0)
		left -= size;
	close(ends[1]);
	check(wait(&status) < 0 || status, "reader");
	return 0;
}

static char *map_shared(int file)
{
	char *memory = mmap(NULL, SHARED, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	check(memory == MAP_FAILED, "mmap");
	return memory;
}

int share(char **words)
{
	int file = memfd_create("shared", MFD_CLOEXEC), status;

	check(ftruncate(file, SHARED), "shared memory");
	memset(map_shared(file), 1, SHARED);
	run(words[1], "scribble", words[0], file);
	check(wait(&status) < 0 || status, "writer");
	return 0;
}

int scribble(char **words)
{
	fill(map_shared(1), SHARED, strtoull(words[0], NULL, 10));
	return 0;
}

/* Names of sockets go through the kernel's stacks, here of a hundred processes at once. */
void lose_by_names(uint64_t tag, const char *meeting)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int ends[2], i;
	char byte = 0;

	if (pipe(ends) || setpgid(0, 0))
		exit(fail("pipe"));
	fill(name.sun_path, 100, tag);
	for (i = 0; i < 100; i++)
		if (!fork()) {
			connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof(name));
			explicit_bzero(&name, sizeof(name));
			if (write(ends[1], &byte, 1) == 1)
				pause();
			_exit(1);
		}
	explicit_bzero(&name, sizeof(name));
	for (i = 0; i < 100; i++)
		if (read(ends[0], &byte, 1) != 1)
			exit(fail("child"));
	if (meeting)
		meet(meeting);
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0)
		;
}
