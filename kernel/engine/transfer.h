/* SPDX-License-Identifier: GPL-2.0-only */
/* sendfile, splice and the like: data that goes from file to file inside the kernel. */
#ifndef _TACET_ENGINE_TRANSFER_H
#define _TACET_ENGINE_TRANSFER_H

struct tacet_call_ops;
struct tacet_entry;

/* Such a call, whatever the state of the process. Its result, or TACET_LOST. */
long tacet_transfer(struct tacet_entry *entry);

extern const struct tacet_call_ops tacet_transfer_ops;
/* vmsplice */
extern const struct tacet_call_ops tacet_transfer_vector_ops;

#endif
