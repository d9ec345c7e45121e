/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of TACET_IOC_INFO. They are per CPU, so that the hot path shares nothing. */
#ifndef _TACET_BASE_COUNTER_H
#define _TACET_BASE_COUNTER_H

#include <linux/percpu.h>
#include "uapi/tacet.h"

struct tacet_counters {
	u64 value[16];
};

DECLARE_PER_CPU(struct tacet_counters, tacet_counters);

static inline void tacet_counter_add(enum tacet_counter counter)
{
	this_cpu_inc(tacet_counters.value[counter]);
}

void tacet_counter_sum(u64 *values);

#endif
