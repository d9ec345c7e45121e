/* SPDX-License-Identifier: GPL-2.0-only */
/* The other threads of an original that gets its doppelganger. */
#ifndef _TACET_PAIR_THREAD_H
#define _TACET_PAIR_THREAD_H

struct task_struct;
struct tacet_entry;
struct tacet_pair;
struct tacet_parked;

/* Parks these threads where they are, in pair->parked. Returns 0, or -errno with none parked. */
int tacet_thread_park_all(struct tacet_pair *pair);
/* Lets the parked threads go on, as halves of pairs or tainted. */
void tacet_thread_release_all(struct tacet_pair *pair);
/* Makes a doppelganger for each thread that was parked. Runs in the doppelganger. Returns 0 or -errno. */
int tacet_thread_clone_all(struct tacet_entry *entry);
/* Lets the parked threads go on, and empties pair->parked. */
void tacet_thread_forget(struct tacet_pair *pair);
/* Lets @child, the doppelganger of @parked, begin where that thread was parked. Atomic. */
void tacet_thread_prepare(struct tacet_parked *parked, struct task_struct *child);
/* Makes one thread of @process, which is under the hook, begin its call again. Its program does not notice. Atomic. */
void tacet_thread_nudge(struct task_struct *process);

#endif
