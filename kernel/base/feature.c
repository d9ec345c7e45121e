// SPDX-License-Identifier: GPL-2.0-only
/* The set of features in force. */
#include <linux/atomic.h>

#include "base/feature.h"

static atomic_t features = ATOMIC_INIT(0);

void tacet_feature_set(enum tacet_feature feature, bool in_force)
{
	if (in_force)
		atomic_or(feature, &features);
	else
		atomic_andnot(feature, &features);
}

u32 tacet_feature_all(void)
{
	return atomic_read(&features);
}
