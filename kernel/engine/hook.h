/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the kernel that are redirected to this module. */
#ifndef _TACET_ENGINE_HOOK_H
#define _TACET_ENGINE_HOOK_H

int tacet_hook_init(void);
void tacet_hook_exit(void);
int tacet_hook_overlay_init(void);
void tacet_hook_overlay_exit(void);

#endif
