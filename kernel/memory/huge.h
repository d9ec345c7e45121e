/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears huge pages of the kernel's pool (MAP_HUGETLB) when processes that are covered give them back. */
#ifndef _TACET_MEMORY_HUGE_H
#define _TACET_MEMORY_HUGE_H

#include <linux/types.h>

/*
 * @frees_for_owner tells whether what is freed here may be an owner's. Returns 0 or -errno. The caller
 * serialises it. Sleeps.
 */
int tacet_huge_clear_start(bool (*frees_for_owner)(void));
/* Waits until nobody is in the hook any more. */
void tacet_huge_clear_stop(void);

/* Return 0 or -errno. Without a pool in this kernel there is nothing to do. */
int tacet_huge_clear_init(void);
void tacet_huge_clear_exit(void);

#endif
