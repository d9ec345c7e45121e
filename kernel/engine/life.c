// SPDX-License-Identifier: GPL-2.0-only
/* Tasks under the hook are born and die. Probes of the scheduler's tracepoints notice it. */
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "base/symbol.h"
#include "engine/fork.h"
#include "engine/life.h"
#include "memory/chosen.h"
#include "pair/clone.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"
#include "question/question.h"

/* Makes the context of a thread or child whose call began before its process was under the hook. */
static struct tacet_task *unprepared_child(struct tacet_task *parent, struct task_struct *child)
{
	struct tacet_pair *pair = tacet_task_pair(parent);
	struct tacet_task *born;

	if (same_thread_group(child, current))
		pair = tacet_pair_get(pair);
	else
		pair = tacet_pair_inherit(pair, min(tacet_pair_state(pair), TACET_PAIR_TAINTED), GFP_ATOMIC);
	if (!pair)
		return NULL;
	born = tacet_task_create(pair, TACET_ROLE_ORIGINAL, GFP_ATOMIC);
	tacet_pair_put(pair);
	return born;
}

/*
 * Runs in the parent, in a tracepoint, before the child can run. The child's context was made when the
 * call was entered.
 */
static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct tacet_task *context = tacet_task_current(), *born;

	if (!context)
		return;
	born = context->child ?: unprepared_child(context, child);
	context->child = NULL;
	if (!born) {
		/* Nobody could see what the child does. */
		send_sig(SIGKILL, child, 1);
		return;
	}
	tacet_task_attach(born, child);
	if (born->role == TACET_ROLE_DOPPELGANGER) {
		tacet_ring_set_doppelganger(born->ring, child);
		if (thread_group_leader(child)) {
			tacet_clone_adopt(child);
			tacet_pair_set_doppelganger(tacet_task_pair(born), child);
		}
	}
	if (context->cloning || context->cloned_thread)
		tacet_clone_prepare(context, child);
	else if (context->child_step)
		tacet_fork_publish(context, child);
	/* The doppelgangers of parked threads take their turns by themselves. */
	if (same_thread_group(child, current) && !context->cloned_thread)
		tacet_turn_expect(born, child);
}

/* Tells whether the process ends by a fatal signal, or because another thread executes a program. */
static bool group_ends(struct task_struct *task)
{
	return (task->signal->flags & SIGNAL_GROUP_EXIT) || task->signal->group_exec_task;
}

static void probe_exit(TACET_EXIT_PROBE_PARAMETERS)
{
	struct tacet_task *context = tacet_task_current();
	struct tacet_pair *pair;

	if (!context)
		return;
	pair = tacet_task_pair(context);
	/* What it frees from here on is sensitive, too. */
	if (tacet_task_is_sensitive(current))
		tacet_chosen_cover(current);
	tacet_turn_release(context);
	if (context->role == TACET_ROLE_DOPPELGANGER) {
		if (context->ring)
			tacet_ring_give_up_children(context->ring);
		if (tacet_pair_lives(pair) && !context->exiting)
			tacet_pair_taint(pair, "doppelganger-died");
	} else if (!atomic_read(&current->signal->live)) {
		tacet_question_forget(current->group_leader);
		tacet_pair_end(pair);
	} else if (tacet_pair_lives(pair) && !context->exiting && !group_ends(current)) {
		tacet_pair_taint(pair, "thread-killed");
	}
	tacet_task_detach(context);
}

int tacet_life_init(void)
{
	int error;

	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exit(probe_exit);
	error = tracepoint_probe_register(tacet_symbols.fork, probe_fork, NULL);
	if (error)
		return error;
	error = tracepoint_probe_register(tacet_symbols.exit, probe_exit, NULL);
	if (!error)
		return 0;
	tracepoint_probe_unregister(tacet_symbols.fork, probe_fork, NULL);
	tracepoint_synchronize_unregister();
	return error;
}

/* No task is left, as each holds the module. */
void tacet_life_exit(void)
{
	tracepoint_probe_unregister(tacet_symbols.exit, probe_exit, NULL);
	tracepoint_probe_unregister(tacet_symbols.fork, probe_fork, NULL);
	tracepoint_synchronize_unregister();
}
