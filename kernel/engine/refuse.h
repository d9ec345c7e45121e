/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that are refused, and calls whose effects cannot be followed. */
#ifndef _TACET_ENGINE_REFUSE_H
#define _TACET_ENGINE_REFUSE_H

struct tacet_call_ops;
struct tacet_entry;

/* What takes the data is no file and cannot carry the label to its reader. Tells so and returns -EPERM. */
long tacet_refuse_unlabelled(const struct tacet_entry *entry);

/* Both halves get tacet_call.refusal. */
extern const struct tacet_call_ops tacet_refuse_ops;
/* The original becomes tainted and runs the call. */
extern const struct tacet_call_ops tacet_taint_ops;

#endif
