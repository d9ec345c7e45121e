/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the program that leaks a file at odd moments, and by another process that looks on. */
#ifndef _TACET_WAY_H
#define _TACET_WAY_H

#include <stdio.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#define WAY_SIZE 4096
#define WAY_MUST(condition)                   \
	do {                                  \
		if (!(condition))             \
			way_fail(#condition); \
	} while (0)

struct way {
	const char *name;
	void (*run)(const char *path);
};

extern const struct way way_moments[], way_memory[], way_others[], way_late[];

noreturn void way_fail(const char *what);
/* Fills @data, of WAY_SIZE bytes; the number of bytes. */
size_t way_read(const char *path, char *data);
/* To the other host; ends the process where that fails. Makes calls only, so that signal handlers can. */
void way_send(const void *data, size_t size);
/* By a pipe: says that the other process may go on, and waits for that. */
void way_tell(int *ends);
void way_await(int *ends);
/* Hand a file over a UNIX socket, with a message of one byte. */
void way_pass(int socket, int fd);
int way_take(int socket);

#endif
