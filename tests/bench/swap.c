// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures swapping out and in, in the cgroup that it is started in.
 *   swap STATE MIB RECLAIM-FILE
 * Prints "@cost STATE out NANOSECONDS" and "in": for each page.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void reclaim(const char *file, const char *amount)
{
	int fd = open(file, O_WRONLY), i;

	/* It fails when it has found less than asked for. */
	for (i = 0; i < 4; i++)
		if (write(fd, amount, strlen(amount)) > 0)
			break;
	close(fd);
}

int main(int count, char **arguments)
{
	size_t size, i, pages;
	uint64_t began, out, in;
	volatile char *memory;
	char amount[32];

	if (count < 4)
		return 2;
	size = (size_t)atoi(arguments[2]) << 20;
	pages = size / PAGE;
	mlockall(MCL_CURRENT);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < size; i++)
		memory[i] = i * 31 + i / PAGE;
	snprintf(amount, sizeof(amount), "%zu", size);
	began = now();
	reclaim(arguments[3], amount);
	out = now() - began;
	began = now();
	for (i = 0; i < pages; i++)
		memory[i * PAGE]++;
	in = now() - began;
	printf("@cost %s out %llu\n@cost %s in %llu\n", arguments[1], (unsigned long long)(out / pages), arguments[1],
	       (unsigned long long)(in / pages));
	return 0;
}
