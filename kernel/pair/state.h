/* SPDX-License-Identifier: GPL-2.0-only */
/* The state that the kernel keeps for a process: registers and signals. */
#ifndef _TACET_PAIR_STATE_H
#define _TACET_PAIR_STATE_H

#include <linux/types.h>

struct task_struct;
struct user_regset;

/* Tells whether @doppelganger, which waits in the same call, has the same state. Runs in the original. */
bool tacet_state_same(struct task_struct *doppelganger);
/* Returns the set of registers that a core file has as a note of @type (NT_PRSTATUS, NT_X86_XSTATE), or NULL. */
const struct user_regset *tacet_state_regset(unsigned int type);
/* Waits until @task, which has said that it sleeps, has left its processor. Returns false if it did not in time. */
bool tacet_state_wait_off_cpu(struct task_struct *task);

#endif
