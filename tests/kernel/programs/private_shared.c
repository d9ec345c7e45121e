// SPDX-License-Identifier: GPL-2.0-only
/* Locks and futexes of what a session shares with others: who finds the one locked, and who is woken by the other. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

#define TRIES 20

static void lock(const char *name, int fd)
{
	struct flock part = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int result = flock(fd, LOCK_EX | LOCK_NB) ? errno : 0;
	int posix = fcntl(fd, F_SETLK, &part) ? errno : 0;

	printf(" %s=%s,%s", name, result ? strerrorname_np(result) : "done", posix ? strerrorname_np(posix) : "done");
	close(fd);
}

int shared_locks(char **files)
{
	int pipes[2];

	lock("null", open("/dev/null", O_RDONLY));
	lock("namespace", open("/proc/self/ns/user", O_RDONLY));
	lock("process", syscall(SYS_pidfd_open, getpid(), 0));
	lock("epoll", epoll_create1(0));
	lock("memory", memfd_create("locked", 0));
	if (pipe(pipes))
		return 1;
	lock("pipe", pipes[0]);
	for (; *files; files++)
		lock(strrchr(*files, '/') + 1, open(*files, O_RDONLY));
	puts("");
	return 0;
}

static uint32_t *map_word(const char *path, bool private)
{
	int fd = open(path, O_RDONLY);
	uint32_t *word = mmap(NULL, sizeof(*word), PROT_READ, private ? MAP_PRIVATE : MAP_SHARED, fd, 0);

	close(fd);
	return word == MAP_FAILED ? NULL : word;
}

int shared_wait(const char *path)
{
	const struct timespec limit = { .tv_sec = 20 };
	uint32_t *word = map_word(path, false);

	if (!word)
		return 1;
	puts("waiting");
	puts(syscall(SYS_futex, word, FUTEX_WAIT, *word, &limit, NULL, 0) ? strerrorname_np(errno) : "woken");
	return 0;
}

int shared_wake(const char *path)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	uint32_t *shared = map_word(path, false), *private = map_word(path, true);
	long woken = 0;
	int i;

	if (!shared || !private)
		return 1;
	for (i = 0; i < TRIES && !woken; i++) {
		/* Pages must be there, or the kernel finds no key. */
		*(volatile uint32_t *)private;
		woken = syscall(SYS_futex, shared, FUTEX_WAKE, 1, NULL, NULL, 0) +
			syscall(SYS_futex, private, FUTEX_WAKE, 1, NULL, NULL, 0);
		nanosleep(&pause, NULL);
	}
	printf("%ld\n", woken);
	return 0;
}
