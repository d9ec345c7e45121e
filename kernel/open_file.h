/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that were open before they were labelled. */
#ifndef _TACET_OPEN_FILE_H
#define _TACET_OPEN_FILE_H

struct file;

void tacet_open_file_exit(void);

/*
 * The inode of @file triggers from now on: makes reads of all its open files
 * raise the event, at once, and a little later those of files that were being
 * opened meanwhile. Sleeps.
 */
void tacet_open_file_watch(struct file *file);

#endif
