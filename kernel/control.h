/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/tacet. */
#ifndef _TACET_CONTROL_H
#define _TACET_CONTROL_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct file;

int tacet_control_init(void);
void tacet_control_exit(void);

/* What TACET_IOC_INFO tells to be in force. */
void tacet_control_set_feature(enum tacet_feature feature, bool in_force);

/* Whether @file is /dev/tacet. */
bool tacet_control_is(const struct file *file);

#endif
