// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes one change to a file by one system call, and prints what came of it: WAY and 0 or the name of the error.
 *   change WAY FILE [OTHER]    write, append, truncate-open, truncate, unlink, rename, exchange, away
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int change(const char *way, const char *file, const char *other)
{
	if (!strcmp(way, "write"))
		return open(file, O_RDWR);
	if (!strcmp(way, "append"))
		return open(file, O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (!strcmp(way, "truncate-open"))
		return open(file, O_RDONLY | O_TRUNC);
	if (!strcmp(way, "truncate"))
		return truncate(file, 3);
	if (!strcmp(way, "unlink"))
		return unlink(file);
	if (!strcmp(way, "rename"))
		return rename(other, file);
	if (!strcmp(way, "exchange"))
		return renameat2(AT_FDCWD, file, AT_FDCWD, other, RENAME_EXCHANGE);
	if (!strcmp(way, "away"))
		return rename(file, other);
	errno = EINVAL;
	return -1;
}

int main(int count, char **words)
{
	int failed;

	if (count < 3)
		return 2;
	failed = change(words[1], words[2], words[3]) < 0;
	printf("%s %s\n", words[1], failed ? strerrorname_np(errno) : "0");
	return failed;
}
