/* SPDX-License-Identifier: GPL-2.0-only */
/* The halves have come to different calls. */
#ifndef _TACET_ENGINE_REALIGN_H
#define _TACET_ENGINE_REALIGN_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_step;

/*
 * The doppelganger has come to a call that is not the original's @step. Returns false if it has to look
 * at the next step. With true, @result is the result of its call.
 */
bool tacet_realign(struct tacet_entry *entry, struct tacet_step *step, long *result);

#endif
