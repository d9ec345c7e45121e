/* SPDX-License-Identifier: GPL-2.0-only */
/* A process becomes another program. */
#ifndef _TACET_ENGINE_EXEC_H
#define _TACET_ENGINE_EXEC_H

struct tacet_call_ops;

extern const struct tacet_call_ops tacet_exec_ops;

#endif
