/* SPDX-License-Identifier: GPL-2.0-only */
/* Marks pages of messages that processes that are covered receive. Others have allocated them: the driver, or the sender. */
#ifndef _TACET_MEMORY_SOCKET_H
#define _TACET_MEMORY_SOCKET_H

#include <linux/types.h>

/*
 * Between these calls, the pages of a message are marked when a task for which @concerns returns true copies data out of it.
 * Starting returns 0 or -errno. The caller serialises them. They sleep.
 */
int tacet_socket_mark_start(bool (*concerns)(void));
void tacet_socket_mark_stop(void);

#endif
