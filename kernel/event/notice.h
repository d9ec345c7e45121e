/* SPDX-License-Identifier: GPL-2.0-only */
/* Notices: events to the daemon that need no answer. */
#ifndef _TACET_EVENT_NOTICE_H
#define _TACET_EVENT_NOTICE_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct file;
struct tacet_labelset;

/*
 * Both queue a struct tacet_notice about the current task. @set and @reason may be NULL. Nothing is
 * sent about members of private sessions, as the daemon writes notices down. Both sleep.
 */
void tacet_notice_send(u32 type, u64 id, struct file *file, struct tacet_labelset *set, const char *reason);
/* Names the file by st_dev, st_ino and path. If @path is NULL, there is no file. */
void tacet_notice_send_named(u32 type, u64 device, u64 inode, const char *path, struct tacet_labelset *set,
			     const char *reason);

#endif
