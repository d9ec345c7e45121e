/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks under the hook are born and die. */
#ifndef _TACET_ENGINE_LIFE_H
#define _TACET_ENGINE_LIFE_H

int tacet_life_init(void);
void tacet_life_exit(void);

#endif
