// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the tasks that can read from a pipe, socket or terminal. They are put under the hook, and
 * turned round before data goes in.
 */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "base/symbol.h"
#include "call/call.h"
#include "channel/reader.h"
#include "pair/clone.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"
#include "sink/receiver.h"
#include "sink/terminal.h"

#define KICKS_MAX 1024
/* All kicks together take at most this time. */
#define KICK_MILLISECONDS 1000
#define ASYNCHRONOUS_MAX 16

/* One reader that has to come out of its call before data goes in. */
struct kick {
	struct task_struct *task;   /* a reference */
	struct tacet_task *context; /* a reference */
	unsigned long entries;
};

struct search {
	const void *key;
	const struct sock *sock;
	/* The channel's labels: a reader that cannot be watched is tainted with them. */
	struct tacet_labelset *set;
	struct kick *kicks;
	unsigned int count;
	struct task_struct *asynchronous[ASYNCHRONOUS_MAX]; /* references */
	unsigned int asynchronous_count;
	bool too_many;
	bool found;
};

const void *tacet_reader_key(struct file *file)
{
	struct socket *socket;

	if (S_ISFIFO(file_inode(file)->i_mode))
		return file_inode(file);
	socket = sock_from_file(file);
	return socket ? (const void *)socket->sk : tacet_terminal_of_master(file);
}

static int reads_from_key(const void *data, struct file *file, unsigned int fd)
{
	const struct search *search = data;
	struct socket *socket;

	if (!(file->f_mode & FMODE_READ))
		return 0;
	if (tacet_reader_key(file) == search->key)
		return 1;
	socket = sock_from_file(file);
	return socket && socket->sk && search->sock && tacet_receiver_accepts(socket->sk, search->sock);
}

static bool holds_key(struct task_struct *task, struct search *search)
{
	bool holds = false;

	task_lock(task);
	if (task->files)
		holds = iterate_fd(task->files, 0, reads_from_key, search);
	task_unlock(task);
	return holds;
}

/*
 * Tells whether the task is in a call that takes data, asleep or on its way there. A wrong guess only
 * restarts a call that can be restarted.
 */
static bool is_in_read(struct task_struct *task)
{
	bool reads = false;
	long number;

	if (!try_get_task_stack(task))
		return false;
	number = READ_ONCE(task_pt_regs(task)->orig_ax);
	/* In a 32-bit call the numbers mean other calls. */
	if (task_thread_info(task)->status & TS_COMPAT)
		reads = true;
	else if (number >= 0)
		reads = tacet_call_lookup(number)->kind == TACET_CALL_READ ||
			tacet_call_lookup(number)->kind == TACET_CALL_TRANSFER;
	static_call(tacet_put_task_stack)(task);
	return reads;
}

static void note_kick(struct task_struct *task, struct search *search)
{
	struct kick *kick = &search->kicks[search->count];
	struct tacet_task *context = tacet_task_get(task);

	if (!context)
		return;
	if (context->role == TACET_ROLE_DOPPELGANGER || !is_in_read(task)) {
		tacet_task_put(context);
		return;
	}
	if (search->count == KICKS_MAX) {
		search->too_many = true;
		tacet_task_put(context);
		return;
	}
	*kick = (struct kick){ get_task_struct(task), context, READ_ONCE(context->entries) };
	search->count++;
}

/* A request that is under way takes the data without a call that the module could see. */
static void note_asynchronous(struct task_struct *process, struct search *search)
{
	if (search->asynchronous_count < ASYNCHRONOUS_MAX)
		search->asynchronous[search->asynchronous_count++] = get_task_struct(process);
	else
		search->too_many = true;
}

/*
 * A reader that cannot be reached takes the data unseen. So all that it does counts as derived, and
 * what it writes has the label. With @unless_paired a paired one is left alone, as its doppelganger
 * gets something else, however late. Returns false without memory.
 */
