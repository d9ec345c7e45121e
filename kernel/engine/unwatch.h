/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends the watching of a process. */
#ifndef _TACET_ENGINE_UNWATCH_H
#define _TACET_ENGINE_UNWATCH_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_task;

/*
 * Shells come to be watched because of the pipes that they make, and would be for ever. Now and then
 * this tells whether the watching can end.
 */
bool tacet_unwatch_possible(const struct tacet_entry *entry);
/*
 * Stops watching the current task. Returns false if derived data reached it meanwhile. Then it stays
 * watched, and the caller must restart the call.
 */
bool tacet_unwatch_current(struct tacet_task *context);

#endif
