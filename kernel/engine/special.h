/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that neither replaying nor running twice can deal with. */
#ifndef _TACET_ENGINE_SPECIAL_H
#define _TACET_ENGINE_SPECIAL_H

#include <linux/types.h>

struct file;
struct tacet_entry;
struct tacet_pair;
struct tacet_step;

long tacet_special_original(struct tacet_entry *entry);
long tacet_special_doppelganger(struct tacet_entry *entry, struct tacet_step *step);
/* The files that the current process has mapped such that its stores are not seen count as written. 0 or -errno. */
int tacet_special_label_shared_mappings(struct tacet_pair *pair);
/*
 * The label of the file that the call maps is the process's, and the file's that of the process if it can store there.
 * 0 or -errno.
 */
int tacet_special_label_mapping(struct tacet_entry *entry, struct file *file);
/* An ioctl that clones the content of one file into another. */
bool tacet_special_ioctl_transfers(const struct tacet_entry *entry);

#endif
