// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a labelled file in several ways, sends it, and then tells what it is and
 * has: its number, its registers, how often SECRET lies in its memory, and what it
 * reads and sends from then on.
 *   takeover FILE HALF HALF       the secret's two halves
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAP (8 << 20)
#define CHUNK (1 << 20)

static char data_segment[4096] = "initialised";
static volatile int sink;

static int connect_out(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	if (connect(fd, (void *)&address, sizeof(address))) {
		perror("connect");
		exit(1);
	}
	return fd;
}

/* In a range of the process's own memory, without copying it anywhere else than to @chunk. */
static int count_in(int memory, unsigned long start, unsigned long end, char *chunk, const char *first,
		    const char *second)
{
	size_t one = strlen(first), two = strlen(second);
	unsigned long at;
	ssize_t size, i;
	int found = 0;

	for (at = start; at < end; at += CHUNK) {
		size = pread(memory, chunk, end - at < CHUNK ? end - at : CHUNK, at);
		for (i = 0; i + (ssize_t)(one + two) <= size; i++)
			found += !memcmp(chunk + i, first, one) && !memcmp(chunk + i + one, second, two);
	}
	memset(chunk, 0, CHUNK);
	return found;
}

static int count_secrets(const char *first, const char *second)
{
	int memory = open("/proc/self/mem", O_RDONLY), found = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long start, end;
	char line[512], rights[8];

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) != 3 || rights[0] != 'r' || strstr(line, "[v"))
			continue;
		if (start <= (unsigned long)chunk && (unsigned long)chunk < end)
			continue;
		found += count_in(memory, start, end, chunk, first, second);
	}
	fclose(maps);
	close(memory);
	return found;
}

static void tell_file(int out, const char *name, int fd)
{
	char data[64];
	ssize_t size = pread(fd, data, sizeof(data), 0);

	printf("%s %.*s\n", name, size > 6 ? 6 : (int)size, size < 0 ? "" : data);
	write(out, data, size < 0 ? 0 : size);
}

int main(int count, char **words)
{
	char *heap, *mapped, stack[256], child_data[64];
	int file, again, out, status;
	pid_t pid = getpid();
	__m128i register_data;
	char from_register[16];

	if (count != 4)
		return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
	out = connect_out();
	heap = malloc(HEAP);
	memset(heap, 'h', HEAP);
	file = open(words[1], O_RDONLY);
	if (read(file, stack, 50) != 50)
		return 1;
	mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	mapped[4000] = 1;
	memcpy(heap + HEAP / 2, stack, 50);
	memcpy(data_segment, stack, 50);
	register_data = _mm_loadu_si128((void *)(stack + 12));
	printf("before %d\n", count_secrets(words[2], words[3]));
	asm volatile("" : "+x"(register_data));
	/* Asked here; from here on it is the doppelganger. */
	if (write(out, stack, 50) != 50)
		return 3;
	asm volatile("" : "+x"(register_data));
	_mm_storeu_si128((void *)from_register, register_data);
	printf("register %.6s\n", from_register);
	printf("pid %s\n", pid == getpid() ? "same" : "other");
	printf("after %d\n", count_secrets(words[2], words[3]));
	write(out, heap + HEAP / 2, 50);
	write(out, mapped, 50);
	tell_file(out, "open", file);
	again = open(words[1], O_RDONLY);
	tell_file(out, "again", again);
	if (!fork()) {
		again = open(words[1], O_RDONLY);
		sink = read(again, child_data, sizeof(child_data));
		_exit(write(out, child_data, 20) != 20);
	}
	wait(&status);
	printf("child %d\n", status);
	printf("sent all\n");
	return 0;
}
