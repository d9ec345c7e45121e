/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that come into a private session with memory of their own. */
#ifndef _TACET_SESSION_ARRIVAL_H
#define _TACET_SESSION_ARRIVAL_H

struct mm_struct;

/* The memory that a new member has is cleared when it is freed. Sleeps. */
void tacet_session_adopt(struct mm_struct *mm);

int tacet_session_arrival_init(void);
/* No session is left. Work that is queued ends with the module's work queue. */
void tacet_session_arrival_exit(void);

#endif
