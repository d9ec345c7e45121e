/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the program that leaks: ways to get a labelled file's bytes, ways to send them. */
#ifndef _TACET_LEAK_H
#define _TACET_LEAK_H

#include <stdnoreturn.h>
#include <sys/types.h>

#define LEAK_SIZE 4096

struct leak_way {
	const char *name;
	/* Trigger: fills @data from @path. Output: sends @data. The number of bytes, or -1 with errno. */
	ssize_t (*run)(const char *path, char *data, size_t size);
};

extern const struct leak_way leak_triggers[], leak_outputs[];

/* A socket connected to the other host. */
int leak_connect(int type);
struct sockaddr_in;
struct sockaddr_in leak_address(void);
noreturn void leak_fail(const char *what);

/* leak_ring.c: reading and sending by io_uring and aio. */
ssize_t leak_read_by_ring(const char *path, char *data, size_t size);
ssize_t leak_read_by_aio(const char *path, char *data, size_t size);
ssize_t leak_read_by_ring_with_thread(const char *path, char *data, size_t size);
ssize_t leak_read_by_pending_ring(const char *path, char *data, size_t size);

#endif
