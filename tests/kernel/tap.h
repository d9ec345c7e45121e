/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines as TAP wants them, and an exit status. */
#ifndef _TACET_TAP_H
#define _TACET_TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failures;

static inline int __attribute__((format(printf, 2, 3))) tap_ok(int good, const char *format, ...)
{
	va_list arguments;
	int error = errno;

	printf("%s %d - ", good ? "ok" : "not ok", ++tap_count);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	if (!good) {
		tap_failures++;
		printf(" # errno %d %s", error, strerror(error));
	}
	printf("\n");
	fflush(stdout);
	errno = 0;
	return good;
}

#define tap_equal(value, wanted, name)                                                             \
	do {                                                                                       \
		long long tap_value = (value), tap_wanted = (wanted);                              \
		if (!tap_ok(tap_value == tap_wanted, "%s", name))                                  \
			printf("# line %d: %lld, wanted %lld\n", __LINE__, tap_value, tap_wanted); \
	} while (0)

/* @call must fail with @error. */
#define tap_errno(call, error, name)                                                                                  \
	do {                                                                                                          \
		errno = 0;                                                                                            \
		long long tap_result = (call);                                                                        \
		int tap_error = errno;                                                                                \
		if (!tap_ok(tap_result == -1 && tap_error == (error), "%s", name))                                    \
			printf("# line %d: result %lld errno %d, wanted errno %d\n", __LINE__, tap_result, tap_error, \
			       error);                                                                                \
	} while (0)

static inline void tap_skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_count, name, reason);
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline void __attribute__((noreturn)) tap_bail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

#endif
