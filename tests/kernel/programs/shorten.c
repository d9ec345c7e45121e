// SPDX-License-Identifier: GPL-2.0-only
/*
 * shorten WAY FILE: makes a file shorter, or makes a hole in it, in one of the ways below. Each gives up the
 * 16 KiB at its beginning, or all but these. Prints nothing, and fails if the kernel does.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define LENGTH 16384

static void check(int result, const char *what)
{
	if (result)
		err(1, "%s", what);
}

static void give_up(int file, int mode)
{
	check(fallocate(file, mode, 0, LENGTH), "fallocate");
}

static void remove_pages(int file)
{
	void *pages = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (pages == MAP_FAILED)
		err(1, "mmap");
	check(madvise(pages, LENGTH, MADV_REMOVE), "madvise");
}

/* ext4 refuses it, and the file must stay as it was. XFS does not. Returns 2 then. */
static int try_immutable(int file)
{
	int flags, result;

	check(ioctl(file, FS_IOC_GETFLAGS, &flags), "flags");
	flags |= FS_IMMUTABLE_FL;
	check(ioctl(file, FS_IOC_SETFLAGS, &flags), "flags");
	if (!fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, LENGTH) || errno != EPERM)
		errx(1, "an immutable file got a hole");
	result = ftruncate(file, 0) ? 0 : 2;
	flags &= ~FS_IMMUTABLE_FL;
	check(ioctl(file, FS_IOC_SETFLAGS, &flags), "flags");
	return result;
}

int main(int argc, char **argv)
{
	const char *way = argc == 3 ? argv[1] : "";
	int file = argc == 3 ? open(argv[2], O_RDWR) : -1;

	if (file < 0)
		err(1, "usage: shorten WAY FILE");
	if (!strcmp(way, "name"))
		check(truncate(argv[2], LENGTH), "truncate");
	else if (!strcmp(way, "descriptor"))
		check(ftruncate(file, LENGTH), "ftruncate");
	else if (!strcmp(way, "punch"))
		give_up(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
	else if (!strcmp(way, "zero"))
		give_up(file, FALLOC_FL_ZERO_RANGE);
	else if (!strcmp(way, "collapse"))
		give_up(file, FALLOC_FL_COLLAPSE_RANGE);
	else if (!strcmp(way, "mapped"))
		remove_pages(file);
	else if (!strcmp(way, "immutable"))
		return try_immutable(file);
	else
		errx(1, "unknown way %s", way);
	return 0;
}
