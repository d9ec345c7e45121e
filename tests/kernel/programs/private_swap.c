// SPDX-License-Identifier: GPL-2.0-only
/* Swap devices, device-mapper and the search for stamps. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/swap.h>
#include <unistd.h>

#include "private.h"

#define PAGE 4096
#define CHUNK (1 << 20)
#define MAX_STAMPS 8

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

static uint64_t size_of(int fd)
{
	uint64_t size = 0;

	return ioctl(fd, BLKGETSIZE64, &size) ? 0 : size;
}

int swap_format(const char *device)
{
	static uint32_t page[PAGE / 4] __attribute__((aligned(PAGE)));
	int fd = open(device, O_WRONLY);

	if (fd < 0)
		return fail(device);
	page[256] = 1;
	page[257] = size_of(fd) / PAGE - 1;
	memcpy((char *)page + PAGE - 10, "SWAPSPACE2", 10);
	if (pwrite(fd, page, PAGE, 0) != PAGE || fsync(fd))
		return fail(device);
	close(fd);
	return 0;
}

int swap_on(const char *device, int flags)
{
	return swapon(device, flags) ? fail(device) : 0;
}

int swap_off(const char *device)
{
	return swapoff(device) ? fail(device) : 0;
}

static int control(unsigned long command, const char *name, struct dm_ioctl *header, size_t size)
{
	int fd = open("/dev/mapper/control", O_RDWR), error;

	memset(header, 0, sizeof(*header));
	header->version[0] = DM_VERSION_MAJOR;
	header->data_size = size;
	header->data_start = sizeof(*header);
	snprintf(header->name, sizeof(header->name), "%s", name);
	header->target_count = command == DM_TABLE_LOAD;
	error = fd < 0 || ioctl(fd, command, header) ? fail(name) : 0;
	close(fd);
	return error;
}

static int load(const char *name, const char *type, const char *device, const char *parameters)
{
	static struct {
		struct dm_ioctl header;
		struct dm_target_spec target;
		char parameters[512];
	} table;
	int fd = open(device, O_RDONLY);

	table.target.length = size_of(fd) / 512;
	close(fd);
	snprintf(table.target.target_type, sizeof(table.target.target_type), "%s", type);
	snprintf(table.parameters, sizeof(table.parameters), "%s", parameters);
	return control(DM_TABLE_LOAD, name, &table.header, sizeof(table));
}

int map_create(const char *name, const char *type, const char *device, const char *parameters)
{
	struct dm_ioctl header;

	if (control(DM_DEV_CREATE, name, &header, sizeof(header)))
		return 1;
	if (load(name, type, device, parameters) || control(DM_DEV_SUSPEND, name, &header, sizeof(header))) {
		control(DM_DEV_REMOVE, name, &header, sizeof(header));
		return 1;
	}
	control(DM_DEV_STATUS, name, &header, sizeof(header));
	printf("/dev/dm-%u\n", (unsigned int)(header.dev & 0xff));
	return 0;
}

int map_remove(const char *name)
{
	struct dm_ioctl header;

	return control(DM_DEV_REMOVE, name, &header, sizeof(header));
}

int map_status(const char *name)
{
	static struct {
		struct dm_ioctl header;
		char text[4096];
	} answer;

	if (control(DM_TABLE_STATUS, name, &answer.header, sizeof(answer)))
		return 1;
	puts((char *)&answer + answer.header.data_start + sizeof(struct dm_target_spec));
	return 0;
}

/* @stamps are the complements, so that this program's own memory holds none. */
static int count_range(int fd, uint64_t from, uint64_t end, const uint64_t *stamps, unsigned long *counts)
{
	static uint64_t buffer[CHUNK / 8] __attribute__((aligned(PAGE)));
	unsigned int i, stamp;
	ssize_t size;

	while (from < end) {
		size = pread(fd, buffer, end - from < CHUNK ? end - from : CHUNK, from);
		if (size <= 0)
			return fail("search");
		for (i = 0; i < size / 8; i++)
			for (stamp = 0; stamps[stamp]; stamp++)
				counts[stamp] += ~buffer[i] == stamps[stamp];
		from += size;
	}
	memset(buffer, 0, sizeof(buffer));
	return 0;
}

/* The direct map of the kernel: the memory's own image, not vmalloc and the like. */
static int count_memory(int fd, const uint64_t *stamps, unsigned long *counts)
{
	Elf64_Phdr *headers;
	Elf64_Ehdr header;
	int i, error = 0;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return fail("/proc/kcore");
	headers = calloc(header.e_phnum, sizeof(*headers));
	if (pread(fd, headers, header.e_phnum * sizeof(*headers), header.e_phoff) < 0)
		return fail("/proc/kcore");
	for (i = 0; i < header.e_phnum && !error; i++)
		if (headers[i].p_type == PT_LOAD && headers[i].p_paddr != (Elf64_Addr)-1 &&
		    headers[i].p_vaddr < 0xffffc00000000000)
			error = count_range(fd, headers[i].p_offset, headers[i].p_offset + headers[i].p_filesz, stamps,
					    counts);
	free(headers);
	return error;
}

int stamp_count(const char *path, char **numbers)
{
	/* Not through the cache, which would show what stood there before. */
	int memory = !strcmp(path, "/proc/kcore"), fd = open(path, memory ? O_RDONLY : O_RDONLY | O_DIRECT);
	uint64_t stamps[MAX_STAMPS + 1] = { 0 };
	unsigned long counts[MAX_STAMPS] = { 0 };
	unsigned int i;

	if (fd < 0)
		return fail(path);
	for (i = 0; i < MAX_STAMPS && numbers[i]; i++)
		stamps[i] = ~stamp_word(atoi(numbers[i]));
	if (memory ? count_memory(fd, stamps, counts) : count_range(fd, 0, size_of(fd), stamps, counts))
		return 1;
	for (i = 0; stamps[i]; i++)
		printf("%lu%c", counts[i], stamps[i + 1] ? ' ' : '\n');
	return 0;
}
