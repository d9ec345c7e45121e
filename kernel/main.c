// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the parts in order. */
#include <linux/module.h>

#include "base/credential.h"
#include "base/inode.h"
#include "base/symbol.h"
#include "base/work.h"
#include "channel/channel.h"
#include "control.h"
#include "engine/hook.h"
#include "engine/life.h"
#include "engine/replacement.h"
#include "event/event.h"
#include "label/erase.h"
#include "label/label.h"
#include "label/overlay.h"
#include "label/truncate.h"
#include "memory/chosen.h"
#include "memory/clear.h"
#include "memory/owner.h"
#include "memory/policy.h"
#include "memory/round.h"
#include "pair/clone.h"
#include "pair/delivery.h"
#include "pair/mapped.h"
#include "pair/task.h"
#include "pair/watch.h"
#include "question/guard.h"
#include "question/question.h"
#include "session/arrival.h"
#include "session/descriptor.h"
#include "session/life.h"
#include "session/session.h"
#include "session/swap/target.h"

static const struct tacet_label_hooks label_hooks = {
	.mark = { .reads = tacet_watch_reads, .has_read = tacet_watch_has_read, .opens = tacet_guard_opens },
	.mapped = tacet_mapped_label,
};

static int init_labels(void)
{
	return tacet_label_init(&label_hooks);
}

/* Says whose memory the allocations of @task are. */
static u8 owner_of_task(struct task_struct *task)
{
	u8 owner = tacet_session_owner_of_task(task);

	if (owner == TACET_OWNER_NONE && tacet_memory_policy_sensitive() &&
	    (tacet_chosen_runs(task) || tacet_task_is_sensitive(task)))
		owner = TACET_OWNER_PROGRAM;
	return owner;
}

/* The halves of a pair are compared, so that their stacks stay as they are. */
static bool is_stack_cleared(struct task_struct *process)
{
	return (tacet_session_owner_of_task(process) != TACET_OWNER_NONE || tacet_chosen_clears_stack(process)) &&
	       !tacet_task_is_sensitive(process);
}

static int init_clearing(void)
{
	tacet_round_init(is_stack_cleared, owner_of_task);
	return tacet_page_clear_init(owner_of_task);
}

static void exit_clearing(void)
{
	tacet_memory_policy_exit();
	tacet_round_exit();
	tacet_page_clear_exit();
}

static int init_sessions(void)
{
	tacet_session_set_hooks(&tacet_border_session_hooks);
	return tacet_session_descriptor_init();
}

static const struct part {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
} parts[] = {
	{ "symbols", tacet_symbol_init, NULL },
	{ "credentials", tacet_credential_init, tacet_credential_exit },
	{ "events", tacet_event_init, tacet_event_exit },
	{ "questions", tacet_question_init, tacet_question_exit },
	{ "doppelgangers", tacet_clone_init, tacet_clone_exit },
	{ "work queue", tacet_work_init, tacet_work_exit },
	{ "inodes", tacet_inode_init, tacet_inode_exit },
	{ "tasks", tacet_task_init, NULL },
	{ "births and deaths", tacet_life_init, tacet_life_exit },
	{ "channels", tacet_channel_init, tacet_channel_exit },
	{ "signals", tacet_delivery_init, tacet_delivery_exit },
	{ "cleared memory", init_clearing, exit_clearing },
	{ "encrypted swap", tacet_swap_target_init, tacet_swap_target_exit },
	{ "arrivals in sessions", tacet_session_arrival_init, tacet_session_arrival_exit },
	{ "sessions", init_sessions, tacet_session_descriptor_exit },
	{ "guarded files", NULL, tacet_guard_exit },
	{ "erased files", NULL, tacet_erase_exit },
	{ "truncated files", tacet_truncate_init, tacet_truncate_exit },
	{ "system-call hook", tacet_hook_init, tacet_hook_exit },
	{ "labels", init_labels, tacet_label_exit },
	{ "overlays", tacet_overlay_init, tacet_overlay_exit },
	/*
	 * The overlay hooks use the labels, and go before them. A labelled inode needs the hook above,
	 * which goes after the labels.
	 */
	{ "overlay hooks", tacet_hook_overlay_init, tacet_hook_overlay_exit },
	{ "control device", tacet_control_init, tacet_control_exit },
};

static void exit_parts(unsigned int count)
{
	while (count-- > 0)
		if (parts[count].exit)
			parts[count].exit();
}

static int __init tacet_init(void)
{
	unsigned int i;
	int error;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		error = parts[i].init ? parts[i].init() : 0;
		if (error) {
			pr_err("no %s: error %d\n", parts[i].name, error);
			exit_parts(i);
			return error;
		}
	}
	return 0;
}

/* Runs only when no task is under the hook, as each holds the module. */
static void __exit tacet_exit(void)
{
	exit_parts(ARRAY_SIZE(parts));
}

module_init(tacet_init);
module_exit(tacet_exit);
MODULE_DESCRIPTION("Tacet: labels, doppelgangers, disclosure policies");
MODULE_LICENSE("GPL");
