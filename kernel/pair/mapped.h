/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that have a labelled file mapped. */
#ifndef _TACET_PAIR_MAPPED_H
#define _TACET_PAIR_MAPPED_H

struct file;
struct tacet_labelset;

/*
 * @file has just been labelled @set. Processes that have it mapped are paired from their next call on,
 * or lose the doppelganger that they have. Those that share it as memory with the current process make this
 * call at once. Sleeps. -ENOMEM means that not all of them were reached.
 */
int tacet_mapped_label(struct file *file, struct tacet_labelset *set);

/* The time that processes which share memory have to get their doppelgangers. */
#define TACET_MAPPED_TIMEOUT (HZ / 2)
/*
 * The current process is about to store data into @file. If that is labelled memory, waits until the others that
 * have it mapped have their doppelgangers. Those that have none at @deadline, in jiffies, are tainted. Sleeps.
 */
void tacet_mapped_await(struct file *file, unsigned long deadline);

#endif
