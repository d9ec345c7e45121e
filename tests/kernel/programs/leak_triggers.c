// SPDX-License-Identifier: GPL-2.0-only
/* Ways to get at the bytes of a labelled file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leak.h"

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		leak_fail(path);
	return fd;
}

static ssize_t by_read(const char *path, char *data, size_t size)
{
	return read(open_file(path), data, size);
}

/* Time for the doppelganger to be killed or stopped. */
static ssize_t held(const char *path, char *data, size_t size)
{
	ssize_t got = read(open_file(path), data, size);

	close(open("held", O_CREAT, 0600));
	while (access("go", F_OK))
		usleep(10000);
	return got;
}

static ssize_t by_pread(const char *path, char *data, size_t size)
{
	return pread(open_file(path), data, size, 0);
}

static ssize_t by_readv(const char *path, char *data, size_t size)
{
	struct iovec parts[] = { { data, 7 }, { data + 7, size - 7 } };

	return readv(open_file(path), parts, 2);
}

static ssize_t by_preadv(const char *path, char *data, size_t size)
{
	struct iovec parts[] = { { data, 7 }, { data + 7, size - 7 } };

	return preadv(open_file(path), parts, 2, 0);
}

static ssize_t by_preadv2(const char *path, char *data, size_t size)
{
	struct iovec parts[] = { { data, 7 }, { data + 7, size - 7 } };

	return preadv2(open_file(path), parts, 2, -1, 0);
}

static ssize_t by_mapping(const char *path, char *data, size_t size, int flags)
{
	int fd = open_file(path);
	off_t length = lseek(fd, 0, SEEK_END);
	const char *mapped = mmap(NULL, length, PROT_READ, flags, fd, 0);

	if (mapped == MAP_FAILED)
		return -1;
	if ((size_t)length > size)
		length = size;
	memcpy(data, mapped, length);
	return length;
}

static ssize_t by_private_mapping(const char *path, char *data, size_t size)
{
	return by_mapping(path, data, size, MAP_PRIVATE);
}

static ssize_t by_shared_mapping(const char *path, char *data, size_t size)
{
	return by_mapping(path, data, size, MAP_SHARED);
}

static int scratch_file(void)
{
	return open("scratch", O_RDWR | O_CREAT | O_TRUNC, 0600);
}

static ssize_t by_sendfile(const char *path, char *data, size_t size)
{
	int copy = scratch_file();

	if (sendfile(copy, open_file(path), NULL, size) < 0)
		return -1;
	return pread(copy, data, size, 0);
}

static ssize_t by_copy_file_range(const char *path, char *data, size_t size)
{
	int copy = scratch_file();

	if (copy_file_range(open_file(path), NULL, copy, NULL, size, 0) < 0)
		return -1;
	return pread(copy, data, size, 0);
}

static ssize_t by_splice(const char *path, char *data, size_t size)
{
	int ends[2];

	if (pipe(ends) || splice(open_file(path), NULL, ends[1], NULL, size, 0) < 0)
		return -1;
	return read(ends[0], data, size);
}

/* The read end of a pipe is emptied by vmsplice. */
static ssize_t by_vmsplice(const char *path, char *data, size_t size)
{
	struct iovec part = { data, size };
	int ends[2];

	if (pipe(ends) || splice(open_file(path), NULL, ends[1], NULL, size, 0) < 0)
		return -1;
	return vmsplice(ends[0], &part, 1, 0);
}

static ssize_t by_tee(const char *path, char *data, size_t size)
{
	int ends[2], copy[2];

	if (pipe(ends) || pipe(copy) || splice(open_file(path), NULL, ends[1], NULL, size, 0) < 0 ||
	    tee(ends[0], copy[1], size, 0) < 0)
		return -1;
	return read(copy[0], data, size);
}

/* The child has the descriptor from its parent, which never reads. */
static ssize_t by_fork(const char *path, char *data, size_t size)
{
	int fd = open_file(path), status;

	if (!fork())
		return read(fd, data, size);
	wait(&status);
	_exit(WEXITSTATUS(status));
}

static ssize_t by_exec(const char *path, char *data, size_t size)
{
	char number[12];

	(void)data, (void)size;
	sprintf(number, "%d", open_file(path));
	execlp("leak", "leak", "received", number, getenv("LEAK_OUTPUT"), NULL);
	return -1;
}

union control {
	struct cmsghdr header;
	char space[CMSG_SPACE(sizeof(int))];
};

static void pass(int socket, int fd)
{
	union control control = { .header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec part = { "x", 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control.space)
	};

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	if (sendmsg(socket, &message, 0) < 0)
		leak_fail("pass");
}

static int take(int socket)
{
	union control control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control.space)
	};
	int fd;

	if (recvmsg(socket, &message, 0) < 0)
		leak_fail("take");
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

