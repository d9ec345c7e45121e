/* SPDX-License-Identifier: GPL-2.0-only */
/* A page's mark goes with its content when the kernel moves it. */
#ifndef _TACET_MEMORY_MIGRATION_H
#define _TACET_MEMORY_MIGRATION_H

/* Those that can fail return 0 or -errno. All sleep. */
int tacet_page_migration_follow(void);
void tacet_page_migration_unfollow(void);
int tacet_page_migration_init(void);
void tacet_page_migration_exit(void);

#endif
