/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that are delivered to originals. */
#ifndef _TACET_PAIR_DELIVERY_H
#define _TACET_PAIR_DELIVERY_H

int tacet_delivery_init(void);
void tacet_delivery_exit(void);

#endif
