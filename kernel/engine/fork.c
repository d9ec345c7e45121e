// SPDX-License-Identifier: GPL-2.0-only
/*
 * Children. A child of a paired process is paired too. A child of a watched or tainted process is in
 * its parent's state.
 */
#include <linux/file.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#include <uapi/linux/sched.h>

#include "base/symbol.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/fork.h"
#include "engine/ops.h"
#include "engine/repeat.h"
#include "engine/step.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"

/* Reads the call's flags and pointers, whichever of the four calls it is. Returns 0 or -EFAULT. */
static int clone_arguments(const struct tacet_entry *entry, struct kernel_clone_args *arguments)
{
	const unsigned long *args = entry->args;
	struct clone_args user = {};

	memset(arguments, 0, sizeof(*arguments));
	switch (entry->number) {
	case __NR_clone:
		arguments->flags = lower_32_bits(args[0]) & ~CSIGNAL;
		arguments->stack = args[1];
		arguments->parent_tid = (int __user *)args[2];
		arguments->pidfd = (int __user *)args[2];
		arguments->child_tid = (int __user *)args[3];
		arguments->tls = args[4];
		return 0;
	case __NR_clone3:
		if (copy_from_user(&user, (void __user *)args[0], min(sizeof(user), args[1])))
			return -EFAULT;
		arguments->flags = user.flags;
		arguments->stack = user.stack ? user.stack + user.stack_size : 0;
		arguments->parent_tid = u64_to_user_ptr(user.parent_tid);
		arguments->pidfd = u64_to_user_ptr(user.pidfd);
		arguments->child_tid = u64_to_user_ptr(user.child_tid);
		arguments->tls = user.tls;
		return 0;
	case __NR_vfork:
		arguments->flags = CLONE_VFORK | CLONE_VM;
	}
	return 0;
}

/* Makes the context for the child of a task without a doppelganger. Returns 0, or -errno for the call. */
static int prepare_child(struct tacet_entry *entry)
{
	struct kernel_clone_args arguments;
	struct tacet_pair *pair;

	/* The call itself will fail in the same way. */
	if (clone_arguments(entry, &arguments))
		return 0;
	if (arguments.flags & CLONE_THREAD)
		pair = tacet_pair_get(entry->pair);
	else
		pair = tacet_pair_inherit(entry->pair, tacet_pair_state(entry->pair), GFP_KERNEL);
	if (!pair)
		return -ENOMEM;
	entry->context->child = tacet_task_create(pair, TACET_ROLE_ORIGINAL, GFP_KERNEL);
	tacet_pair_put(pair);
	return entry->context->child ? 0 : -ENOMEM;
}

/* Makes pair, ring and contexts for the children of both halves. Returns 0 or -ENOMEM. */
static int prepare_children(struct tacet_entry *entry, struct tacet_step *step, bool thread)
{
	struct tacet_task *child;

	step->child_pair = thread ? tacet_pair_get(entry->pair) :
				    tacet_pair_inherit(entry->pair, TACET_PAIR_PAIRED, GFP_KERNEL);
	if (!step->child_pair)
		return -ENOMEM;
	step->child_ring = tacet_ring_create(step->child_pair);
	if (!step->child_ring)
		return -ENOMEM;
	child = tacet_task_create(step->child_pair, TACET_ROLE_ORIGINAL, GFP_KERNEL);
	if (!child)
		return -ENOMEM;
	child->ring = tacet_ring_get(step->child_ring);
	entry->context->child = child;
	return 0;
}

/*
 * The original's child is known and does not run yet. The parent may sleep until a vfork child has made
 * way. So the parent's doppelganger has to hear of the child now.
 */
void tacet_fork_publish(struct tacet_task *parent, struct task_struct *child)
{
	struct tacet_step *step = parent->child_step;
	struct kernel_clone_args *arguments = parent->clone_arguments;
	int pidfd = -1;

	parent->child_step = NULL;
	if (arguments->flags & CLONE_PIDFD)
		copy_from_user_nofault(&pidfd, arguments->pidfd, sizeof(pidfd));
	if (arguments->flags & CLONE_THREAD)
		tacet_turn_begin(tacet_task_pair(parent));
	else
		atomic_inc(&tacet_task_pair(parent)->unborn);
	step->position = pidfd;
	step->result = task_pid_vnr(child);
	tacet_ring_publish(parent->ring);
}

