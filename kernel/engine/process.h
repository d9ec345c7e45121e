/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls by which a task ends or tells the kernel of its own memory. */
#ifndef _TACET_ENGINE_PROCESS_H
#define _TACET_ENGINE_PROCESS_H

struct tacet_call_ops;

extern const struct tacet_call_ops tacet_process_exit_ops;
extern const struct tacet_call_ops tacet_process_sigreturn_ops;
extern const struct tacet_call_ops tacet_process_tid_address_ops;

#endif
