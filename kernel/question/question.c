// SPDX-License-Identifier: GPL-2.0-only
/* Questions to the daemon that tasks wait for, and the policy of their time-outs. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>

#include "base/counter.h"
#include "base/identity.h"
#include "base/labelset.h"
#include "event/event.h"
#include "event/notice.h"
#include "label/origin.h"
#include "label/overlay.h"
#include "memory/owner.h"
#include "question/question.h"
#include "question/verdict.h"
#include "session/session.h"
#include "sink/sink.h"

#define QUESTIONS_MAX 1024
/* A wait may end this much later than its deadline. */
#define DEADLINE_SLACK_NS (10 * NSEC_PER_MSEC)

/**
 * struct question - one open question; lives as long as a task waits for it
 * @node: in questions until it is answered or its last waiter leaves; questions_lock
 * @flow: immutable; holds references
 * @record: a reference. It has id and deadline; immutable but for the deadline, which is written under
 *	questions_lock, and may be read without it
 * @latest: immutable; the deadline is not moved to a later time
 * @waiters: the number of tasks that wait, plus one for an answer on its way; questions_lock
 * @action: enum tacet_action once it is answered, else 0; written under questions_lock
 * @wait: woken when @action is set, under questions_lock, so that nobody can free the question
 *	meanwhile
 */
struct question {
	struct list_head node;
	struct tacet_flow flow;
	struct tacet_record *record;
	u64 latest;
	unsigned int waiters;
	u32 action;
	wait_queue_head_t wait;
};

/* This lock is taken before the event queue's lock. It is never held over a wait or an allocation. */
static DEFINE_SPINLOCK(questions_lock);
static LIST_HEAD(questions);
static unsigned int questions_count;
static u64 questions_last_id;

/* Only tacet_question_set_policy() writes these, and each is read alone. */
static u32 policy_question_timeout_ms = 60000;
static u32 policy_barrier_timeout_ms = 3000;

static void fill_executable(struct tacet_question *record)
{
	struct mm_struct *mm = current->mm;
	struct file *executable;

	if (!mm)
		return;
	rcu_read_lock();
	executable = get_file_rcu(&mm->exe_file);
	rcu_read_unlock();
	if (!executable)
		return;
	tacet_identity_path(&executable->f_path, record->executable, sizeof(record->executable));
	fput(executable);
}

static void fill_process(struct tacet_question *record)
{
	record->pid = task_tgid_nr(current);
	record->tid = task_pid_nr(current);
	record->uid = from_kuid_munged(&init_user_ns, current_uid());
	record->start_time = current->group_leader->start_boottime;
	tacet_identity_comm(record->comm, current);
	fill_executable(record);
}

static void fill_peer(struct tacet_question *record, const struct tacet_breach *breach)
{
	record->sink = breach->peer.sink;
	record->family = breach->peer.family;
	record->protocol = breach->peer.protocol;
	record->port = breach->peer.port;
	memcpy(record->address, breach->peer.address, sizeof(record->address));
	if (breach->path)
		tacet_identity_path(breach->path, record->target, sizeof(record->target));
	else if (breach->file && breach->peer.sink != TACET_SINK_NETWORK)
		tacet_identity_path(&breach->file->f_path, record->target, sizeof(record->target));
}

/* @path is the file that would be changed. */
static void fill_path(struct tacet_question *record, const struct path *path)
{
	tacet_identity_numbers(path, &record->origin_device, &record->origin_inode);
	strscpy(record->origin, record->target, sizeof(record->origin));
}

static void fill_origin(struct tacet_question *record, const struct tacet_origin *origin)
{
	const struct tacet_origin *first = tacet_origin_first(origin);

	record->origin_device = first->device;
	record->origin_inode = first->inode;
	strscpy(record->origin, first->path, sizeof(record->origin));
	record->chain_length = tacet_origin_chain(origin, record->chain);
}

static u32 fill_excerpt(u8 *excerpt, const u8 *data, size_t length)
{
	if (!data)
		return 0;
	length = min_t(size_t, length, TACET_EXCERPT_MAX);
	memcpy(excerpt, data, length);
	return length;
}

/* Returns a record of @type about @breach by the current task, or NULL without memory. */
static struct tacet_record *describe_breach(u32 type, const struct tacet_breach *breach)
{
	struct tacet_record *record = tacet_event_record_alloc(type);
	struct tacet_question *question;

