// SPDX-License-Identifier: GPL-2.0-only
/* Well-formed arguments of every request, and how they are spoiled. */
#include <string.h>

#include "../../../kernel/uapi/tacet.h"
#include "fuzz.h"

const char *const fuzz_names[FUZZ_REQUESTS] = {
	"info",	  "label-set", "label-get", "verdict", "policy",       "flush",
	"reopen", "session",   "guard",	    "extend",  "session-info", "session-key",
};

const unsigned long fuzz_commands[FUZZ_REQUESTS] = {
	TACET_IOC_INFO,	  TACET_IOC_LABEL_SET, TACET_IOC_LABEL_GET, TACET_IOC_VERDICT,
	TACET_IOC_POLICY, TACET_IOC_FLUSH,     TACET_IOC_REOPEN,    TACET_IOC_SESSION,
	TACET_IOC_GUARD,  TACET_IOC_EXTEND,    TACET_SESSION_INFO,  TACET_SESSION_KEY,
};

int fuzz_files[FUZZ_FILES], fuzz_cgroups[FUZZ_CGROUPS];
uint64_t fuzz_question;

/* xorshift64*: the same seed gives the same requests everywhere. */
uint32_t fuzz_number(struct fuzz_numbers *numbers, uint32_t below)
{
	numbers->state ^= numbers->state >> 12;
	numbers->state ^= numbers->state << 25;
	numbers->state ^= numbers->state >> 27;
	return (uint32_t)((numbers->state * 0x2545f4914f6cdd1d) >> 32) % below;
}

static int some_file(struct fuzz_numbers *numbers)
{
	return fuzz_files[fuzz_number(numbers, FUZZ_FILES)];
}

static void fill_label(struct fuzz_numbers *numbers, struct tacet_label_file *request)
{
	unsigned int i, count = fuzz_number(numbers, 4);

	*request = (struct tacet_label_file){
		.fd = some_file(numbers),
		.shadow_fd = fuzz_number(numbers, 3) ? -1 : some_file(numbers),
		.flags = fuzz_number(numbers, 8) ? 0 : TACET_LABEL_KEEP,
		.label.count = count,
	};
	for (i = 0; i < count; i++)
		request->label.categories[i] = 1 + 10 * i + fuzz_number(numbers, 10);
}

static void fill_verdict(struct fuzz_numbers *numbers, struct tacet_verdict *request)
{
	*request = (struct tacet_verdict){
		.question = __atomic_load_n(&fuzz_question, __ATOMIC_RELAXED) - fuzz_number(numbers, 2),
		.action = TACET_ACTION_BLOCK + fuzz_number(numbers, 4),
		.scope = TACET_SCOPE_FLOW + fuzz_number(numbers, 2),
	};
}

static void fill_extension(struct fuzz_numbers *numbers, struct tacet_extension *request)
{
	*request = (struct tacet_extension){
		.question = __atomic_load_n(&fuzz_question, __ATOMIC_RELAXED) - fuzz_number(numbers, 2),
		.deadline = fuzz_number(numbers, 1 << 30),
	};
}

void fuzz_fill(enum fuzz_request request, struct fuzz_numbers *numbers, void *argument)
{
	switch (request) {
	case FUZZ_LABEL_SET:
	case FUZZ_LABEL_GET:
		fill_label(numbers, argument);
		break;
	case FUZZ_VERDICT:
		fill_verdict(numbers, argument);
		break;
	case FUZZ_POLICY:
		*(struct tacet_policy *)argument = (struct tacet_policy){
			.question_timeout_ms = 100 + fuzz_number(numbers, 900),
			.barrier_timeout_ms = 10 + fuzz_number(numbers, 500),
		};
		break;
	case FUZZ_REOPEN:
		*(struct tacet_reopen *)argument = (struct tacet_reopen){ .fd = some_file(numbers) };
		break;
	case FUZZ_SESSION:
		*(struct tacet_session *)argument = (struct tacet_session){
			.cgroup_fd = fuzz_cgroups[fuzz_number(numbers, FUZZ_CGROUPS)],
		};
		break;
	case FUZZ_EXTEND:
		fill_extension(numbers, argument);
		break;
	case FUZZ_GUARD:
		*(struct tacet_guard *)argument =
			(struct tacet_guard){ .count = fuzz_number(numbers, 3), .categories = { 1, 2 } };
		break;
	default:
		break;
	}
}

void fuzz_mutate(struct fuzz_numbers *numbers, void *argument, size_t size)
{
	static const uint32_t words[] = {
		0, 1, 2, 15, 16, 17, 255, 4096, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff
	};
	uint32_t word, changes = 1 + fuzz_number(numbers, 4);

	while (changes-- && size >= sizeof(word)) {
		word = words[fuzz_number(numbers, sizeof(words) / sizeof(*words))];
		if (fuzz_number(numbers, 2))
			((uint8_t *)argument)[fuzz_number(numbers, size)] ^= 1 << fuzz_number(numbers, 8);
		else
			memcpy((uint8_t *)argument + fuzz_number(numbers, size / 4) * 4, &word, sizeof(word));
	}
}

unsigned long fuzz_mutate_command(struct fuzz_numbers *numbers, unsigned long command)
{
	unsigned int size = _IOC_SIZE(command), number = _IOC_NR(command), type = _IOC_TYPE(command),
		     direction = _IOC_DIR(command);

	switch (fuzz_number(numbers, 6)) {
	case 0:
		size += fuzz_number(numbers, 64);
		break;
	case 1:
		size = fuzz_number(numbers, size + 1);
		break;
	case 2:
		size = fuzz_number(numbers, 1 << _IOC_SIZEBITS);
		break;
	case 3:
		number = fuzz_number(numbers, 40);
		break;
	case 4:
		direction = fuzz_number(numbers, 4);
		break;
	case 5:
		type = fuzz_number(numbers, 256);
	}
	return _IOC(direction, type, number, size);
}
