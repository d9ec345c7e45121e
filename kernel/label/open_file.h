/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that were opened before they were labelled. */
#ifndef _TACET_LABEL_OPEN_FILE_H
#define _TACET_LABEL_OPEN_FILE_H

struct file;

void tacet_open_file_exit(void);
/*
 * @looked runs each time that an inode has got its first mark: at once, and again a little later. It
 * runs in atomic context. NULL removes it. Sleeps.
 */
void tacet_open_file_set_listener(void (*looked)(void));

/* As with iterate_fd(), a visit is atomic, and the walk ends when it returns another value than 0. */
typedef int (*tacet_open_file_visit)(const void *data, struct file *file, unsigned int fd);
/* Visits the open files of all tasks. A file that several tasks share may be visited several times. */
void tacet_open_file_each(tacet_open_file_visit visit, const void *data);

/*
 * The inode of @file has a mark from now on. Makes reads of all its open files raise the event at once.
 * A little later it does so for files that were being opened meanwhile. Sleeps.
 */
void tacet_open_file_watch(struct file *file);
/* Makes reads of @file itself raise events from now on. */
void tacet_open_file_watch_this(struct file *file);

#endif