static bool taint_reader(struct tacet_task *context, struct tacet_labelset *set, bool unless_paired, const char *reason)
{
	struct tacet_pair *pair;
	int error = 0;

	rcu_read_lock();
	pair = rcu_dereference(context->pair);
	if (!refcount_inc_not_zero(&pair->references))
		pair = NULL;
	rcu_read_unlock();
	if (!pair)
		return true;
	if (!unless_paired || !tacet_pair_lives(pair)) {
		error = tacet_pair_add_label(pair, set, NULL, GFP_KERNEL);
		tacet_pair_taint(pair, reason);
	}
	tacet_pair_put(pair);
	return !error;
}

static void taint_asynchronous(struct search *search)
{
	struct tacet_task *context;
	unsigned int i;

	for (i = 0; i < search->asynchronous_count; i++) {
		context = tacet_task_get(search->asynchronous[i]);
		if (context) {
			if (!taint_reader(context, search->set, false, "asynchronous-input"))
				search->too_many = true;
			tacet_task_put(context);
		}
		put_task_struct(search->asynchronous[i]);
	}
}

static bool watch_process(struct task_struct *process, struct search *search)
{
	struct task_struct *task;
	bool watched = true;

	if (tacet_clone_has_asynchronous_input(process))
		note_asynchronous(process, search);
	for_each_thread(process, task) {
		if (READ_ONCE(task->flags) & PF_EXITING)
			continue;
		watched = tacet_watch_task(task, TACET_PAIR_WATCH) && watched;
		if (task != current)
			note_kick(task, search);
	}
	search->found = true;
	return watched;
}

static void kick(struct kick *kick)
{
	if (!test_and_set_tsk_thread_flag(kick->task, TIF_NOTIFY_SIGNAL))
		static_call(tacet_wake_up_state)(kick->task, TASK_INTERRUPTIBLE);
}

/* The flag is cleared on the way to user space. The module sees the calls that follow. */
static bool came_out(const struct kick *kick)
{
	return READ_ONCE(kick->context->entries) != kick->entries ||
	       !test_tsk_thread_flag(kick->task, TIF_NOTIFY_SIGNAL) || READ_ONCE(kick->task->flags) & PF_EXITING;
}

/* Returns false if the task did not come out, and cannot be labelled. */
static bool wait_for_kicked(struct kick *kick, struct tacet_labelset *set, unsigned long deadline)
{
	bool out, done = true;

	for (;;) {
		out = came_out(kick);
		if (out || fatal_signal_pending(current) || time_after(jiffies, deadline))
			break;
		usleep_range(100, 500);
	}
	if (!out)
		done = taint_reader(kick->context, set, true, "reader-not-reached");
	tacet_task_put(kick->context);
	put_task_struct(kick->task);
	return done;
}

static void kick_all(struct search *search)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(KICK_MILLISECONDS);
	unsigned int i;

	for (i = 0; i < search->count; i++)
		kick(&search->kicks[i]);
	for (i = 0; i < search->count; i++)
		if (!wait_for_kicked(&search->kicks[i], search->set, deadline))
			search->too_many = true;
	kvfree(search->kicks);
}

int tacet_reader_watch(const void *key, const struct sock *sock, struct tacet_labelset *set, bool *ret_found)
{
	struct search search = {
		.key = key,
		.sock = sock,
		.set = set,
	};
	struct task_struct *process, *task, *found = NULL;
	bool watched = true;

	search.kicks = kvcalloc(KICKS_MAX, sizeof(*search.kicks), GFP_KERNEL);
	if (!search.kicks)
		return -ENOMEM;
	rcu_read_lock();
	/* A thread may have a table of its own, and a leader that has ended has none. */
	for_each_process_thread(process, task) {
		if (process->flags & PF_KTHREAD || process == found ||
		    (task != process && task->files == READ_ONCE(process->files)) || !holds_key(task, &search))
			continue;
		watched = watch_process(process, &search) && watched;
		found = process;
	}
	rcu_read_unlock();
	kick_all(&search);
	taint_asynchronous(&search);
	*ret_found = search.found;
	return watched && !search.too_many ? 0 : -ENOMEM;
}
