// SPDX-License-Identifier: GPL-2.0-only
/* The address space: both runs must get the same addresses, which are part of the message. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "innocent.h"

static void nothing(void)
{
}

static void allocations(void)
{
	char *blocks[256];
	unsigned long sum = 0;

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 256; i++) {
			blocks[i] = malloc(16 << (i % 14));
			INNOCENT_MUST(blocks[i]);
			memset(blocks[i], i, 16);
			sum = sum * 31 + (unsigned long)blocks[i];
		}
		for (int i = 0; i < 256; i++)
			free(blocks[(i * 7) % 256]);
	}
	innocent_say(" %lx", sum);
}

static void mappings(void)
{
	char *areas[32], *area;

	for (int i = 0; i < 32; i++) {
		areas[i] = mmap(NULL, 4096 * (i + 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		INNOCENT_MUST(areas[i] != MAP_FAILED);
		areas[i][0] = i;
	}
	for (int i = 0; i < 32; i += 2)
		munmap(areas[i], 4096 * (i + 1));
	area = mremap(areas[1], 8192, 1 << 20, MREMAP_MAYMOVE);
	INNOCENT_MUST(area != MAP_FAILED && area[0] == 1);
	INNOCENT_MUST(!mprotect(area, 4096, PROT_READ) && !madvise(area + 4096, 4096, MADV_DONTNEED));
	INNOCENT_MUST(mremap(areas[3], 4 * 4096, 2 * 4096, 0) == areas[3]);
	innocent_say(" %p %p", (void *)area, sbrk(0));
	INNOCENT_MUST(sbrk(1 << 16) != (void *)-1);
	innocent_say(" %p", sbrk(0));
}

static void file_mapping(void)
{
	int fd = open("/usr/bin/leak", O_RDONLY);
	const char *area = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE, fd, 0);

	INNOCENT_MUST(area != MAP_FAILED && !memcmp(area, "\177ELF", 4));
	innocent_say(" %p %d", (const void *)area, area[16]);
}

/* Made after the file was read. */
static void shared_later(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	INNOCENT_MUST(page != MAP_FAILED);
	strcpy(page, "shared");
	innocent_say(" %s", page);
}

const struct innocent_deed innocent_memory[] = {
	{ "nothing", nothing },		  { "allocations", allocations },   { "mappings", mappings },
	{ "file-mapping", file_mapping }, { "shared-later", shared_later }, { NULL, NULL },
};