static long original_fork(struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	struct kernel_clone_args arguments;
	struct tacet_step *step;
	long result;

	if (clone_arguments(entry, &arguments))
		return -EFAULT;
	step = tacet_step_begin(entry);
	if (!step)
		return TACET_LOST;
	if (prepare_children(entry, step, arguments.flags & CLONE_THREAD) ||
	    (arguments.flags & CLONE_THREAD && tacet_turn_prepare(entry->pair))) {
		tacet_pair_taint(entry->pair, "no-memory");
		return TACET_LOST;
	}
	step->clone_flags = arguments.flags;
	context->child_step = step;
	context->clone_arguments = &arguments;
	result = tacet_run(entry);
	context->clone_arguments = NULL;
	if (!context->child_step)
		return result;
	/* No child was made. */
	context->child_step = NULL;
	tacet_task_put(context->child);
	context->child = NULL;
	return tacet_step_finish(entry, step, result);
}

/*
 * The numbers that the kernel would write are the original's. They are written before the clone, as a
 * child may look at its number before it makes its first call.
 */
static bool write_numbers(const struct kernel_clone_args *arguments, const struct tacet_step *step, int *old_child_tid)
{
	int pid = step->result;

	if (arguments->flags & CLONE_PIDFD && put_user((int)step->position, arguments->pidfd))
		return false;
	if (arguments->flags & CLONE_PARENT_SETTID && put_user(pid, arguments->parent_tid))
		return false;
	if (arguments->flags & CLONE_CHILD_SETTID)
		return !get_user(*old_child_tid, arguments->child_tid) && !put_user(pid, arguments->child_tid);
	return true;
}

#define KEPT_FLAGS                                                                                        \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_VFORK | CLONE_THREAD | CLONE_SYSVSEM | \
	 CLONE_SETTLS | CLONE_CHILD_CLEARTID | CLONE_CLEAR_SIGHAND)

static long fork_like_original(struct tacet_entry *entry, struct tacet_step *step)
{
	struct kernel_clone_args arguments;
	struct tacet_task *child;
	int old_child_tid = 0;
	u64 flags;
	pid_t pid;

	if (clone_arguments(entry, &arguments))
		return tacet_repeat_diverge(entry, "buffers-differ");
	/* The flags of clone3() lie in memory. But the child's pair and ring were made for the original's flags. */
	if (arguments.flags != step->clone_flags)
		return tacet_repeat_diverge(entry, "arguments-differ");
	if (!write_numbers(&arguments, step, &old_child_tid))
		return tacet_repeat_diverge(entry, "buffers-differ");
	child = tacet_task_create(step->child_pair, TACET_ROLE_DOPPELGANGER, GFP_KERNEL);
	if (!child)
		return tacet_repeat_diverge(entry, "no-memory");
	child->ring = tacet_ring_get(step->child_ring);
	child->inherits = true;
	entry->context->child = child;
	flags = arguments.flags;
	if (flags & CLONE_THREAD)
		tacet_turn_begin_doppelganger(entry->pair);
	arguments.flags = (flags & KEPT_FLAGS) | CLONE_UNTRACED;
	pid = static_call(tacet_kernel_clone)(&arguments);
	if (pid < 0) {
		/* This is done at once, or the original's child would wait for its doppelganger. */
		tacet_pair_taint(step->child_pair, "clone-failed");
		return tacet_repeat_diverge(entry, "clone-failed");
	}
	if (flags & CLONE_CHILD_SETTID && !(flags & CLONE_VM) && put_user(old_child_tid, arguments.child_tid))
		return tacet_repeat_diverge(entry, "buffers-differ");
	return step->result;
}

static long doppelganger_fork(struct tacet_entry *entry, struct tacet_step *step)
{
	bool is_process = !(step->clone_flags & CLONE_THREAD);
	long result;

	if (IS_ERR_VALUE(step->result))
		return step->result;
	result = fork_like_original(entry, step);
	if (is_process)
		atomic_dec(&entry->pair->unborn);
	return result;
}

static long unpaired_fork(struct tacet_entry *entry)
{
	return prepare_child(entry) ?: TACET_PASS;
}

const struct tacet_call_ops tacet_fork_ops = {
	.original = original_fork,
	.doppelganger = doppelganger_fork,
	.watched = unpaired_fork,
	.tainted = unpaired_fork,
};
