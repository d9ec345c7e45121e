/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose freed memory is cleared, as the person has decided. Private sessions are no matter of it. */
#ifndef _TACET_MEMORY_POLICY_H
#define _TACET_MEMORY_POLICY_H

#include <linux/types.h>

struct tacet_memory_policy;

/*
 * Sets the policy. It holds for what is allocated from now on, and for what programs have that run already. These get the library
 * when they are started again. Returns 0, -EINVAL (see struct tacet_memory_policy), -EFAULT or -ENOMEM; the old policy holds then.
 * Sleeps.
 */
int tacet_memory_policy_set(const struct tacet_memory_policy *request);
/* Ends it at unload, when nobody can set it any more. */
void tacet_memory_policy_exit(void);

/* Tells whether programs that hold sensitive data are covered. Works in any context. */
bool tacet_memory_policy_sensitive(void);

#endif
