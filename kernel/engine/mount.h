/* SPDX-License-Identifier: GPL-2.0-only */
/* Mounts, of which file systems of other machines are told. */
#ifndef _TACET_ENGINE_MOUNT_H
#define _TACET_ENGINE_MOUNT_H

#include <linux/types.h>

struct tacet_entry;

/* Tells whether this is mount() or fsconfig(), and nobody outside of this machine is told of its strings. */
bool tacet_mount_stays_here(const struct tacet_entry *entry);

#endif
