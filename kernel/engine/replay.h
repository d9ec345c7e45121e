/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that the original runs, and whose results the doppelganger gets. */
#ifndef _TACET_ENGINE_REPLAY_H
#define _TACET_ENGINE_REPLAY_H

struct tacet_call_ops;
struct tacet_entry;

/* Runs the call with the row of @entry, and hands its results over. Returns its result, or TACET_LOST. */
long tacet_replay_original(struct tacet_entry *entry);

extern const struct tacet_call_ops tacet_replay_ops;
extern const struct tacet_call_ops tacet_read_ops;
/* For calls that each half makes on its own. The doppelganger compares its results with the original's. */
extern const struct tacet_call_ops tacet_both_ops;

#endif
