// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freed memory, for the tests:
 *   policy SCOPE [PATH...]	sets the policy: off, sensitive, chosen, everything
 *   tag			makes a tag, and prints its complement
 *   put WAY TAG [FILE]		writes stamps into memory, and loses it; see below
 *   count TAG...		prints for each tag how many stamps are in memory
 *   bad			requests that are to be refused
 * A tag in memory would be found, so each process gets and keeps the complement.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../kernel/uapi/tacet.h"

#define PAGE 4096
#define SIZE (2 << 20)

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

static int device(void)
{
	return open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
}

static int set_policy(char **words)
{
	static const char *const scopes[] = { "off", "sensitive", "chosen", "everything" };
	struct tacet_memory_policy policy = { 0 };
	static char paths[TACET_MEMORY_PROGRAMS_MAX];

	while (policy.scope < 4 && strcmp(scopes[policy.scope], words[0]))
		policy.scope++;
	for (words++; *words; words++) {
		strcpy(paths + policy.programs_size, *words);
		policy.programs_size += strlen(*words) + 1;
	}
	policy.programs = (uintptr_t)paths;
	return ioctl(device(), TACET_IOC_MEMORY, &policy) ? fail("policy") : 0;
}

static int make_tag(void)
{
	struct tacet_stamp_tag tag;

	if (ioctl(device(), TACET_IOC_STAMP, &tag))
		return fail("tag");
	printf("%llu\n", (unsigned long long)~tag.tag);
	return 0;
}

static int count(char **words)
{
	struct tacet_stamp_count counts[TACET_STAMP_TAGS_MAX];
	struct tacet_stamp_counts request = { .counts = (uintptr_t)counts };

	for (; words[request.count]; request.count++)
		counts[request.count].tag = ~strtoull(words[request.count], NULL, 10);
	if (ioctl(device(), TACET_IOC_STAMPS, &request))
		return fail("count");
	for (unsigned int i = 0; i < request.count; i++)
		printf("%llu ", (unsigned long long)counts[i].whole);
	printf("\n");
	return 0;
}

static void fill(char *memory, size_t size, uint64_t complement)
{
	struct tacet_stamp *stamp;
	unsigned int serial = 0;
	uint64_t sum;
	size_t at;

	for (at = 0; at + sizeof(*stamp) <= size; at += sizeof(*stamp)) {
		stamp = (struct tacet_stamp *)(memory + at);
		stamp->tag = ~complement;
		stamp->serial = serial++;
		sum = 0xcbf29ce484222325;
		for (size_t i = 0; i < offsetof(struct tacet_stamp, checksum); i++)
			sum = (sum ^ (uint8_t)memory[at + i]) * 0x100000001b3;
		stamp->checksum = sum;
	}
}

static char *map(int flags)
{
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (memory == MAP_FAILED)
		exit(fail("mmap"));
	return memory;
}

/* Memory that may have a large page. */
static char *map_large(void)
{
	char *memory = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *aligned = (char *)(((uintptr_t)memory + SIZE - 1) & ~(uintptr_t)(SIZE - 1));

	if (madvise(aligned, SIZE, MADV_HUGEPAGE))
		exit(fail("large page"));
	return aligned;
}

static void read_file(const char *name)
{
	int fd = open(name, O_RDONLY);
	char byte;

	if (fd < 0 || read(fd, &byte, 1) != 1)
		exit(fail(name));
	close(fd);
}

/* Tells by the file that this point is reached, and waits until it is gone. */
static void meet(const char *name)
{
	close(open(name, O_WRONLY | O_CREAT, 0666));
	while (!access(name, F_OK))
		usleep(10000);
}

static void lose_in_child(char *memory, uint64_t tag)
{
	int child = fork();

	if (!child) {
		fill(memory, SIZE, tag);
		raise(SIGKILL);
	}
	waitpid(child, NULL, 0);
}

