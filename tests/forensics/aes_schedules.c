// SPDX-License-Identifier: GPL-3.0-or-later
// Finds AES-256 keys in an image of a machine's memory by their key schedules, as aeskeyfind does (Halderman et al., "Lest We
// Remember", 2008). usage: aes_schedules IMAGE; prints a line for each: offset and key, hexadecimal.
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
	KEY_WORDS = 8,
	SCHEDULE_WORDS = 60
};

static uint8_t sbox[256];

static uint8_t rotate(uint8_t value, int by)
{
	return (uint8_t)(value << by | value >> (8 - by));
}

// FIPS 197, 5.1.1: the multiplicative inverse, by walking the powers of a generator and of its inverse, and an affine map.
static void make_sbox(void)
{
	uint8_t p = 1;
	uint8_t q = 1;

	do {
		p = (uint8_t)(p ^ p << 1 ^ (p & 0x80 ? 0x1b : 0));
		q ^= (uint8_t)(q << 1);
		q ^= (uint8_t)(q << 2);
		q ^= (uint8_t)(q << 4);
		q ^= q & 0x80 ? 0x09 : 0;
		sbox[p] = q ^ rotate(q, 1) ^ rotate(q, 2) ^ rotate(q, 3) ^ rotate(q, 4) ^ 0x63;
	} while (p != 1);
	sbox[0] = 0x63;
}

static uint32_t substitute(uint32_t word)
{
	return (uint32_t)sbox[word & 255] | (uint32_t)sbox[word >> 8 & 255] << 8 |
	       (uint32_t)sbox[word >> 16 & 255] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

// Word i of a schedule from those before it (FIPS 197, 5.2; little endian).
static uint32_t next_word(const uint32_t *words, int i, uint8_t constant)
{
	uint32_t word = words[i - 1];

	if (i % KEY_WORDS == 0)
		word = substitute(word >> 8 | word << 24) ^ constant;
	else if (i % KEY_WORDS == 4)
		word = substitute(word);
	return words[i - KEY_WORDS] ^ word;
}

static int is_schedule(const uint32_t *words)
{
	uint8_t constant = 1;

	for (int i = KEY_WORDS; i < SCHEDULE_WORDS; i++) {
		if (words[i] != next_word(words, i, constant))
			return 0;
		if (i % KEY_WORDS == 0)
			constant = (uint8_t)(constant << 1);
	}
	return 1;
}

int main(int count, char **arguments)
{
	const int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
	struct stat status;

	if (file < 0 || fstat(file, &status) != 0) {
		perror("usage: aes_schedules IMAGE");
		return EXIT_FAILURE;
	}
	const uint8_t *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (image == MAP_FAILED) {
		perror(arguments[1]);
		return EXIT_FAILURE;
	}
	make_sbox();
	for (off_t at = 0; at + SCHEDULE_WORDS * 4 <= status.st_size; at += 4) {
		const uint32_t *words = (const void *)(image + at);

		if (words[8] != (words[0] ^ substitute(words[7] >> 8 | words[7] << 24) ^ 1) || !is_schedule(words))
			continue;
		printf("%" PRIx64 " ", (uint64_t)at);
		for (int i = 0; i < KEY_WORDS * 4; i++)
			printf("%02x", image[at + i]);
		printf("\n");
	}
	return EXIT_SUCCESS;
}
