// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells how a program begins. It is linked dynamically:
 *   begin tell WORD...		prints its arguments, environment and auxiliary vector, and whether the heap library is loaded
 *   begin heap TAG FILE	loses stamps on the heap, creates FILE, and waits until it is gone; TAG is the complement
 *   begin exec PROGRAM WORD...	becomes another program
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "stamp.h"

#define BLOCKS 64

static int is_loaded(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int found = 0;

	while (maps && fgets(line, sizeof(line), maps))
		found |= strstr(line, "libtacet-heap.so") != NULL;
	return found;
}

/* Some runtimes look for the auxiliary vector behind the environment. */
static unsigned long behind_environment(char **environment, unsigned long type)
{
	Elf64_auxv_t *entry;

	while (*environment++)
		;
	for (entry = (Elf64_auxv_t *)environment; entry->a_type != AT_NULL; entry++)
		if (entry->a_type == type)
			return entry->a_un.a_val;
	return 0;
}

static int tell(char **arguments, char **environment)
{
	const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
	int i, any = 0;

	for (i = 0; i < 16; i++)
		any |= random[i];
	for (; *arguments; arguments++)
		printf("argument %s\n", *arguments);
	for (char **variable = environment; *variable; variable++)
		printf("variable %s\n", *variable);
	printf("program %s, pages of %lu, random %d, %.1f\n", (const char *)getauxval(AT_EXECFN), getauxval(AT_PAGESZ),
	       any != 0, getauxval(AT_PAGESZ) / 2.0);
	fprintf(stderr, "loaded %d\n", is_loaded());
	/* The library leaves two ends of the environment: a runtime that looks here then asks the kernel. */
	return behind_environment(environment, AT_PAGESZ) ==
			       (is_loaded() && !getenv("LD_PRELOAD") ? 0 : getauxval(AT_PAGESZ)) ?
		       0 :
		       1;
}

static int lose_heap(char **words)
{
	uint64_t tag = strtoull(words[0], NULL, 10);
	char *blocks[BLOCKS];

	for (size_t i = 0; i < BLOCKS; i++) {
		blocks[i] = malloc((i + 1) * 100);
		fill(blocks[i], (i + 1) * 100, tag);
	}
	for (size_t i = 0; i < BLOCKS; i++)
		free(blocks[i]);
	close(open(words[1], O_WRONLY | O_CREAT, 0666));
	while (!access(words[1], F_OK))
		usleep(10000);
	return 0;
}

int main(int argc, char **argv, char **environment)
{
	if (argc > 1 && !strcmp(argv[1], "tell"))
		return tell(argv + 2, environment);
	if (argc == 4 && !strcmp(argv[1], "heap"))
		return lose_heap(argv + 2);
	if (argc > 2 && !strcmp(argv[1], "exec"))
		execv(argv[2], argv + 2);
	fprintf(stderr, "usage: begin tell|heap|exec ...\n");
	return 2;
}
