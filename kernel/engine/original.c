// SPDX-License-Identifier: GPL-2.0-only
/* The original's side of a paired call, and the calls of tasks without a doppelganger. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/sched/signal.h>

#include "base/blob.h"
#include "base/counter.h"
#include "base/labelset.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "call/run.h"
#include "channel/channel.h"
#include "engine/access.h"
#include "engine/doppelganger.h"
#include "engine/exec.h"
#include "engine/fork.h"
#include "engine/original.h"
#include "engine/output.h"
#include "engine/special.h"
#include "engine/takeover.h"
#include "engine/transfer.h"
#include "label/label.h"
#include "label/origin.h"
#include "pair/clone.h"
#include "pair/futex.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"
#include "pair/turn.h"
#include "pair/watch.h"

/* Calls between two looks at whether a watched process still has to be. */
#define LAPSE_INTERVAL 64
#define TRANSFER_MAX ((unsigned long)TACET_BLOB_MAX / 2)

/* More than a blob holds: a short count is always legal. */
static void shorten(struct tacet_entry *entry)
{
	switch (entry->number) {
	case __NR_read:
	case __NR_write:
	case __NR_pread64:
	case __NR_pwrite64:
		entry->args[2] = min(entry->args[2], TRANSFER_MAX);
	}
}

struct tacet_step *tacet_original_step(struct tacet_entry *entry)
{
	struct tacet_step *step;

	/* Born of a call that began before its process was under the hook. */
	if (!entry->context->ring) {
		tacet_pair_taint(entry->pair, "thread-without-double");
		return NULL;
	}
	step = tacet_ring_reserve(entry->context->ring);
	if (!step)
		return NULL;
	step->number = entry->number;
	memcpy(step->args, entry->args, sizeof(step->args));
	tacet_counter_add(TACET_COUNTER_EVENTS);
	return step;
}

int tacet_original_add_label(const struct tacet_entry *entry, struct tacet_labelset *set, struct tacet_origin *origin)
{
	struct tacet_labelset *old = tacet_pair_label(entry->pair, NULL);
	bool grows = !tacet_labelset_contains(old, set);
	int error;

	tacet_labelset_put(old);
	error = tacet_pair_add_label(entry->pair, set, origin, GFP_KERNEL);
	if (!error && current->ptrace)
		error = tacet_access_by_parent(entry->pair);
	return error || !grows ? error : tacet_special_label_shared_mappings(entry->pair);
}

int tacet_original_add_file(const struct tacet_entry *entry, struct tacet_labelset *set, struct file *file)
{
	struct tacet_origin *origin = NULL;
	int error;

	if (!tacet_label_stems_from(file, tacet_pair_source(entry->pair))) {
		origin = tacet_origin_of_file(file, current);
		if (!origin)
			return -ENOMEM;
	}
	error = tacet_original_add_label(entry, set, origin);
	tacet_origin_put(origin);
	return error;
}

static int add_channel(const struct tacet_entry *entry, struct tacet_channel *channel)
{
	struct tacet_labelset *set = tacet_channel_label(channel);
	struct tacet_origin *origin = NULL;
	int error;

	if (tacet_pair_source(entry->pair) != tacet_channel_source(channel))
		origin = tacet_channel_origin(channel);
	error = tacet_original_add_label(entry, set, origin);
	tacet_origin_put(origin);
	tacet_labelset_put(set);
	return error;
}

static long tainted_call(struct tacet_entry *entry);

/* The pair ended under the call: the original goes on tainted, or dies. */
static long without_doppelganger(struct tacet_entry *entry)
{
	/* A signal, or another thread that makes it, came between: the call is made again. */
	if (tacet_pair_state(entry->pair) == TACET_PAIR_WANT)
		return -ERESTARTNOINTR;
	return tacet_pair_state(entry->pair) == TACET_PAIR_TAINTED ? tainted_call(entry) : -EINTR;
}