	if (!record)
		return NULL;
	question = &record->question;
	question->flags = breach->flags;
	if (tacet_session_owner_of_task(current) != TACET_OWNER_NONE)
		question->flags |= TACET_QUESTION_PRIVATE;
	if (breach->set)
		question->label = breach->set->label;
	question->length = breach->length;
	question->scrubbed_length = breach->scrubbed_length;
	question->calls_equal = breach->calls_equal;
	question->calls_total = breach->calls_total;
	question->calls_realigned = breach->calls_realigned;
	question->excerpt_length = fill_excerpt(question->excerpt, breach->data, breach->length);
	question->scrubbed_excerpt_length =
		fill_excerpt(question->scrubbed_excerpt, breach->scrubbed, breach->scrubbed_length);
	fill_process(question);
	fill_peer(question, breach);
	if (breach->path)
		fill_path(question, breach->path);
	else if (breach->origin)
		fill_origin(question, breach->origin);
	return record;
}

/*
 * Tells the daemon, whenever it reads again, that @breach was blocked without its answer. @id is 0 if
 * it was never asked.
 */
static void report_missed(const struct tacet_breach *breach, u64 id)
{
	struct tacet_record *record = describe_breach(TACET_EVENT_MISSED, breach);

	if (!record)
		return;
	record->question.id = id;
	tacet_event_record_queue(record);
	tacet_event_record_put(record);
}

static void make_flow(struct tacet_flow *flow, const struct tacet_breach *breach)
{
	memset(flow, 0, sizeof(*flow));
	if (breach->path)
		flow->cookie = tacet_identity_of_inode(tacet_overlay_inode(breach->path->dentry));
	else if (breach->file)
		flow->cookie = tacet_sink_flow(breach->file);
	flow->process = task_tgid(current);
	flow->set = breach->set;
	flow->execution = READ_ONCE(current->self_exec_id);
	flow->peer = breach->peer;
	flow->source = tacet_origin_source(breach->origin);
}

static struct question *create_question(const struct tacet_flow *flow, const struct tacet_breach *breach)
{
	struct question *question = kzalloc(sizeof(*question), GFP_KERNEL_ACCOUNT);
	u64 now;

	if (!question)
		return NULL;
	question->record = describe_breach(TACET_EVENT_QUESTION, breach);
	if (!question->record) {
		kfree(question);
		return NULL;
	}
	now = ktime_get_boottime_ns();
	question->record->question.deadline = now + (u64)READ_ONCE(policy_question_timeout_ms) * NSEC_PER_MSEC;
	question->latest = now + (u64)TACET_EXTENDED_MAX_MS * NSEC_PER_MSEC;
	INIT_LIST_HEAD(&question->node);
	init_waitqueue_head(&question->wait);
	question->flow = *flow;
	tacet_verdict_flow_get(&question->flow);
	question->waiters = 1;
	return question;
}

static void free_question(struct question *question)
{
	tacet_event_record_put(question->record);
	tacet_verdict_flow_put(&question->flow);
	kfree(question);
}

/* Returns the open question about the same flow with one more waiter, or NULL. */
static struct question *join_locked(const struct tacet_flow *flow)
{
	struct question *question;

	lockdep_assert_held(&questions_lock);
	list_for_each_entry(question, &questions, node) {
		if (!tacet_verdict_flow_equal(&question->flow, flow, TACET_SCOPE_FLOW) ||
		    !tacet_verdict_flow_equal(&question->flow, flow, TACET_SCOPE_FILE))
			continue;
		question->waiters++;
		return question;
	}
	return NULL;
}

static struct question *join_question(const struct tacet_flow *flow)
{
	struct question *question;

	spin_lock(&questions_lock);
	question = join_locked(flow);
	spin_unlock(&questions_lock);
	return question;
}

/*
 * Adds @question to the open ones and queues it, or joins one that another thread has opened meanwhile.
 * Returns NULL when there are too many.
 */
static struct question *publish_question(struct question *question)
{
	struct question *joined;
	bool published = false;

	spin_lock(&questions_lock);
	joined = join_locked(&question->flow);
	if (!joined && questions_count < QUESTIONS_MAX) {
		question->record->question.id = ++questions_last_id;
		published = tacet_event_record_queue(question->record);
	}
	if (published) {
		list_add_tail(&question->node, &questions);
		questions_count++;
	}
	spin_unlock(&questions_lock);
	if (published)
		return question;
	free_question(question);
	return joined;
}

/* Returns a reference to an open question about @flow, or NULL when it cannot be asked. */
static struct question *open_question(const struct tacet_flow *flow, const struct tacet_breach *breach)
{
	struct question *question = join_question(flow);

	if (question)
		return question;
	question = create_question(flow, breach);
	return question ? publish_question(question) : NULL;
}

static void close_locked(struct question *question)
{
	lockdep_assert_held(&questions_lock);
	list_del_init(&question->node);
	questions_count--;
}

