/* SPDX-License-Identifier: GPL-2.0-only */
/* The other threads of an original that gets its doppelganger. */
#ifndef _TACET_PAIR_THREAD_H
#define _TACET_PAIR_THREAD_H

struct task_struct;
struct tacet_entry;
struct tacet_pair;
struct tacet_parked;

/* Parks them where they are, in pair->parked. 0, or -errno with none parked. */
int tacet_thread_park_all(struct tacet_pair *pair);
/* Lets them go on: as halves of pairs, or tainted. */
void tacet_thread_release_all(struct tacet_pair *pair);
/* In the doppelganger: a doppelganger for each that was parked. 0 or -errno. */
int tacet_thread_clone_all(struct tacet_entry *entry);
/* Lets them go on, and empties pair->parked. */
void tacet_thread_forget(struct tacet_pair *pair);
/* @child, the doppelganger of @parked, begins where that was parked. Atomic. */
void tacet_thread_prepare(struct tacet_parked *parked, struct task_struct *child);

#endif