long tacet_original_finish(struct tacet_entry *entry, struct tacet_step *step, long result)
{
	struct tacet_task *context = entry->context;

	context->interrupted = tacet_is_restart(result);
	if (context->interrupted) {
		/* Nothing has happened yet: the call comes again, or a signal cuts it off. */
		tacet_ring_abandon(step);
		context->interrupted_number = entry->number;
		context->interrupted_result = result;
		context->interrupted_step = step;
		return result;
	}
	step->result = result;
	step->signal_follows = task_sigpending(current);
	tacet_ring_publish_lazily(context->ring);
	return result;
}

static bool peeks(const struct tacet_entry *entry)
{
	return (entry->number == __NR_recvfrom && entry->args[3] & MSG_PEEK) ||
	       (entry->number == __NR_recvmsg && entry->args[2] & MSG_PEEK);
}

/* The label of what @file gives is the process's before it has the data: what cannot be labelled is not read. 0 or -ENOMEM. */
static int label_reader(const struct tacet_entry *entry, struct file *file)
{
	struct tacet_labelset *set = tacet_label_of(file);
	struct tacet_channel *channel;
	int error = 0;

	if (set) {
		error = tacet_original_add_file(entry, set, file);
		tacet_labelset_put(set);
		return error;
	}
	channel = tacet_channel_of_reader(file);
	if (channel) {
		error = add_channel(entry, channel);
		tacet_channel_put(channel);
	}
	return error;
}

static long run_labelled(struct tacet_entry *entry, struct tacet_step *step, struct file *file)
{
	int error = file ? label_reader(entry, file) : 0;

	if (error)
		return error;
	return entry->call->flags & TACET_CALL_ORDERED ? tacet_original_run_in_order(entry, step) : tacet_run(entry);
}

/* What the read took is labelled, perhaps only since it waits: the doppelganger gets something else. */
static int scrub_payload(struct tacet_entry *entry, struct tacet_step *step, struct file *file,
			 loff_t position, long result)
{
	struct tacet_labelset *set = tacet_label_of(file);
	struct tacet_channel *channel;
	int error = 0;

	if (set) {
		error = tacet_original_add_file(entry, set, file);
		tacet_labelset_put(set);
		step->file = get_file(file);
		step->position = position >= 0 ? position : file->f_pos - result;
		step->reads_shadow = true;
	} else {
		channel = tacet_channel_of_reader(file);
		if (!channel)
			return 0;
		error = add_channel(entry, channel);
		tacet_channel_read(channel, step->out.data + step->out.payload_offset,
				   step->out.payload_length, peeks(entry));
		tacet_channel_put(channel);
	}
	return error;
}

static loff_t explicit_position(const struct tacet_entry *entry)
{
	return entry->call->flags & TACET_CALL_POSITIONED ? (loff_t)entry->args[3] : -1;
}

static bool has_company(void)
{
	return get_nr_threads(current) > 1;
}

/* TCP then throws data away and writes nothing, but says how much. */
static bool reads_nothing(const struct tacet_entry *entry)
{
	return entry->number == __NR_recvfrom && entry->args[3] & MSG_TRUNC;
}

long tacet_original_run_in_order(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_pair *pair = entry->pair;
	bool locks = has_company();
	long result;

	/* Terminates soon: memory calls wait for nothing but memory. */
	if (locks && mutex_lock_killable(&pair->memory_order))
		return -EINTR;
	result = tacet_run(entry);
	step->memory_ticket = ++pair->memory_issued;
	if (locks)
		mutex_unlock(&pair->memory_order);
	return result;
}

/* Openings and files seldom do. */
static bool is_about_to_wait(const struct tacet_entry *entry, struct file *file)
{
	if (file)
		return !S_ISREG(file_inode(file)->i_mode);
	return entry->call->flags & TACET_CALL_POLLS && entry->call->in[0].kind != TACET_BUFFER_STRING;
}

