// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures ways of zeroing memory: one block of each size, zeroed again and again, as in figure 5 of "Shredding Your Garbage".
 *   zeroing MIB
 * Writes so many MiB of zeros for each way and size. Prints "@speed WAY SIZE MB-PER-SECOND".
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define SMALLEST 16
#define LARGEST (64u << 20)
#define ALIGNED 4096

static void by_memset(void *block, size_t size)
{
	memset(block, 0, size);
}

/* What glibc offers to those who clear secrets: a memset that the compiler keeps. */
static void by_explicit_bzero(void *block, size_t size)
{
	explicit_bzero(block, size);
}

static void by_rep_stos(void *block, size_t size)
{
	__asm__ volatile("rep stosb" : "+D"(block), "+c"(size) : "a"(0) : "memory");
}

static void by_loop(void *block, size_t size)
{
	volatile uint64_t *word = block, *end = word + size / sizeof(*word);

	while (word < end)
		*word++ = 0;
}

static void by_sse(void *block, size_t size)
{
	__m128i *to = block, *end = to + size / sizeof(*to);

	for (; to < end; to++) {
		_mm_store_si128(to, _mm_setzero_si128());
		__asm__ volatile("" ::: "memory");
	}
}

static void by_non_temporal(void *block, size_t size)
{
	__m128i *to = block, *end = to + size / sizeof(*to);

	for (; to < end; to++)
		_mm_stream_si128(to, _mm_setzero_si128());
	_mm_sfence();
}

__attribute__((target("avx"))) static void by_avx(void *block, size_t size)
{
	uint8_t *to = block, *end = to + size;

	for (; to + sizeof(__m256i) <= end; to += sizeof(__m256i)) {
		_mm256_store_si256((__m256i *)to, _mm256_setzero_si256());
		__asm__ volatile("" ::: "memory");
	}
	for (; to < end; to += sizeof(__m128i))
		_mm_store_si128((__m128i *)to, _mm_setzero_si128());
}

static const struct way {
	const char *name;
	void (*zero)(void *block, size_t size);
} ways[] = {
	{ "memset", by_memset },
	{ "explicit_bzero", by_explicit_bzero },
	{ "rep_stos", by_rep_stos },
	{ "loop", by_loop },
	{ "sse", by_sse },
	{ "avx", by_avx },
	{ "non_temporal", by_non_temporal },
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void measure(const struct way *way, void *block, size_t size, size_t total)
{
	size_t times = total / size ?: 1, i;
	double began;

	memset(block, 0x5a, size);
	way->zero(block, size);
	for (i = 0; i < size; i++)
		if (((const uint8_t *)block)[i]) {
			fprintf(stderr, "zeroing: %s leaves byte %zu of %zu\n", way->name, i, size);
			exit(1);
		}
	began = now();
	for (i = 0; i < times; i++)
		way->zero(block, size);
	printf("@speed %s %zu %.0f\n", way->name, size, size * times / 1e6 / (now() - began));
}

int main(int count, char **arguments)
{
	size_t total, size, i;
	void *block;

	if (count != 2 || !(total = strtoul(arguments[1], NULL, 10) << 20))
		return 2;
	block = aligned_alloc(ALIGNED, LARGEST);
	if (!block)
		return 1;
	memset(block, 1, LARGEST);
	for (size = SMALLEST; size <= LARGEST; size *= 4)
		for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
			if (strcmp(ways[i].name, "avx") || __builtin_cpu_supports("avx"))
				measure(&ways[i], block, size, total);
	free(block);
	return 0;
}
