/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests that hand data to a device past write(). */
#ifndef _TACET_ENGINE_DEVICE_H
#define _TACET_ENGINE_DEVICE_H

#include <linux/types.h>

struct tacet_entry;

/* Tells whether the ioctl passes data of the program on to a device, such as a disc writer or a phone. */
bool tacet_device_gets_data(const struct tacet_entry *entry);

#endif
