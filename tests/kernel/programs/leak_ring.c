// SPDX-License-Identifier: GPL-2.0-only
/* Reading by io_uring and by aio, with the bare system calls; both are set up before the file is touched. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leak.h"

struct ring {
	int fd;
	char *area;
	struct io_uring_sqe *entries;
	struct io_uring_params parameters;
};

static int set_up(struct ring *ring, unsigned int flags)
{
	size_t size;

	memset(ring, 0, sizeof(*ring));
	ring->parameters.flags = flags;
	ring->parameters.sq_thread_idle = 5000;
	ring->fd = syscall(__NR_io_uring_setup, 4, &ring->parameters);
	if (ring->fd < 0)
		return -1;
	size = ring->parameters.cq_off.cqes + ring->parameters.cq_entries * sizeof(struct io_uring_cqe);
	ring->area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
	ring->entries = mmap(NULL, 4 * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
			     IORING_OFF_SQES);
	return ring->area == MAP_FAILED || ring->entries == MAP_FAILED ? -1 : 0;
}

static unsigned int *word(struct ring *ring, unsigned int offset)
{
	return (unsigned int *)(ring->area + offset);
}

static int submit_read(struct ring *ring, int fd, char *data, size_t size)
{
	ring->entries[0] =
		(struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = fd, .addr = (unsigned long)data, .len = size };
	word(ring, ring->parameters.sq_off.array)[0] = 0;
	__atomic_store_n(word(ring, ring->parameters.sq_off.tail), 1, __ATOMIC_RELEASE);
	return syscall(__NR_io_uring_enter, ring->fd, 1, 0, 0, NULL, 0);
}

/* Looks at memory only: no call says that the result is there. */
static ssize_t await_result(struct ring *ring)
{
	struct io_uring_cqe *entry = (void *)(ring->area + ring->parameters.cq_off.cqes);

	for (int i = 0; i < 1000; i++) {
		if (__atomic_load_n(word(ring, ring->parameters.cq_off.tail), __ATOMIC_ACQUIRE)) {
			errno = -entry->res;
			return entry->res < 0 ? -1 : entry->res;
		}
		usleep(10000);
	}
	errno = ETIME;
	return -1;
}

ssize_t leak_read_by_ring(const char *path, char *data, size_t size)
{
	struct ring ring;

	if (set_up(&ring, 0) || submit_read(&ring, open(path, O_RDONLY), data, size) < 0)
		return -1;
	return await_result(&ring);
}

/* A thread of the kernel takes the request from memory, and is woken if it sleeps already. */
ssize_t leak_read_by_ring_with_thread(const char *path, char *data, size_t size)
{
	struct ring ring;
	int fd = open(path, O_RDONLY);

	if (set_up(&ring, IORING_SETUP_SQPOLL))
		return -1;
	ring.entries[0] =
		(struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = fd, .addr = (unsigned long)data, .len = size };
	word(&ring, ring.parameters.sq_off.array)[0] = 0;
	__atomic_store_n(word(&ring, ring.parameters.sq_off.tail), 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(word(&ring, ring.parameters.sq_off.flags), __ATOMIC_SEQ_CST) & IORING_SQ_NEED_WAKEUP &&
	    syscall(__NR_io_uring_enter, ring.fd, 1, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0) < 0)
		return -1;
	return await_result(&ring);
}

/* The request waits in the kernel already when derived data comes into the pipe. */
ssize_t leak_read_by_pending_ring(const char *path, char *data, size_t size)
{
	struct ring ring;
	ssize_t got;
	int ends[2];

	if (pipe(ends))
		return -1;
	if (!fork()) {
		usleep(150000);
		got = read(open(path, O_RDONLY), data, size);
		_exit(write(ends[1], data, got) < 0);
	}
	if (set_up(&ring, 0) || submit_read(&ring, ends[0], data, size) < 0)
		return -1;
	got = await_result(&ring);
	wait(NULL);
	return got;
}

ssize_t leak_read_by_aio(const char *path, char *data, size_t size)
{
	struct iocb block = { .aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (unsigned long)data, .aio_nbytes = size };
	struct iocb *list = &block;
	struct io_event event;
	aio_context_t context = 0;

	block.aio_fildes = open(path, O_RDONLY);
	if (syscall(__NR_io_setup, 4, &context) || syscall(__NR_io_submit, context, 1, &list) != 1 ||
	    syscall(__NR_io_getevents, context, 1, 1, &event, NULL) != 1)
		return -1;
	errno = -event.res;
	return event.res < 0 ? -1 : event.res;
}
