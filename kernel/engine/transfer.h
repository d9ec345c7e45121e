/* SPDX-License-Identifier: GPL-2.0-only */
/* sendfile, splice and the like. */
#ifndef _TACET_ENGINE_TRANSFER_H
#define _TACET_ENGINE_TRANSFER_H

struct tacet_entry;

long tacet_transfer(struct tacet_entry *entry);

#endif
