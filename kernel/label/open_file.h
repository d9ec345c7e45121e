/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are open: those that were before they were labelled. */
#ifndef _TACET_LABEL_OPEN_FILE_H
#define _TACET_LABEL_OPEN_FILE_H

struct file;

void tacet_open_file_exit(void);
/* @looked runs each time that an inode has begun to trigger, now and once more a little later. Atomic. NULL: nobody. Sleeps. */
void tacet_open_file_set_listener(void (*looked)(void));

/* As of iterate_fd(): atomic, and the walk ends when it is not 0. */
typedef int (*tacet_open_file_visit)(const void *data, struct file *file, unsigned int fd);
/* Visits the files of all tasks; those that tasks share, as often. */
void tacet_open_file_each(tacet_open_file_visit visit, const void *data);

/*
 * The inode of @file triggers from now on: makes reads of all its open files
 * raise the event, at once, and a little later those of files that were being
 * opened meanwhile. Sleeps.
 */
void tacet_open_file_watch(struct file *file);
/* Reading @file itself raises events from now on. */
void tacet_open_file_watch_this(struct file *file);

#endif