static ssize_t by_passed_file(const char *path, char *data, size_t size)
{
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return -1;
	if (!fork()) {
		pass(sockets[1], open_file(path));
		_exit(0);
	}
	wait(NULL);
	return read(take(sockets[0]), data, size);
}

/* The pipe is full of derived data before its reader gets the read end. */
static ssize_t by_passed_pipe(const char *path, char *data, size_t size)
{
	int sockets[2], ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return -1;
	if (!fork()) {
		size = read(open_file(path), data, size);
		if (pipe(ends) || write(ends[1], data, size) < 0)
			leak_fail("pipe");
		pass(sockets[1], ends[0]);
		_exit(0);
	}
	wait(NULL);
	return read(take(sockets[0]), data, size);
}

static void label(const char *path)
{
	char command[128];

	sprintf(command, "agent label %.100s", path);
	if (system(command))
		leak_fail(command);
}

static ssize_t labelled_while_open(const char *path, char *data, size_t size)
{
	int fd = open_file(path);

	/* The mode of notification is kept from the first use on. */
	if (read(fd, data, 1) < 0 || lseek(fd, 0, SEEK_SET))
		return -1;
	label(path);
	return read(fd, data, size);
}

static ssize_t labelled_while_mapped(const char *path, char *data, size_t size)
{
	int fd = open_file(path);
	off_t length = lseek(fd, 0, SEEK_END);
	const char *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);

	(void)size;
	if (mapped == MAP_FAILED)
		return -1;
	label(path);
	memcpy(data, mapped, length);
	return length;
}

static ssize_t labelled_while_blocked(const char *path, char *data, size_t size)
{
	int fd = open_file(path);

	if (!fork()) {
		usleep(100000);
		label(path);
		_exit(0);
	}
	wait(NULL);
	return read(fd, data, size);
}

/* Both halves of a pair would see this page if it stayed shared. */
static ssize_t into_shared_page(const char *path, char *data, size_t size)
{
	char *page = mmap(NULL, LEAK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ssize_t got = read(open_file(path), page, size);

	if (got > 0)
		memcpy(data, page, got);
	return got;
}

static ssize_t into_shared_file(const char *path, char *data, size_t size)
{
	int fd = scratch_file();
	ssize_t got;
	char *page;

	if (ftruncate(fd, LEAK_SIZE))
		return -1;
	page = mmap(NULL, LEAK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	got = read(open_file(path), page, size);
	if (got > 0)
		memcpy(data, page, got);
	return got;
}

struct thread_read {
	const char *path;
	char *data;
	size_t size;
	ssize_t got;
};

static void *read_in_thread(void *argument)
{
	struct thread_read *job = argument;

	job->got = read(open_file(job->path), job->data, job->size);
	return NULL;
}

static ssize_t by_thread(const char *path, char *data, size_t size)
{
	struct thread_read job = { path, data, size, -1 };
	pthread_t thread;

	if (pthread_create(&thread, NULL, read_in_thread, &job) || pthread_join(thread, NULL))
		return -1;
	return job.got;
}

/* Makes a child; whoever has read other data would make a thread. */
static ssize_t clone_by_content(const char *path, char *data, size_t size)
{
	static char stack[16384] __attribute__((aligned(16)));
	struct clone_args arguments = { .exit_signal = SIGCHLD };
	ssize_t got = by_read(path, data, size);
	pid_t child;

	if (got > 0 && data[0] != 'n')
		arguments = (struct clone_args){ .flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
						 .stack = (uintptr_t)stack,
						 .stack_size = sizeof(stack) };
	child = syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return got;
}

const struct leak_way leak_triggers[] = {
	{ "read", by_read },
	{ "held", held },
	{ "pread", by_pread },
	{ "readv", by_readv },
	{ "preadv", by_preadv },
	{ "preadv2", by_preadv2 },
	{ "mmap-private", by_private_mapping },
	{ "mmap-shared", by_shared_mapping },
	{ "sendfile", by_sendfile },
	{ "splice", by_splice },
	{ "vmsplice", by_vmsplice },
	{ "tee", by_tee },
	{ "copy_file_range", by_copy_file_range },
	{ "fork", by_fork },
	{ "exec", by_exec },
	{ "passed-file", by_passed_file },
	{ "passed-pipe", by_passed_pipe },
	{ "thread", by_thread },
	{ "clone-by-content", clone_by_content },
	{ "labelled-while-open", labelled_while_open },
	{ "labelled-while-mapped", labelled_while_mapped },
	{ "labelled-by-child", labelled_while_blocked },
	{ "into-shared-page", into_shared_page },
	{ "into-shared-file", into_shared_file },
	{ "io_uring", leak_read_by_ring },
	{ "io_uring-thread", leak_read_by_ring_with_thread },
	{ "io_uring-pending", leak_read_by_pending_ring },
	{ "aio", leak_read_by_aio },
	{ NULL, NULL },
};
