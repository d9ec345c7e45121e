/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the program memory have in common. memory.c tells its commands. */
#ifndef _TACET_MEMORY_H
#define _TACET_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE 4096

/* Prints what failed and why; returns 1. */
int fail(const char *what);
/* Tells by the file that this point is reached, and waits until it is gone. */
void meet(const char *name);

/* memory_passage.c: each takes the words behind the command's name, and returns an exit status. */
int write_file(char **words);
int hold_file(char **words);
int keep_in_pipe(char **words);
int pour(char **words);
int drain(char **words);
int at_terminal(char **words);
int send_stamps(char **words);
int receive_stamps(char **words);

/* memory_message.c: the same. */
int give(char **words);
int take(char **words);
int pass(char **words);
int reuse(char **words);
int share(char **words);
int scribble(char **words);
/*
 * Each loses stamps that the kernel holds. With a meeting the process waits there: names are those of sockets of a hundred processes,
 * and a page is kept by a pipe.
 */
void lose_in_queue(uint64_t tag, const char *meeting);
void lose_in_attributes(uint64_t tag, const char *meeting);
void lose_in_kept_page(uint64_t tag, const char *meeting);
void lose_by_names(uint64_t tag, const char *meeting);

/* memory_held.c: does it in the way of this name. Returns false if there is none. */
bool lose_in_kernel(const char *way, uint64_t tag, const char *meeting);

#endif