static void answer_locked(struct question *question, u32 action)
{
	close_locked(question);
	WRITE_ONCE(question->action, action);
	wake_up_all(&question->wait);
}

/* Returns after the answer, the deadline or a fatal signal. */
static void wait_for_answer(struct question *question)
{
	DEFINE_WAIT(wait);
	ktime_t deadline;

	might_sleep();
	for (;;) {
		prepare_to_wait(&question->wait, &wait, TASK_KILLABLE | TASK_FREEZABLE);
		if (READ_ONCE(question->action) || fatal_signal_pending(current))
			break;
		/* An extension wakes nobody. The wait ends at the old deadline, and goes on to the new one. */
		deadline = ns_to_ktime(READ_ONCE(question->record->question.deadline));
		if (ktime_compare(ktime_get_boottime(), deadline) >= 0)
			break;
		schedule_hrtimeout_range_clock(&deadline, DEADLINE_SLACK_NS, HRTIMER_MODE_ABS, CLOCK_BOOTTIME);
	}
	finish_wait(&question->wait, &wait);
}

/* Tells the daemon that the question is over. A question that the daemon never saw just leaves the queue. */
static void withdraw(struct question *question, const char *reason)
{
	if (!tacet_event_record_unqueue(question->record))
		tacet_notice_send(TACET_EVENT_WITHDRAWN, question->record->question.id, NULL, question->flow.set,
				  reason);
}

/* Stops waiting. Returns the action, or 0 when there was no answer. */
static u32 leave_question(struct question *question, const struct tacet_breach *breach)
{
	u64 id = question->record->question.id;
	bool last, open;
	u32 action;

	spin_lock(&questions_lock);
	action = question->action;
	last = !--question->waiters;
	open = last && !action;
	if (open)
		close_locked(question);
	spin_unlock(&questions_lock);

	if (open)
		withdraw(question, fatal_signal_pending(current) ? "killed" : "no answer in time");
	if (last)
		free_question(question);
	if (open && !fatal_signal_pending(current))
		report_missed(breach, id);
	return action;
}

static u32 ask_daemon(const struct tacet_flow *flow, const struct tacet_breach *breach)
{
	struct question *question;
	u32 action;

	if (!tacet_event_has_reader()) {
		report_missed(breach, 0);
		return 0;
	}
	question = open_question(flow, breach);
	if (!question) {
		report_missed(breach, 0);
		return 0;
	}
	/* A verdict may have been given since the first look into the cache, while no question was open. */
	action = tacet_verdict_find(flow);
	if (action) {
		spin_lock(&questions_lock);
		if (!question->action)
			answer_locked(question, action);
		spin_unlock(&questions_lock);
		tacet_event_record_unqueue(question->record);
	} else {
		wait_for_answer(question);
	}
	return leave_question(question, breach);
}

static enum tacet_action decide(const struct tacet_breach *breach)
{
	struct tacet_flow flow;
	u32 action;

	make_flow(&flow, breach);
	action = tacet_verdict_find(&flow) ?: ask_daemon(&flow, breach);
	if (action == TACET_ACTION_TAKEOVER && !(breach->flags & TACET_QUESTION_TAKEOVER))
		action = TACET_ACTION_SCRUB;
	/* Without a doppelganger there is no scrubbed copy to send. */
	if (!action || (action == TACET_ACTION_SCRUB && !breach->scrubbed))
		action = TACET_ACTION_BLOCK;
	return action;
}

enum tacet_action tacet_question_ask(const struct tacet_breach *breach)
{
	enum tacet_action action;

	tacet_counter_add(TACET_COUNTER_BREACHES);
	action = decide(breach);
	switch (action) {
	case TACET_ACTION_ALLOW:
		tacet_counter_add(TACET_COUNTER_ALLOWED);
		break;
	case TACET_ACTION_SCRUB:
		tacet_counter_add(TACET_COUNTER_SCRUBBED);
		break;
	case TACET_ACTION_TAKEOVER:
		tacet_counter_add(TACET_COUNTER_TAKEOVERS);
		break;
	case TACET_ACTION_QUIT:
		tacet_counter_add(TACET_COUNTER_QUIT);
		send_sig(SIGKILL, current, 1);
		break;
	default:
		tacet_counter_add(TACET_COUNTER_BLOCKED);
		break;
	}
	return action;
}

void tacet_question_report_missed(const struct tacet_breach *breach)
{
	report_missed(breach, 0);
}

u32 tacet_question_known(const struct tacet_breach *breach)
{
	struct tacet_flow flow;

	make_flow(&flow, breach);
	return tacet_verdict_find(&flow);
}

