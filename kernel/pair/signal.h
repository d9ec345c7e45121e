/* SPDX-License-Identifier: GPL-2.0-only */
/* The doppelganger handles the signals that its original has handled. */
#ifndef _TACET_PAIR_SIGNAL_H
#define _TACET_PAIR_SIGNAL_H

#include <linux/types.h>

struct tacet_ring;
struct tacet_step;

/*
 * Gives the current task the signal that the original handled at @step. Returns false if the task has
 * got it already.
 */
bool tacet_signal_mirror(struct tacet_step *step);
/* The original had a signal pending when it went to user mode. The doppelganger gets the signal at the same place. */
void tacet_signal_mirror_next(struct tacet_ring *ring);

#endif
