// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the lock of its own memory for as long as a file system is frozen: a store into a file there waits, and
 * mmap() of another file, which the program has open for writing, waits for the store.
 *   stuck FROZEN FILE   maps both, freezes the file system of the first, and makes the file `ready`
 *   stuck DIRECTORY     thaws the file system
 */
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 4096

static void must(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static char *map(const char *path, int *fd)
{
	char *mapped;

	*fd = open(path, O_RDWR);
	mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	must(mapped != MAP_FAILED, path);
	return mapped;
}

static void *store(void *mapped)
{
	*(volatile char *)mapped = 'x';
	return NULL;
}

int main(int count, char **words)
{
	char *frozen, *other;
	pthread_t thread;
	int fd, other_fd;

	if (count == 2) {
		must(!ioctl(open(words[1], O_RDONLY), FITHAW, 0), "thaw");
		return 0;
	}
	if (count != 3)
		return 2;
	frozen = map(words[1], &fd);
	other = map(words[2], &other_fd);
	must(*(volatile char *)other, "read");
	must(!ioctl(fd, FIFREEZE, 0), "freeze");
	must(!pthread_create(&thread, NULL, store, frozen), "thread");
	usleep(200000);
	must(creat("ready", 0600) >= 0, "ready");
	must(mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, other_fd, 0) != MAP_FAILED, "map");
	return 0;
}
