/* SPDX-License-Identifier: GPL-2.0-only */
/* The doppelganger's calls. */
#ifndef _TACET_ENGINE_DOPPELGANGER_H
#define _TACET_ENGINE_DOPPELGANGER_H

struct tacet_entry;

/* Deals with a call of the current task, a doppelganger. Returns its result, or TACET_PASS. */
long tacet_doppelganger_call(struct tacet_entry *entry);

#endif
