// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares two processes that wait in the same call, except for their memory. It compares registers,
 * and the state that the kernel keeps for a process and gives back to it.
 */
#include <linux/delay.h>
#include <linux/regset.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>

#include "base/symbol.h"
#include "compat/state.h"
#include "pair/state.h"
#include "question/question.h"

const struct user_regset *tacet_state_regset(unsigned int type)
{
	const struct user_regset_view *view = task_user_regset_view(current);
	unsigned int i;

	for (i = 0; i < view->n; i++)
		if (view->regsets[i].core_note_type == type)
			return &view->regsets[i];
	return NULL;
}

bool tacet_state_wait_off_cpu(struct task_struct *task)
{
	unsigned long deadline = jiffies + tacet_question_barrier_timeout();

	while (READ_ONCE(task->on_cpu)) {
		if (time_after(jiffies, deadline))
			return false;
		usleep_range(20, 100);
	}
	return true;
}

static bool same_regset(struct task_struct *other, const struct user_regset *regset)
{
	void *own = NULL, *theirs = NULL;
	int size, other_size;
	bool same;

	if (!regset)
		return false;
	size = regset_get_alloc(current, regset, regset->n * regset->size, &own);
	other_size = regset_get_alloc(other, regset, regset->n * regset->size, &theirs);
	same = size > 0 && size == other_size && !memcmp(own, theirs, size);
	if (own)
		memzero_explicit(own, size);
	kvfree(own);
	kvfree(theirs);
	return same;
}

/* The registers include the bases of segments. */
static bool same_registers(struct task_struct *other)
{
	bool same;

	/* The other's registers are in memory once it is no longer on a processor. */
	if (!tacet_state_wait_off_cpu(other) || !try_get_task_stack(other))
		return false;
	/* The value in memory may be an earlier one of the current task. */
	if (cpu_feature_enabled(X86_FEATURE_OSPKE))
		current->thread.pkru = rdpkru();
	same = same_regset(other, tacet_state_regset(NT_PRSTATUS)) &&
	       same_regset(other, tacet_state_regset(NT_X86_XSTATE));
	static_call(tacet_put_task_stack)(other);
	return same;
}

static bool same_handlers(struct task_struct *other)
{
	const struct sighand_struct *own, *theirs;
	bool same;

	rcu_read_lock();
	own = rcu_dereference(current->sighand);
	theirs = rcu_dereference(other->sighand);
	same = theirs && !memcmp(own->action, theirs->action, sizeof(own->action));
	rcu_read_unlock();
	return same;
}

static bool same_signals(struct task_struct *other)
{
	return !memcmp(&other->blocked, &current->blocked, sizeof(current->blocked)) &&
	       other->sas_ss_sp == current->sas_ss_sp && other->sas_ss_size == current->sas_ss_size &&
	       other->sas_ss_flags == current->sas_ss_flags && same_handlers(other);
}

/* Each signal's frame tells where the last fault was. The other addresses are those that the program has given. */
static bool same_addresses(struct task_struct *other)
{
	return other->thread.cr2 == current->thread.cr2 && other->thread.trap_nr == current->thread.trap_nr &&
	       other->thread.error_code == current->thread.error_code &&
	       tacet_robust_list(other) == tacet_robust_list(current) &&
	       other->clear_child_tid == current->clear_child_tid && tacet_rseq_area(other) == tacet_rseq_area(current);
}

/* Few programs have such state, so it is not worth a comparison. */
static bool is_peculiar(const struct task_struct *task)
{
	return tacet_has_segments(task) || tacet_has_memory_policy(task);
}

bool tacet_state_same(struct task_struct *doppelganger)
{
	return !is_peculiar(current) && same_registers(doppelganger) && same_signals(doppelganger) &&
	       same_addresses(doppelganger);
}