static void lose_by_pipe(uint64_t tag)
{
	char part[PAGE];
	int ends[2];

	if (pipe2(ends, O_NONBLOCK))
		exit(fail("pipe"));
	/* Few pages would soon be used again, and the control find nothing. */
	if (fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
		exit(fail("size of the pipe"));
	fill(part, sizeof(part), tag);
	while (write(ends[1], part, sizeof(part)) > 0)
		;
	memset(part, 0, sizeof(part));
}

static void lose_by_socket(uint64_t tag)
{
	char part[PAGE];
	int ends[2], i, size = 1 << 20;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
		exit(fail("socketpair"));
	fill(part, sizeof(part), tag);
	if (setsockopt(ends[1], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		exit(fail("size of the socket"));
	/* Small ones are in objects of the kernel's, large ones in pages. */
	for (i = 0; write(ends[1], part, i % 2 ? 1000 : sizeof(part)) > 0; i++)
		;
	memset(part, 0, sizeof(part));
}

static int put(char **words)
{
	const char *way = words[0], *file = words[2];
	uint64_t tag = strtoull(words[1], NULL, 10);
	char *memory;

	if (!strcmp(way, "pipe")) {
		lose_by_pipe(tag);
		return 0;
	}
	if (!strcmp(way, "socket")) {
		lose_by_socket(tag);
		return 0;
	}
	/* It reads the labelled file before its memory has stamps. */
	if (!strcmp(way, "late"))
		read_file(file);
	memory = strstr(way, "large") ?
			 map_large() :
			 map(!strcmp(way, "shared") ? MAP_SHARED | MAP_ANONYMOUS : MAP_PRIVATE | MAP_ANONYMOUS);
	if (!strcmp(way, "child")) {
		lose_in_child(memory, tag);
		return 0;
	}
	fill(memory, SIZE, tag);
	if (!strcmp(way, "kill"))
		raise(SIGKILL);
	if (!strncmp(way, "early", 5))
		read_file(file);
	if (!strcmp(way, "exec"))
		execl("/bin/true", "true", NULL);
	if (!strcmp(way, "unmap")) {
		munmap(memory, SIZE);
		meet(file);
	}
	if (!strcmp(way, "swap")) {
		meet(file);
		for (size_t at = 0; at < SIZE; at += PAGE)
			*(volatile char *)(memory + at);
	}
	return 0;
}

static void refuse(const char *what, unsigned long command, void *argument)
{
	printf("@bad-%s %s\n", what, ioctl(device(), command, argument) ? strerrorname_np(errno) : "done");
}

static int bad(void)
{
	static char many[TACET_MEMORY_PROGRAMS_MAX + 1] = "/", lengthy[5000] = "/";
	struct tacet_stamp_count count = { .tag = 1 };
	struct tacet_stamp_counts counts = { .counts = (uintptr_t)&count, .count = 1 };
	struct tacet_memory_policy policy = { .scope = 4 };

	refuse("scope", TACET_IOC_MEMORY, &policy);
	policy = (struct tacet_memory_policy){ .scope = TACET_MEMORY_CHOSEN, .reserved = 1 };
	refuse("reserved", TACET_IOC_MEMORY, &policy);
	policy = (struct tacet_memory_policy){ .scope = TACET_MEMORY_CHOSEN, .programs = 8, .programs_size = 8 };
	refuse("pointer", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)"relative";
	policy.programs_size = 9;
	refuse("relative", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)"/no-end";
	policy.programs_size = 7;
	refuse("no-end", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)"/first\0";
	policy.programs_size = 8;
	refuse("empty-path", TACET_IOC_MEMORY, &policy);
	memset(lengthy + 1, 'x', sizeof(lengthy) - 2);
	policy.programs = (uintptr_t)lengthy;
	policy.programs_size = sizeof(lengthy);
	refuse("long", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)many;
	policy.programs_size = sizeof(many);
	refuse("many", TACET_IOC_MEMORY, &policy);
	refuse("unknown-tag", TACET_IOC_STAMPS, &counts);
	counts.count = TACET_STAMP_TAGS_MAX + 1;
	refuse("many-tags", TACET_IOC_STAMPS, &counts);
	counts.count = 0;
	refuse("no-tags", TACET_IOC_STAMPS, &counts);
	counts = (struct tacet_stamp_counts){ .counts = 8, .count = 1 };
	refuse("tags-pointer", TACET_IOC_STAMPS, &counts);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "policy"))
		return set_policy(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "tag"))
		return make_tag();
	if (argc > 3 && !strcmp(argv[1], "put"))
		return put(argv + 2);
	if (argc > 2 && !strcmp(argv[1], "count"))
		return count(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "bad"))
		return bad();
	fprintf(stderr, "usage: memory policy|tag|put|count|bad ...\n");
	return 2;
}
