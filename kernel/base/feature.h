/* SPDX-License-Identifier: GPL-2.0-only */
/* The features that TACET_IOC_INFO reports to be in force. Each part sets its own flag. */
#ifndef _TACET_BASE_FEATURE_H
#define _TACET_BASE_FEATURE_H

#include <linux/types.h>
#include "uapi/tacet.h"

/* Works in any context. */
void tacet_feature_set(enum tacet_feature feature, bool in_force);
/* Returns the flags of enum tacet_feature that are in force. */
u32 tacet_feature_all(void);

#endif
