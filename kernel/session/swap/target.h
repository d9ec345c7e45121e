/* SPDX-License-Identifier: GPL-2.0-only */
/* The device-mapper target "tacet-swap <device> <start>". */
#ifndef _TACET_SESSION_SWAP_TARGET_H
#define _TACET_SESSION_SWAP_TARGET_H

int tacet_swap_target_init(void);
/* No device is left, as each holds the module. */
void tacet_swap_target_exit(void);

#endif