long tacet_original_replay(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_original_step(entry);
	struct file *file = NULL;
	long result;
	int error = 0;

	if (!step)
		return without_doppelganger(entry);
	if (entry->call->in[0].kind)
		error = tacet_marshal_in(entry->call, entry->args, &step->in);
	if (error == -E2BIG || error == -ENOMEM || reads_nothing(entry)) {
		tacet_pair_taint(entry->pair, "arguments-not-copied");
		return without_doppelganger(entry);
	}
	if (entry->call->flags & TACET_CALL_READS)
		file = tacet_entry_file(entry);
	if (is_about_to_wait(entry, file))
		tacet_ring_urge(entry->context->ring);
	result = run_labelled(entry, step, file);
	error = tacet_marshal_out(entry->call, entry->args, result, &step->out);
	if (!error && file && result > 0)
		error = scrub_payload(entry, step, file, explicit_position(entry), result);
	/* Its double gets as much as it got itself. */
	if (file && !result && tacet_channel_length_derived(file))
		tacet_pair_taint(entry->pair, "length-is-derived");
	if (file)
		fput(file);
	if (error) {
		/* The call has happened; only its double cannot follow. */
		tacet_pair_taint(entry->pair, "result-not-copied");
		return result;
	}
	return tacet_original_finish(entry, step, result);
}

static long refuse(struct tacet_entry *entry)
{
	struct tacet_step *step;

	if (tacet_pair_lives(entry->pair)) {
		step = tacet_original_step(entry);
		if (!step)
			return without_doppelganger(entry);
		return tacet_original_finish(entry, step, entry->call->refusal);
	}
	return entry->call->refusal;
}

/* A call that comes again is looked at as it came first, as by its double. False: no memory. */
static bool gather_once(const struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;

	if (!context->scratch_kept)
		context->scratch_kept = !tacet_futex_gather(entry, &context->scratch);
	return context->scratch_kept;
}

/* Of threads that take turns: the doppelganger gets the result. */
static long original_local(struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	struct tacet_step *step;
	long result;

	if (!tacet_turn_taken(context) || !(entry->call->flags & TACET_CALL_TURNS))
		return TACET_PASS;
	/* The kernel writes the owner's number into such locks, and the doppelganger's threads have other numbers. */
	if (tacet_futex_lends_priority(entry)) {
		tacet_pair_taint(entry->pair, "lock-with-priority");
		return without_doppelganger(entry);
	}
	step = tacet_original_step(entry);
	if (!step)
		return without_doppelganger(entry);
	if (!gather_once(entry) || tacet_blob_append(&step->in, context->scratch.data, context->scratch.length)) {
		tacet_pair_taint(entry->pair, "no-memory");
		return without_doppelganger(entry);
	}
	if (tacet_futex_waits(entry))
		tacet_ring_urge(context->ring);
	result = tacet_run(entry);
	context->scratch_kept = tacet_is_restart(result);
	return tacet_original_finish(entry, step, result);
}

long tacet_original_call(struct tacet_entry *entry)
{
	long result;

	switch (entry->call->class) {
	case TACET_CALL_LOCAL:
		return original_local(entry);
	case TACET_CALL_REPLAY:
	case TACET_CALL_BOTH:
		return tacet_original_replay(entry);
	case TACET_CALL_OUTPUT:
		result = tacet_output_original(entry);
		break;
	case TACET_CALL_SPECIAL:
		result = tacet_special_original(entry);
		break;
	case TACET_CALL_REFUSE:
		return refuse(entry);
	default:
		tacet_pair_taint(entry->pair, "call-not-followed");
		return without_doppelganger(entry);
	}
	/* Before the call itself was run the pair was lost. */
	return result == TACET_LOST ? without_doppelganger(entry) : result;
}

/* True: the file that the call reads from holds derived data in a channel. */
static bool reads_channel(struct tacet_entry *entry)
{
	struct tacet_channel *channel;
	struct file *file;

	file = tacet_entry_file(entry);
	if (!file)
		return false;
	channel = tacet_channel_of_reader(file);
	fput(file);
	if (!channel)
		return false;
	if (add_channel(entry, channel))
		tacet_pair_taint(entry->pair, "no-memory");
	tacet_channel_put(channel);
	return true;
}

