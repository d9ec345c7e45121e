/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the program that reads a labelled file and then does nothing with it. */
#ifndef _TACET_INNOCENT_H
#define _TACET_INNOCENT_H

#include <stdnoreturn.h>

struct innocent_deed {
	const char *name;
	void (*run)(void);
};

extern const struct innocent_deed innocent_memory[], innocent_signals[], innocent_waiting[], innocent_processes[],
	innocent_threads[], innocent_system[], innocent_filters[];
/* Preparations of some deeds, by their names, before the file is read. */
extern const struct innocent_deed innocent_threads_earlier[], innocent_filters_earlier[];
/* The beginning of the file, for deeds that pass it on inside the machine. */
extern char innocent_content[65536];

/* Adds to the message that is sent at the end: what both runs must agree upon. */
void innocent_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
noreturn void innocent_fail(const char *what);

#define INNOCENT_MUST(condition)                   \
	do {                                       \
		if (!(condition))                  \
			innocent_fail(#condition); \
	} while (0)

#endif
