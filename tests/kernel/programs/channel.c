// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carries bytes from process to process and from there to the other host.
 *   channel receive KIND WAIT    makes a file `ready`, waits, sends what it gets to the other host
 *   channel send KIND FILE
 * KIND: stdin, stream, datagram, packet, abstract (UNIX sockets), tcp, udp, tcp6, address (the own one), sysv, queue
 * WAIT: read, poll, select, epoll, message, messages, splice, late
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define PORT 7711
#define MUST(condition)                   \
	do {                              \
		if (!(condition))         \
			fail(#condition); \
	} while (0)

struct kind {
	const char *name;
	int family, type;
	const char *address;
};

static const struct kind kinds[] = {
	{ "stream", AF_UNIX, SOCK_STREAM, "socket" },
	{ "datagram", AF_UNIX, SOCK_DGRAM, "socket" },
	{ "packet", AF_UNIX, SOCK_SEQPACKET, "socket" },
	{ "abstract", AF_UNIX, SOCK_STREAM, "" },
	{ "tcp", AF_INET, SOCK_STREAM, "127.0.0.1" },
	{ "udp", AF_INET, SOCK_DGRAM, "127.0.0.1" },
	{ "address", AF_INET, SOCK_STREAM, "10.77.0.1" },
	{ "tcp6", AF_INET6, SOCK_STREAM, "::1" },
	{ NULL, 0, 0, NULL },
};

static void fail(const char *what)
{
	perror(what);
	_exit(1);
}

static const struct kind *find(const char *name)
{
	const struct kind *kind;

	for (kind = kinds; kind->name; kind++)
		if (!strcmp(kind->name, name))
			return kind;
	return NULL;
}

static socklen_t address_of(const struct kind *kind, struct sockaddr_storage *address)
{
	struct sockaddr_in *in = (void *)address;
	struct sockaddr_in6 *in6 = (void *)address;
	struct sockaddr_un *un = (void *)address;

	memset(address, 0, sizeof(*address));
	address->ss_family = kind->family;
	switch (kind->family) {
	case AF_INET:
		in->sin_port = htons(PORT);
		inet_pton(AF_INET, kind->address, &in->sin_addr);
		return sizeof(*in);
	case AF_INET6:
		in6->sin6_port = htons(PORT);
		inet_pton(AF_INET6, kind->address, &in6->sin6_addr);
		return sizeof(*in6);
	default:
		strcpy(un->sun_path, kind->address);
		strcpy(un->sun_path + !*kind->address, *kind->address ? kind->address : "tacet-test");
		return sizeof(*un);
	}
}

static int await_sender(const struct kind *kind, int late)
{
	struct sockaddr_storage address;
	socklen_t length = address_of(kind, &address);
	int fd = socket(kind->family, kind->type, 0), yes = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	MUST(!bind(fd, (void *)&address, length));
	if (kind->type == SOCK_DGRAM) {
		close(open("ready", O_CREAT, 0600));
		return fd;
	}
	MUST(!listen(fd, 4));
	close(open("ready", O_CREAT, 0600));
	if (late)
		usleep(400000);
	return accept(fd, NULL, NULL);
}

static void wait_by(const char *way, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct pollfd file = { fd, POLLIN, 0 };
	int queue;
	fd_set set;

	if (!strcmp(way, "poll")) {
		MUST(poll(&file, 1, -1) == 1);
	} else if (!strcmp(way, "select")) {
		FD_ZERO(&set);
		FD_SET(fd, &set);
		MUST(select(fd + 1, &set, NULL, NULL, NULL) == 1);
	} else if (!strcmp(way, "epoll")) {
		queue = epoll_create1(0);
		MUST(!epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event) && epoll_wait(queue, &event, 1, -1) == 1);
	}
}

static ssize_t get(const char *way, int fd, char *data, size_t size)
{
	struct iovec part = { data, size };
	struct mmsghdr message = { .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1 } };
	int ends[2];

	if (!strcmp(way, "message"))
		return recvmsg(fd, &message.msg_hdr, 0);
	if (!strcmp(way, "messages")) {
		MUST(recvmmsg(fd, &message, 1, 0, NULL) == 1);
		return message.msg_len;
	}
	if (!strcmp(way, "splice")) {
		MUST(!pipe(ends));
		MUST(splice(fd, NULL, ends[1], NULL, size, 0) > 0);
		return read(ends[0], data, size);
	}
	wait_by(way, fd);
	return read(fd, data, size);
}

static ssize_t get_sysv(char *data, size_t size)
{
	struct {
		long type;
		char text[4096];
	} message;
	int queue = msgget(ftok(".", 1), IPC_CREAT | 0600);
	ssize_t got;

	close(open("ready", O_CREAT, 0600));
	got = msgrcv(queue, &message, sizeof(message.text), 0, 0);
	MUST(got >= 0 && (size_t)got <= size);
	memcpy(data, message.text, got);
	msgctl(queue, IPC_RMID, NULL);
	return got;
}

static ssize_t get_queue(char *data, size_t size)
{
	mqd_t queue = mq_open("/tacet-test", O_RDONLY | O_CREAT, 0600, NULL);
	ssize_t got;

	MUST(queue >= 0);
	close(open("ready", O_CREAT, 0600));
	got = mq_receive(queue, data, size, NULL);
	mq_unlink("/tacet-test");
	return got;
}

static void send_on(const char *data, ssize_t size)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	MUST(!connect(fd, (void *)&address, sizeof(address)));
	MUST(write(fd, data, size) == size);
}

static int receive(const char *name, const char *way)
{
	static char data[16384];
	ssize_t size;

	if (!strcmp(name, "sysv"))
		size = get_sysv(data, sizeof(data));
	else if (!strcmp(name, "queue"))
		size = get_queue(data, sizeof(data));
	else if (!strcmp(name, "stdin"))
		size = get(way, 0, data, sizeof(data));
	else
		size = get(way, await_sender(find(name), !strcmp(way, "late")), data, sizeof(data));
	MUST(size > 0);
	send_on(data, size);
	return 0;
}

static void put_sysv(const char *data, size_t size)
{
	struct {
		long type;
		char text[4096];
	} message = { .type = 1 };

	memcpy(message.text, data, size);
	MUST(!msgsnd(msgget(ftok(".", 1), 0600), &message, size, 0));
}

static int send_file(const char *name, const char *path)
{
	const struct kind *kind = find(name);
	struct sockaddr_storage address;
	static char data[4096];
	ssize_t size = read(open(path, O_RDONLY), data, sizeof(data));
	int fd;

	MUST(size > 0);
	if (!strcmp(name, "sysv")) {
		put_sysv(data, size);
	} else if (!strcmp(name, "queue")) {
		MUST(!mq_send(mq_open("/tacet-test", O_WRONLY), data, size, 1));
	} else {
		fd = socket(kind->family, kind->type, 0);
		MUST(!connect(fd, (void *)&address, address_of(kind, &address)));
		MUST(write(fd, data, size) == size);
	}
	return 0;
}

int main(int count, char **words)
{
	if (count == 4 && !strcmp(words[1], "receive"))
		return receive(words[2], words[3]);
	if (count == 4 && !strcmp(words[1], "send"))
		return send_file(words[2], words[3]);
	return 2;
}
