/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the program memory have in common. memory.c tells its commands. */
#ifndef _TACET_MEMORY_H
#define _TACET_MEMORY_H

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
void lose_in_queue(uint64_t tag);
void lose_in_attributes(uint64_t tag);
void lose_in_kept_page(uint64_t tag, const char *meeting);
/* Names of sockets with stamps, of a hundred processes that wait for the meeting, if there is one, and end. */
void lose_by_names(uint64_t tag, const char *meeting);

#endif
