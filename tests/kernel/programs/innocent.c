// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a labelled file, does one of many things, and sends what it has learned of the system, but nothing of the
 * file, to the other host: nobody may be asked about that.
 *   innocent DEED FILE
 *   innocent list
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "innocent.h"

static const struct innocent_deed *const chapters[] = {
	innocent_memory,  innocent_signals, innocent_waiting, innocent_processes,
	innocent_threads, innocent_system,  innocent_filters,
};
static const struct innocent_deed *const earlier_chapters[] = { innocent_threads_earlier, innocent_filters_earlier };
char innocent_content[65536];
static char message[8192];
static size_t length;

void innocent_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	length += vsnprintf(message + length, sizeof(message) - length, format, arguments);
	va_end(arguments);
	if (length >= sizeof(message))
		innocent_fail("message too long");
}

noreturn void innocent_fail(const char *what)
{
	fprintf(stderr, "innocent: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void read_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t size;

	INNOCENT_MUST(fd >= 0);
	do
		size = read(fd, innocent_content, sizeof(innocent_content));
	while (size > 0);
	INNOCENT_MUST(size == 0);
	close(fd);
}

static void send_message(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	INNOCENT_MUST(connect(fd, (void *)&address, sizeof(address)) == 0);
	INNOCENT_MUST(write(fd, message, length) == (ssize_t)length);
	close(fd);
}

static void prepare(const char *name)
{
	const struct innocent_deed *deed;

	for (size_t i = 0; i < sizeof(earlier_chapters) / sizeof(*earlier_chapters); i++)
		for (deed = earlier_chapters[i]; deed->name; deed++)
			if (!strcmp(name, deed->name))
				deed->run();
}

static const struct innocent_deed *find(const char *name)
{
	const struct innocent_deed *deed;

	for (size_t i = 0; i < sizeof(chapters) / sizeof(*chapters); i++)
		for (deed = chapters[i]; deed->name; deed++) {
			if (!strcmp(name, "list"))
				printf("%s\n", deed->name);
			else if (!strcmp(name, deed->name))
				return deed;
		}
	return NULL;
}

int main(int count, char **words)
{
	const struct innocent_deed *deed;

	if (count < 2)
		return 2;
	deed = find(words[1]);
	if (!deed)
		return strcmp(words[1], "list") != 0;
	prepare(deed->name);
	read_file(words[2]);
	innocent_say("deed %s:", deed->name);
	deed->run();
	innocent_say(" done\n");
	send_message();
	return 0;
}
