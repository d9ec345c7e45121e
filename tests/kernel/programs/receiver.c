// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other host: takes whatever comes on TCP 9, TCP 80 (with an answer to HTTP uploads), UDP 9 and 53,
 * and tells what came since the last time when asked through two FIFOs.
 *   receiver ASK ANSWER    a line into ASK makes it write the bytes, as hexadecimal, into ANSWER
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 128
#define QUIET_MS 15
#define PATIENCE_MS 600

enum {
	ASK,
	DISCARD,
	HTTP,
	DATAGRAMS,
	NAMES,
	FIXED
};

static struct pollfd files[FIXED + CONNECTIONS];
/* HTTP: bytes of the request that are still to come; -1: the header is not complete. */
static long missing[FIXED + CONNECTIONS];
static unsigned int count = FIXED;
static unsigned char *received;
static size_t length, capacity;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int listen_on(int type, int port)
{
	/* Takes IPv4 too. */
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	int yes = 1, fd = socket(AF_INET6, type | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, (void *)&address, sizeof(address)) || (type == SOCK_STREAM && listen(fd, 64)))
		die("receiver");
	return fd;
}

static void keep(const void *data, size_t size)
{
	if (length + size > capacity) {
		capacity = 2 * (length + size);
		received = realloc(received, capacity);
		if (!received)
			die("receiver");
	}
	memcpy(received + length, data, size);
	length += size;
}

static void accept_from(unsigned int listener)
{
	int fd = accept4(files[listener].fd, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0 || count == FIXED + CONNECTIONS) {
		close(fd);
		return;
	}
	missing[count] = listener == HTTP ? -1 : 0;
	files[count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* Follows an upload's request; true when it is complete. */
static bool request_complete(unsigned int i, const char *data, long size)
{
	const char *end, *field;

	if (missing[i] > 0) {
		missing[i] -= size;
	} else if (missing[i] < 0) {
		end = memmem(data, size, "\r\n\r\n", 4);
		field = memmem(data, size, "Content-Length:", 15);
		if (!end)
			return false;
		missing[i] = (field ? atol(field + 15) : 0) - (data + size - end - 4);
	} else {
		return false;
	}
	return missing[i] <= 0;
}

static bool receive(unsigned int i)
{
	static char data[1 << 16];
	ssize_t size = recv(files[i].fd, data, sizeof(data) - 1, MSG_DONTWAIT);
	static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

	if (size <= 0)
		return false;
	data[size] = 0;
	keep(data, size);
	if (request_complete(i, data, size)) {
		missing[i] = 0;
		if (send(files[i].fd, answer, sizeof(answer) - 1, MSG_NOSIGNAL) < 0)
			return false;
	}
	return true;
}

static void answer_question(const char *path)
{
	FILE *answer = fopen(path, "w");

	if (!answer)
		die(path);
	for (size_t i = 0; i < length; i++)
		fprintf(answer, "%02x", received[i]);
	fprintf(answer, "\n");
	fclose(answer);
	length = 0;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void serve_connections(void)
{
	unsigned int i;

	for (i = FIXED; i < count;) {
		if (files[i].revents && !receive(i)) {
			close(files[i].fd);
			files[i] = files[--count];
			missing[i] = missing[count];
		} else {
			i++;
		}
	}
}

static bool serve(void)
{
	char line[256];

	if (files[DISCARD].revents)
		accept_from(DISCARD);
	if (files[HTTP].revents)
		accept_from(HTTP);
	if (files[DATAGRAMS].revents)
		receive(DATAGRAMS);
	if (files[NAMES].revents)
		receive(NAMES);
	return files[ASK].revents && read(files[ASK].fd, line, sizeof(line)) > 0;
}

int main(int arguments, char **words)
{
	long asked = 0;

	if (arguments != 3)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	files[ASK].fd = open(words[1], O_RDWR | O_CLOEXEC);
	files[DISCARD].fd = listen_on(SOCK_STREAM, 9);
	files[HTTP].fd = listen_on(SOCK_STREAM, 80);
	files[DATAGRAMS].fd = listen_on(SOCK_DGRAM, 9);
	files[NAMES].fd = listen_on(SOCK_DGRAM, 53);
	for (unsigned int i = 0; i < FIXED; i++)
		files[i].events = POLLIN;
	printf("ready\n");
	fflush(stdout);
	for (;;) {
		int ready = poll(files, count, asked ? QUIET_MS : -1);

		if (ready > 0) {
			serve_connections();
			if (serve())
				asked = now_ms();
		}
		if (asked && ((!ready && count == FIXED) || now_ms() - asked > PATIENCE_MS)) {
			answer_question(words[2]);
			asked = 0;
		}
	}
}
