// SPDX-License-Identifier: GPL-2.0-only
/* Sums the per-CPU counters. */
#include "base/counter.h"

DEFINE_PER_CPU(struct tacet_counters, tacet_counters);

/* Fills @values, which has as many entries as tacet_counters.value. The sums are a snapshot, not a barrier. */
void tacet_counter_sum(u64 *values)
{
	const struct tacet_counters *counters;
	unsigned int i;
	int cpu;

	memset(values, 0, sizeof(counters->value));
	for_each_possible_cpu(cpu) {
		counters = per_cpu_ptr(&tacet_counters, cpu);
		for (i = 0; i < ARRAY_SIZE(counters->value); i++)
			values[i] += READ_ONCE(counters->value[i]);
	}
}
