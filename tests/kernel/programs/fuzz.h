/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments for the fuzzer's requests. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

enum fuzz_request {
	FUZZ_INFO,
	FUZZ_LABEL_SET,
	FUZZ_LABEL_GET,
	FUZZ_VERDICT,
	FUZZ_POLICY,
	FUZZ_FLUSH,
	FUZZ_REOPEN,
	FUZZ_SESSION,
	FUZZ_GUARD,
	FUZZ_EXTEND,
	FUZZ_SESSION_INFO,
	FUZZ_SESSION_KEY,
	FUZZ_REQUESTS,
};

extern const char *const fuzz_names[FUZZ_REQUESTS];
extern const unsigned long fuzz_commands[FUZZ_REQUESTS];

/* What requests are about; filled before the threads start. */
#define FUZZ_FILES 12
#define FUZZ_CGROUPS 4
extern int fuzz_files[FUZZ_FILES], fuzz_cgroups[FUZZ_CGROUPS];
/* A question that was asked of late. */
extern uint64_t fuzz_question;

/* A stream of numbers that its seed decides. */
struct fuzz_numbers {
	uint64_t state;
};

uint32_t fuzz_number(struct fuzz_numbers *numbers, uint32_t below);

/* Writes a well-formed argument of the request, of the size that its command tells. */
void fuzz_fill(enum fuzz_request request, struct fuzz_numbers *numbers, void *argument);

/* Spoils bytes and words here and there. */
void fuzz_mutate(struct fuzz_numbers *numbers, void *argument, size_t size);

/* The command with another size, number, direction or type. */
unsigned long fuzz_mutate_command(struct fuzz_numbers *numbers, unsigned long command);

#endif