void tacet_question_hold_refusal(const struct tacet_breach *breach, u64 duration)
{
	struct tacet_flow flow;

	make_flow(&flow, breach);
	if (!tacet_verdict_find(&flow))
		tacet_verdict_keep(&flow, TACET_SCOPE_FLOW, TACET_ACTION_BLOCK, ktime_get_boottime_ns() + duration);
}

static struct question *find_locked(u64 id)
{
	struct question *question;

	lockdep_assert_held(&questions_lock);
	list_for_each_entry(question, &questions, node)
		if (question->record->question.id == id)
			return question;
	return NULL;
}

/*
 * Answers one open question to which a verdict of @scope for @flow applies, and takes a hold on it.
 * NULL stands for any flow.
 */
static struct question *settle_one(const struct tacet_flow *flow, u32 scope, u32 action)
{
	struct question *question;

	spin_lock(&questions_lock);
	list_for_each_entry(question, &questions, node) {
		if (flow && !tacet_verdict_flow_equal(&question->flow, flow, scope))
			continue;
		answer_locked(question, action);
		question->waiters++;
		spin_unlock(&questions_lock);
		return question;
	}
	spin_unlock(&questions_lock);
	return NULL;
}

/* @id is the question that the daemon answered. The daemon is told that the others are over. */
static void settle_questions(const struct tacet_flow *flow, u32 scope, u32 action, u64 id)
{
	struct question *question;
	bool last;

	while ((question = settle_one(flow, scope, action))) {
		if (question->record->question.id != id)
			withdraw(question, "settled by another answer");
		spin_lock(&questions_lock);
		last = !--question->waiters;
		spin_unlock(&questions_lock);
		if (last)
			free_question(question);
	}
}

static bool action_known(u32 action)
{
	return action >= TACET_ACTION_BLOCK && action <= TACET_ACTION_TAKEOVER;
}

int tacet_question_answer(const struct tacet_verdict *verdict)
{
	struct question *question;
	struct tacet_flow flow;

	if (verdict->reserved || verdict->scope < TACET_SCOPE_FLOW || verdict->scope > TACET_SCOPE_FLOW_FILE)
		return -EINVAL;
	if (!action_known(verdict->action))
		return -EOPNOTSUPP;

	spin_lock(&questions_lock);
	question = find_locked(verdict->question);
	if (question) {
		flow = question->flow;
		tacet_verdict_flow_get(&flow);
	}
	spin_unlock(&questions_lock);
	if (!question)
		return -ENOENT;

	/*
	 * The verdict goes into the cache first. A question that is opened after the others were
	 * settled finds it there.
	 */
	tacet_verdict_keep(&flow, verdict->scope, verdict->action, verdict->until);
	settle_questions(&flow, verdict->scope, verdict->action, verdict->question);
	tacet_verdict_flow_put(&flow);
	return 0;
}

int tacet_question_extend(struct tacet_extension *extension)
{
	struct question *question;
	u64 deadline;

	if (extension->reserved)
		return -EINVAL;
	spin_lock(&questions_lock);
	question = find_locked(extension->question);
	if (question) {
		deadline = min(extension->deadline, question->latest);
		deadline = max(deadline, question->record->question.deadline);
		WRITE_ONCE(question->record->question.deadline, deadline);
		extension->deadline = deadline;
	}
	spin_unlock(&questions_lock);
	return question ? 0 : -ENOENT;
}

int tacet_question_set_policy(const struct tacet_policy *policy)
{
	if (policy->reserved || policy->question_timeout_ms < 100 || policy->question_timeout_ms > 3600000 ||
	    policy->barrier_timeout_ms < 10 || policy->barrier_timeout_ms > 60000)
		return -EINVAL;
	WRITE_ONCE(policy_question_timeout_ms, policy->question_timeout_ms);
	WRITE_ONCE(policy_barrier_timeout_ms, policy->barrier_timeout_ms);
	return 0;
}

unsigned int tacet_question_barrier_timeout(void)
{
	return msecs_to_jiffies(READ_ONCE(policy_barrier_timeout_ms));
}

void tacet_question_flush(void)
{
	tacet_verdict_flush();
}

void tacet_question_requeue(void)
{
	struct question *question;

	spin_lock(&questions_lock);
	list_for_each_entry(question, &questions, node)
		tacet_event_record_queue(question->record);
	spin_unlock(&questions_lock);
}

void tacet_question_forget(struct task_struct *leader)
{
	tacet_verdict_forget(task_tgid(leader));
}

int tacet_question_init(void)
{
	return 0;
}

/* Nobody waits any more, as the engine has let its tasks go. */
void tacet_question_exit(void)
{
	WARN_ON_ONCE(!list_empty(&questions));
	tacet_verdict_flush();
}
