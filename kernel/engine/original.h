/* SPDX-License-Identifier: GPL-2.0-only */
/* The original's side of a paired call, and the calls of watched and tainted tasks. */
#ifndef _TACET_ENGINE_ORIGINAL_H
#define _TACET_ENGINE_ORIGINAL_H

#include <linux/types.h>

struct file;
struct pt_regs;
struct tacet_entry;
struct tacet_labelset;
struct tacet_origin;
struct tacet_step;
struct tacet_task;

/*
 * Entry of every call of a task under the hook. True: it has been dealt with
 * and @result is the call's; false: the kernel runs it.
 */
bool tacet_original_enter(struct tacet_task *context, struct pt_regs *regs, long *result);
long tacet_original_call(struct tacet_entry *entry);
/* Plain replay, with the row of @entry. */
long tacet_original_replay(struct tacet_entry *entry);
/* Stops watching the current task. False: derived data reached it meanwhile: it stays watched, and the call is to be restarted. */
bool tacet_original_let_go(struct tacet_task *context);
/* Runs a call that changes the address space, one at a time, and numbers it. */
long tacet_original_run_in_order(struct tacet_entry *entry, struct tacet_step *step);
/* A step filled with the call and its arguments; NULL: the pair is gone, fall back. */
struct tacet_step *tacet_original_step(struct tacet_entry *entry);
/* Ends a call of the original: remembers a restart, notes pending signals, publishes. Returns the result. */
long tacet_original_finish(struct tacet_entry *entry, struct tacet_step *step, long result);
/* The same of a call that its double has compared, and waits in. */
long tacet_original_finish_compared(struct tacet_entry *entry, struct tacet_step *step, long result);
/* Adds to what the process has read, also for whoever traces it and for files that it has mapped. 0 or -errno. */
int tacet_original_add_label(const struct tacet_entry *entry, struct tacet_labelset *set, struct tacet_origin *origin);
/* The same for what was, or is about to be, read from @file. */
int tacet_original_add_file(const struct tacet_entry *entry, struct tacet_labelset *set, struct file *file);

#endif
