/* SPDX-License-Identifier: GPL-2.0-only */
/* The mmap call. */
#ifndef _TACET_ENGINE_MMAP_H
#define _TACET_ENGINE_MMAP_H

struct tacet_call_ops;

extern const struct tacet_call_ops tacet_mmap_ops;

#endif
