// SPDX-License-Identifier: GPL-2.0-only
/* How many owners there are, so that nobody pays where there are none, and whose a task is. */
#include "memory/owner.h"

atomic_t tacet_owner_count = ATOMIC_INIT(0);
unsigned long tacet_owner_seen = INITIAL_JIFFIES - TACET_OWNER_AFTERMATH;
atomic_t tacet_owner_changes = ATOMIC_INIT(0);
DEFINE_PER_CPU(struct tacet_owned_tasks, tacet_owned_tasks);

void tacet_owner_changed(void)
{
	unsigned int cpu, place;

	/* Orders the count before the words, see tacet_owner_remember(). */
	atomic_inc_return(&tacet_owner_changes);
	for_each_possible_cpu(cpu)
		for (place = 0; place < TACET_OWNED_TASKS; place++)
			WRITE_ONCE(per_cpu(tacet_owned_tasks, cpu).words[place], 0);
}

/* Whoever changes the count clears a word that was written before. One that is written after it is cleared here. */
void tacet_owner_remember(u8 owner, int changes)
{
	unsigned long task = tacet_owner_task(), *word;

	preempt_disable_notrace();
	word = &this_cpu_ptr(&tacet_owned_tasks)->words[tacet_owner_place(task)];
	WRITE_ONCE(*word, task << 8 | owner);
	/* Orders the word before the look at the count. */
	smp_mb();
	if (atomic_read(&tacet_owner_changes) != changes)
		WRITE_ONCE(*word, 0);
	preempt_enable_notrace();
}
