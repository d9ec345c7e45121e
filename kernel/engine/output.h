/* SPDX-License-Identifier: GPL-2.0-only */
/* Data leaves the process. */
#ifndef _TACET_ENGINE_OUTPUT_H
#define _TACET_ENGINE_OUTPUT_H

struct tacet_call_ops;

extern const struct tacet_call_ops tacet_output_ops;

#endif
