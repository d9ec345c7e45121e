// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads `secret` and makes other calls when it holds what its scrubbed copy does not; then sends "constant".
 *   apart WAY
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int local, third, connection;

static void put(int fd, const char *text, int times)
{
	while (times-- > 0)
		if (write(fd, text, strlen(text)) < 0)
			perror("write");
}

static void ask_the_time(int times)
{
	struct timespec now;

	while (times-- > 0)
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
}

static void ask(void)
{
	struct stat stat;

	fstat(local, &stat);
	access("other", R_OK);
	ask_the_time(1);
}

static void fork_once(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

/* The next read from the file tells where it was. */
static void send_from(int position)
{
	char text[4];

	if (position)
		lseek(third, position, SEEK_SET);
	if (read(third, text, sizeof(text)) == sizeof(text))
		write(connection, text, sizeof(text));
}

static void go(const char *way, int found)
{
	if (!strcmp(way, "original-writes"))
		put(local, "yes\n", found);
	else if (!strcmp(way, "doppelganger-writes"))
		put(local, "no\n", !found);
	else if (!strcmp(way, "each-elsewhere"))
		put(found ? local : third, "text\n", 1);
	else if (!strcmp(way, "another-number"))
		put(local, "text\n", found ? 5 : 2);
	else if (!strcmp(way, "fewer"))
		put(local, "text\n", found ? 2 : 5);
	else if (!strcmp(way, "up-to-the-limit"))
		put(local, "text\n", found ? 60 : 0);
	else if (!strcmp(way, "beyond-the-limit"))
		put(local, "text\n", found ? 70 : 0);
	else if (!strcmp(way, "original-sends"))
		put(connection, "yes\n", found);
	else if (!strcmp(way, "original-prints"))
		put(1, "yes\n", found);
	else if (!strcmp(way, "asks") && found)
		ask();
	else if (!strcmp(way, "time"))
		ask_the_time(found ? 2 : 5);
	else if (!strcmp(way, "forks") && found)
		fork_once();
	else if (!strcmp(way, "position"))
		send_from(found ? 4 : 0);
}

int main(int count, char **words)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	char data[4096];
	ssize_t size;
	int secret;

	if (count != 2)
		return 2;
	secret = open("secret", O_RDONLY);
	local = open("other", O_RDWR | O_CREAT, 0600);
	third = open("third", O_RDWR | O_CREAT, 0600);
	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	connection = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(connection, (void *)&address, sizeof(address))) {
		perror("connect");
		return 1;
	}
	write(third, "onetwothree", 11);
	lseek(third, 0, SEEK_SET);
	size = read(secret, data, sizeof(data));
	if (size < 0)
		return 1;
	go(words[1], memmem(data, size, "Sphinx", 6) != NULL);
	if (strcmp(words[1], "original-prints"))
		put(connection, "constant\n", 1);
	return 0;
}