/* Shells come to be watched by the pipes that they make, and would be for ever. */
static bool need_not_be_watched(const struct tacet_entry *entry)
{
	return entry->context->entries % LAPSE_INTERVAL == 0 && get_nr_threads(current) == 1 &&
	       !entry->pair->scrubbed && !tacet_channel_held();
}

bool tacet_original_let_go(struct tacet_task *context)
{
	tacet_task_detach(context);
	/* A writer that found it under the hook has put the channel in before; one that did not comes to see it. */
	smp_mb();
	if (!tacet_channel_held() || !tacet_watch_task(current, TACET_PAIR_WATCH))
		return true;
	/* For the restart of the call. */
	set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
	return false;
}

static long watched_call(struct tacet_entry *entry)
{
	if (need_not_be_watched(entry))
		return tacet_original_let_go(entry->context) ? TACET_PASS : -ERESTARTNOINTR;
	if (entry->call->flags & TACET_CALL_READS) {
		if (!reads_channel(entry))
			return TACET_PASS;
		tacet_pair_change(entry->pair, TACET_PAIR_WATCH, TACET_PAIR_WANT);
		tacet_clone_doppelganger(entry);
		return tacet_pair_lives(entry->pair) ? tacet_original_call(entry) :
						       without_doppelganger(entry);
	}
	switch (entry->call->special) {
	case TACET_SPECIAL_TRANSFER:
		return tacet_transfer(entry);
	case TACET_SPECIAL_VECTOR_TRANSFER:
		/* Programs then read. */
		return reads_channel(entry) ? -ENOSYS : TACET_PASS;
	case TACET_SPECIAL_FORK:
		return tacet_fork_prepare(entry) ?: TACET_PASS;
	case TACET_SPECIAL_EXEC:
		return tacet_exec_unpaired(entry);
	default:
		return entry->call->class == TACET_CALL_REFUSE ? entry->call->refusal : TACET_PASS;
	}
}

static long label_tainted_mapping(struct tacet_entry *entry)
{
	struct file *file = entry->args[3] & MAP_ANONYMOUS ? NULL : fget(entry->args[4]);
	int error = file ? tacet_special_label_mapping(entry, file) : 0;

	if (file)
		fput(file);
	return error ?: TACET_PASS;
}

/* While it waits for a pipe or socket, what comes may change. */
static long tainted_read(struct tacet_entry *entry)
{
	struct file *file = tacet_entry_file(entry);
	long result;

	if (!file)
		return TACET_PASS;
	result = label_reader(entry, file) ? -ENOMEM : TACET_PASS;
	if (result == TACET_PASS && !S_ISREG(file_inode(file)->i_mode)) {
		result = tacet_run(entry);
		/* It has the data by now: without memory this keeps the name and label of what came before. */
		if (result > 0)
			label_reader(entry, file);
	}
	fput(file);
	return result;
}

static long tainted_call(struct tacet_entry *entry)
{
	tacet_pair_say_reason(entry->pair);
	if (entry->call->flags & TACET_CALL_READS)
		return tainted_read(entry);
	if (entry->call->class == TACET_CALL_OUTPUT)
		return tacet_output_tainted(entry);
	if (entry->call->class == TACET_CALL_REFUSE)
		return entry->call->refusal;
	if (entry->number == __NR_ptrace && entry->args[0] == PTRACE_TRACEME)
		return tacet_access_by_parent(entry->pair) ?: TACET_PASS;
	switch (entry->call->special) {
	case TACET_SPECIAL_TRANSFER:
		return tacet_transfer(entry);
	case TACET_SPECIAL_IOCTL:
		return tacet_special_ioctl_transfers(entry) ? tacet_transfer(entry) : TACET_PASS;
	case TACET_SPECIAL_VECTOR_TRANSFER:
		return -ENOSYS;
	case TACET_SPECIAL_MMAP:
		return label_tainted_mapping(entry);
	case TACET_SPECIAL_FORK:
		return tacet_fork_prepare(entry) ?: TACET_PASS;
	case TACET_SPECIAL_EXEC:
		return tacet_exec_unpaired(entry);
	default:
		return TACET_PASS;
	}
}

