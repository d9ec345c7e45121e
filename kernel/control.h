/* SPDX-License-Identifier: GPL-2.0-only */
/* The device /dev/tacet. */
#ifndef _TACET_CONTROL_H
#define _TACET_CONTROL_H

int tacet_control_init(void);
void tacet_control_exit(void);

#endif
