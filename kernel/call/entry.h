/* SPDX-License-Identifier: GPL-2.0-only */
/* A system call of the current task, while the engine deals with it. */
#ifndef _TACET_CALL_ENTRY_H
#define _TACET_CALL_ENTRY_H

#include <linux/file.h>
#include <linux/ptrace.h>
#include <linux/syscalls.h>

#include "call/call.h"

struct tacet_pair;
struct tacet_task;

/**
 * struct tacet_entry - a call, on the stack of the task that makes it
 * @context: of the current task
 * @pair: that of @context when the call was entered
 * @regs: the registers as the program made the call
 * @number: the call's number; for restart_syscall that of the interrupted call
 * @call: the call's row; by-argument calls put a row of their own here for a moment
 * @args: the arguments; the length of a read or write may be less than in @regs
 * @untold: the call is one of an original, and tracers and audit do not know of it yet
 */
struct tacet_entry {
	struct tacet_task *context;
	struct tacet_pair *pair;
	struct pt_regs *regs;
	unsigned int number;
	const struct tacet_call *call;
	unsigned long args[TACET_CALL_ARGUMENTS];
	bool untold;
};

/* The module has no result: the kernel runs the call on return from the hook. */
#define TACET_PASS LONG_MIN
/* The pair was lost before the call itself was run, so the call is dealt with anew. */
#define TACET_LOST (LONG_MIN + 1)

/*
 * Returns a reference to the file of the call's file descriptor. NULL means that it has none, or
 * nothing is open there.
 */
static inline struct file *tacet_entry_file(const struct tacet_entry *entry)
{
	int fd = entry->call->fd_argument;

	return fd < 0 ? NULL : fget(entry->args[fd]);
}

static inline bool tacet_is_restart(long result)
{
	return result == -ERESTARTSYS || result == -ERESTARTNOINTR || result == -ERESTARTNOHAND ||
	       result == -ERESTART_RESTARTBLOCK;
}

#endif
