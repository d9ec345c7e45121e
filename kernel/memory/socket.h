/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages: others than those who are covered allocate or free them, and the kernel keeps some for later. */
#ifndef _TACET_MEMORY_SOCKET_H
#define _TACET_MEMORY_SOCKET_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct sk_buff;
struct task_struct;

/*
 * Between these calls, the pages of a message are marked when a task for which @reads returns true copies data out of it, and when it
 * is thrown away while @concerns returns true for kernel buffers. @copied is called when anybody copies data that is an owner's. The
 * three work in any context. Starting returns 0 or -errno. The caller serialises them. They sleep.
 */
int tacet_socket_mark_start(bool (*reads)(void), bool (*concerns)(enum tacet_memory_layer layer), void (*copied)(void));
void tacet_socket_mark_stop(void);

/* The current task reads or frees a message: marks its pages if the task is an owner. Works in any context, between the calls. */
void tacet_socket_take(const struct sk_buff *message);

/* Frees messages that were read, and that a processor keeps for the next interrupt of the network. Sleeps. */
void tacet_socket_complete(void);

/*
 * Gives up the page that a thread keeps for the next that it sends. It holds what was sent before. The second is for a thread that
 * sleeps in a system call, and is held up before it returns to user mode. It does nothing if that call may send.
 */
void tacet_socket_drop_own_page(void);
void tacet_socket_drop_page_asleep(struct task_struct *thread);

#endif
