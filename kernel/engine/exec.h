/* SPDX-License-Identifier: GPL-2.0-only */
/* A process becomes another program. */
#ifndef _TACET_ENGINE_EXEC_H
#define _TACET_ENGINE_EXEC_H

struct tacet_entry;
struct tacet_step;

long tacet_exec_original(struct tacet_entry *entry);
long tacet_exec_doppelganger(struct tacet_entry *entry, struct tacet_step *step);
/* Of a watched or tainted process. */
long tacet_exec_unpaired(struct tacet_entry *entry);

#endif
