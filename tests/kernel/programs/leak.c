// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gets the bytes of a file in one way and sends them to the other host in another.
 *   leak TRIGGER OUTPUT FILE
 *   leak received FD OUTPUT      goes on with what can be read from FD (used by trigger "exec")
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "leak.h"

noreturn void leak_fail(const char *what)
{
	perror(what);
	_exit(1);
}

struct sockaddr_in leak_address(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };

	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	return address;
}

int leak_connect(int type)
{
	struct sockaddr_in address = leak_address();
	int fd = socket(AF_INET, type, 0);

	if (connect(fd, (void *)&address, sizeof(address)))
		leak_fail("connect");
	return fd;
}

static const struct leak_way *find(const struct leak_way *ways, const char *name)
{
	for (; ways->name; ways++)
		if (!strcmp(ways->name, name))
			return ways;
	fprintf(stderr, "leak: no way %s\n", name);
	exit(2);
}

int main(int count, char **words)
{
	static char data[LEAK_SIZE];
	const struct leak_way *output;
	ssize_t size;

	if (count != 4)
		return 2;
	if (!strcmp(words[1], "received")) {
		output = find(leak_outputs, words[3]);
		size = read(atoi(words[2]), data, sizeof(data));
	} else {
		output = find(leak_outputs, words[2]);
		setenv("LEAK_OUTPUT", words[2], 1);
		size = find(leak_triggers, words[1])->run(words[3], data, sizeof(data));
	}
	if (size < 0)
		leak_fail(words[1]);
	if (output->run(words[3], data, size) < 0)
		leak_fail(words[2]);
	return 0;
}
