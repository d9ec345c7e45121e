/* SPDX-License-Identifier: GPL-2.0-only */
/* sendfile, splice and the like: calls that move data from file to file inside the kernel. */
#ifndef _TACET_ENGINE_TRANSFER_H
#define _TACET_ENGINE_TRANSFER_H

struct tacet_call_ops;
struct tacet_entry;

/* Deals with such a call in any state of the process. Returns its result, or TACET_LOST. */
long tacet_transfer(struct tacet_entry *entry);

extern const struct tacet_call_ops tacet_transfer_ops;
/* This one is for vmsplice. */
extern const struct tacet_call_ops tacet_transfer_vector_ops;

#endif
