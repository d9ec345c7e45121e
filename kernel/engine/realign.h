/* SPDX-License-Identifier: GPL-2.0-only */
/* The two have come to different calls. */
#ifndef _TACET_ENGINE_REALIGN_H
#define _TACET_ENGINE_REALIGN_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_step;

/* Only writes, and returns how much. */
bool tacet_realign_only_writes(unsigned int number);
/*
 * Asks for the time, which is the same for all processes: the doppelganger may ask for itself. How often is a matter of luck
 * where threads wait for each other.
 */
bool tacet_realign_asks_the_time(unsigned int number);
/*
 * The doppelganger has come to a call that is not the original's @step. False: it is
 * to look at the next step; true: @result is its call's.
 */
bool tacet_realign(struct tacet_entry *entry, struct tacet_step *step, long *result);

#endif
