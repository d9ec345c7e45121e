/* SPDX-License-Identifier: GPL-2.0-only */
/* What a daemon does with /dev/tacet. Results are 0 or not, as exit statuses are. */
#ifndef _TACET_AGENT_H
#define _TACET_AGENT_H

#include <sys/types.h>

/* 0: no label any more. */
int agent_label(const char *path, unsigned int category);
int agent_show(const char *path);
int agent_info(void);
unsigned int agent_watched(void);
/* Doppelgangers made and files labelled by what was written, so far: it grows when a program reads a labelled file. */
unsigned long agent_followed(void);
int agent_policy(unsigned int question_ms, unsigned int barrier_ms);
int agent_flush(void);
/* Changes to files of this category are asked about; 0: to none. */
int agent_guard(unsigned int category);

/* The number of an action's name; ends the program when there is none. */
int agent_action(const char *name);
int agent_scope(const char *name);
/* Answers all questions, and prints all events, for ever. */
int agent_answer(int action, int scope);
/* The same in another process, into the file @log; it holds the device when this returns its pid. */
pid_t agent_serve(int action, const char *log, int scope);

#endif
