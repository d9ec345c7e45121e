/* SPDX-License-Identifier: GPL-2.0-only */
/* Stamps, as struct tacet_stamp describes them. */
#ifndef _TACET_STAMP_H
#define _TACET_STAMP_H

#include <stddef.h>
#include <stdint.h>

#include "../../../kernel/uapi/tacet.h"

/* Fills memory with stamps, whose tag is the complement of @complement. No copy is left anywhere else. */
static inline void fill(char *memory, size_t size, uint64_t complement)
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

#endif
