/* SPDX-License-Identifier: GPL-2.0-only */
/* The two have come to different calls. */
#ifndef _TACET_ENGINE_REALIGN_H
#define _TACET_ENGINE_REALIGN_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_step;

/*
 * The doppelganger has come to a call that is not the original's @step. False: it is
 * to look at the next step; true: @result is its call's.
 */
bool tacet_realign(struct tacet_entry *entry, struct tacet_step *step, long *result);

#endif
