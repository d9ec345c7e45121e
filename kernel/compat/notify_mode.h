/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel decides once, when a file is opened, whether reading it raises a permission event. It
 * keeps that in f_mode (from 6.14, and in the stable 6.12 that carries the backport). Two encodings
 * exist, and each defines a macro of its own.
 */
#ifndef _TACET_COMPAT_NOTIFY_MODE_H
#define _TACET_COMPAT_NOTIFY_MODE_H

#include <linux/fs.h>

#if defined(FMODE_FSNOTIFY_ACCESS_PERM)

/*
 * With no bit set the file raises every event. exe_file_allow_write_access() takes the same bits to
 * tell whether write access was denied.
 */
#define TACET_NOTIFY_MODE ((__force fmode_t)0)
#define TACET_NOTIFY_MODE_OF_EXECUTABLES false
#define tacet_notify_mode_watched(mode) FMODE_FSNOTIFY_ACCESS_PERM(mode)

#elif defined(FMODE_FSNOTIFY_PERM)

/* With both bits set the file raises every event but FS_PRE_ACCESS. Only that one matters for executables. */
#define TACET_NOTIFY_MODE (FMODE_NONOTIFY | FMODE_NONOTIFY_PERM)
#define TACET_NOTIFY_MODE_OF_EXECUTABLES true
#define tacet_notify_mode_watched(mode) FMODE_FSNOTIFY_PERM(mode)

#else

/* This kernel caches nothing in f_mode. */
#define FMODE_FSNOTIFY_MASK FMODE_NONOTIFY
#define FMODE_FSNOTIFY_NONE(mode) ((mode) & FMODE_NONOTIFY)
#define TACET_NOTIFY_MODE ((__force fmode_t)0)
#define TACET_NOTIFY_MODE_OF_EXECUTABLES true
#define tacet_notify_mode_watched(mode) (!((mode) & FMODE_NONOTIFY))

#endif

static inline void tacet_notify_mode_set(struct file *file, fmode_t mode)
{
	spin_lock(&file->f_lock);
	file->f_mode = (file->f_mode & ~FMODE_FSNOTIFY_MASK) | mode;
	spin_unlock(&file->f_lock);
}

#endif