static long original_entered(struct tacet_entry *entry)
{
	/* 32-bit numbers mean other calls: what cannot be read is refused where it might read or write. */
	if (in_ia32_syscall()) {
		if (tacet_pair_lives(entry->pair))
			tacet_pair_taint(entry->pair, "32-bit-call");
		return tacet_pair_state(entry->pair) == TACET_PAIR_WATCH && !tacet_channel_gives() ? TACET_PASS : -EPERM;
	}
	if (entry->pair->scrubbed)
		tacet_takeover_redirect(entry);
	if (tacet_pair_state(entry->pair) == TACET_PAIR_WANT)
		tacet_clone_doppelganger(entry);
	switch (tacet_pair_state(entry->pair)) {
	case TACET_PAIR_WATCH:
		return watched_call(entry);
	case TACET_PAIR_PAIRED:
		return tacet_original_call(entry);
	default:
		return without_doppelganger(entry);
	}
}

/* Calls in which nobody waits leave the thread its turn: they are run behind the hook. */
static bool keeps_turn(const struct tacet_entry *entry)
{
	return entry->call->class == TACET_CALL_LOCAL && !(entry->call->flags & TACET_CALL_TURNS);
}

static void leave_user_mode(const struct tacet_entry *entry)
{
	struct tacet_task *context = entry->context;
	bool is_local = entry->call->class == TACET_CALL_LOCAL;

	if (is_local)
		gather_once(entry);
	if (entry->number == __NR_exit && tacet_pair_lives(entry->pair) && !in_ia32_syscall())
		tacet_turn_end_thread();
	/* To wake others takes no time, and may write. */
	if (!is_local || tacet_futex_waits(entry))
		tacet_turn_release(context);
}

static long original_in_turn(struct tacet_entry *entry)
{
	bool taken = tacet_turn_taken(entry->context);
	struct tacet_task *context;
	long result;

	if (taken && !keeps_turn(entry))
		leave_user_mode(entry);
	result = original_entered(entry);
	if (!taken && get_nr_threads(current) == 1 && entry->call->special != TACET_SPECIAL_FORK)
		return result;
	/* The call may have ended the watching. */
	context = tacet_task_current();
	if (!context || !tacet_turn_taken(context) || entry->call->special == TACET_SPECIAL_EXIT)
		return result;
	if (result == TACET_PASS) {
		if (taken)
			return result;
		/* The doppelganger was made at a call that keeps the turn, and there was none to keep. */
		result = tacet_run(entry);
	}
	/* A call that is to come again leaves user mode at once, unless a signal is handled first. */
	if (!tacet_is_restart(result))
		tacet_turn_take(context);
	return result;
}

bool tacet_original_enter(struct tacet_task *context, struct pt_regs *regs, long *result)
{
	struct tacet_entry entry = {
		.context = context,
		.pair = tacet_task_pair(context),
		.regs = regs,
		.number = syscall_get_nr(current, regs),
	};

	WRITE_ONCE(context->entries, context->entries + 1);
	if (context->child) {
		tacet_task_put(context->child);
		context->child = NULL;
	}
	if (entry.number == __NR_restart_syscall && context->interrupted)
		entry.number = context->interrupted_number;
	entry.call = tacet_call_lookup(entry.number);
	syscall_get_arguments(current, regs, entry.args);
	shorten(&entry);
	if (context->role == TACET_ROLE_DOPPELGANGER)
		*result = tacet_doppelganger_call(&entry);
	else
		*result = original_in_turn(&entry);
	return *result != TACET_PASS;
}
