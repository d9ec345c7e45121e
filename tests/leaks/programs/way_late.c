// SPDX-License-Identifier: GPL-2.0-only
/* A file gets its label, and the data with it, while a call of the program that leaks it is under way. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "way.h"

#define PIECE (1 << 19)
#define HELD (64 << 20)

static char data[WAY_SIZE], pieces[PIECE];
static int begun[2], stored[2];

static int memory_file(size_t size)
{
	int fd = memfd_create("late", 0);

	WAY_MUST(fd >= 0 && !ftruncate(fd, size) && !pipe(begun) && !pipe(stored));
	return fd;
}

/* One read of half a gigabyte: nearly all of it is a hole, and a child writes the end meanwhile. */
static void labelled_while_read(const char *path)
{
	static struct iovec to[IOV_MAX];
	off_t size = (off_t)PIECE * (IOV_MAX - 1) + sizeof(data);
	int fd = memory_file(size);

	for (int i = 0; i < IOV_MAX; i++)
		to[i] = (struct iovec){ pieces, PIECE };
	to[IOV_MAX - 1] = (struct iovec){ data, sizeof(data) };
	if (!fork()) {
		way_await(begun);
		WAY_MUST(way_read(path, data) && pwrite(fd, data, sizeof(data), size - sizeof(data)) == sizeof(data));
		_exit(0);
	}
	way_tell(begun);
	WAY_MUST(preadv(fd, to, IOV_MAX, 0) == size);
	/* Where the child came too late. */
	while (!data[0])
		WAY_MUST(pread(fd, data, sizeof(data), size - sizeof(data)) == sizeof(data));
	way_send(data, 64);
}

/* Holds the lock that a mapping needs, for most of the time. */
static void *hold_memory(void *is_mapped)
{
	while (!*(volatile int *)is_mapped)
		munmap(mmap(NULL, HELD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0),
		       HELD);
	return NULL;
}

static void labelled_while_mapping(const char *path)
{
	int fd = memory_file(WAY_SIZE), is_mapped = 0;
	pthread_t thread;
	char *page;

	if (!fork()) {
		page = mmap(NULL, WAY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		way_await(begun);
		memcpy(page, data, way_read(path, data));
		way_tell(stored);
		_exit(0);
	}
	WAY_MUST(!pthread_create(&thread, NULL, hold_memory, &is_mapped));
	usleep(50000);
	way_tell(begun);
	page = mmap(NULL, WAY_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
	is_mapped = 1;
	way_await(stored);
	way_send(page, 64);
}

const struct way way_late[] = {
	{ "labelled-while-read", labelled_while_read },
	{ "labelled-while-mapping", labelled_while_mapping },
	{ NULL, NULL },
};
