/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that get their label while a process is mapping them. */
#ifndef _TACET_PAIR_LATE_LABEL_H
#define _TACET_PAIR_LATE_LABEL_H

struct file;

/*
 * The current process is about to map @file, which has no label yet. If the file may get one meanwhile, it is looked at
 * again before the process can use the mapping. Returns 0 or -ENOMEM.
 */
int tacet_late_label_expect(struct file *file);
/*
 * Forgets all that is expected. Nobody calls the function above any more. The caller then waits for a grace period of
 * tasks, as one may still be on its way out. Sleeps.
 */
void tacet_late_label_exit(void);

#endif
