// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page that a task with an owner allocated bears the owner's mark, and is cleared when it is freed.
 * Probes of the allocator's tracepoints set and read the marks. The probes exist only while somebody uses
 * them: private sessions, and processes that the person's policy covers.
 */
#include <linux/highmem.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/kmem.h>

#include "base/symbol.h"
#include "base/work.h"
#include "memory/clear.h"
#include "memory/layer.h"
#include "memory/mark.h"
#include "memory/migration.h"
#include "memory/object.h"
#include "memory/owner.h"
#include "memory/release.h"
#include "memory/round.h"
#include "memory/socket.h"

/*
 * Memory may be freed after its session's end, after the last covered process's, or after the policy has changed. The module looks for it
 * for this long, and as long as a process has such memory. The probe of allocations stays for one step, so
 * that the kernel's text is not patched again and again.
 */
static unsigned int linger_seconds = 60;
module_param(linger_seconds, uint, 0444);
MODULE_PARM_DESC(linger_seconds, "for how many seconds memory is looked for after the last private session or covered "
				 "program has ended");
#define LINGER_MAX (24U * 60 * 60)
#define LINGER_STEP (2 * HZ)
/* What lies in a pipe or in a message is looked for so much longer at most. A mark that small objects share never goes. */
#define PASSING_MAX (60 * 60 * HZ)
/* The sweep lets other tasks run after this many marks. */
#define STRIDE 65536

/*
 * Guards the next three variables, and the map of page marks, which the probes read without it. It is the
 * innermost lock.
 */
static DEFINE_MUTEX(map_lock);
static unsigned int users; /* read without the lock */
static bool allocations_probed;
static unsigned long linger_until;
/* The policy is one of the users, and it is that of everything. Guarded by policy_user_lock, and read without it. */
static bool policy_is_user, clears_all;
/* Set once, at load. */
static u8 (*owner_of)(struct task_struct *task);
static atomic64_t cleared[TACET_OWNER_ENDED + 1];
static atomic_t completion_due;

static void linger_on(struct work_struct *work);
static DECLARE_DELAYED_WORK(linger, linger_on);

/*
 * A processor keeps a few pages for itself before it enters them in the kernel's lists, and they are freed
 * only after that. So do messages that were read. So the lists are completed a moment after pages were marked or cleared.
 */
#define COMPLETION_DELAY HZ

/* Messages with an owner's data were read, and may wait to be freed. */
static bool messages_wait;

static void complete_lists(struct work_struct *work)
{
	atomic_set(&completion_due, 0);
	static_call(tacet_complete_lists)();
	if (xchg(&messages_wait, false))
		tacet_socket_complete();
}

static DECLARE_DELAYED_WORK(completion, complete_lists);

static void schedule_completion(struct irq_work *work)
{
	schedule_delayed_work(&completion, COMPLETION_DELAY);
}

/* The allocator's callers may hold any lock, so that the work is scheduled from an interrupt. */
static DEFINE_IRQ_WORK(completion_interrupt, schedule_completion);

static void complete_soon(void)
{
	if (!atomic_read(&completion_due) && !atomic_xchg(&completion_due, 1))
		irq_work_queue(&completion_interrupt);
}

/* An owner allocates or frees now. */
static void note_owner(void)
{
	tacet_owner_note();
	complete_soon();
}

static void note_message(void)
{
	if (!READ_ONCE(messages_wait))
		WRITE_ONCE(messages_wait, true);
	note_owner();
}

/* For this time after a session has ended, processes that end may have been its own. */
#define SURVIVAL (30 * HZ)
static unsigned long survival_until = INITIAL_JIFFIES;

/* Kernel threads free for others. All are a matter of clearing with scope everything, and while a session's survivors end. */
static bool may_be_outsider(void)
{
	return !(current->flags & PF_KTHREAD) && !READ_ONCE(clears_all) &&
	       !time_before(jiffies, READ_ONCE(survival_until));
}

/* Not for an interrupt. */
static u8 owner_of_current(void)
{
	int changes;
	u8 owner;

	if (likely(tacet_owner_known(&owner)))
		return owner;
	changes = atomic_read_acquire(&tacet_owner_changes);
	owner = owner_of(current);
	if (owner != TACET_OWNER_NONE || may_be_outsider())
		tacet_owner_remember(owner, changes);
	return owner;
}

/* khugepaged copies memory that may be a member's into pages that it allocates itself. */
static bool collapses(const struct task_struct *task)
{
	return task->flags & PF_KTHREAD && !strcmp(task->comm, "khugepaged");
}

static noinline void mark_allocation(struct page *page, unsigned int order)
{
	u8 owner;

	if (!atomic_read(&tacet_owner_count) || !page || !in_task())
		return;
	owner = collapses(current) ? TACET_OWNER_UNKNOWN : owner_of_current();
	if (!tacet_layer_covers(TACET_LAYER_PAGES, owner))
		return;
	tacet_page_mark_set_range(page, 1UL << order, owner);
	note_owner();
}

/* What an interrupt allocates is nobody's. */
static void probe_alloc(void *data, struct page *page, unsigned int order, gfp_t gfp, int migratetype)
{
	if (!tacet_owner_task_is_outsider())
		mark_allocation(page, order);
}

static void clear(u8 *owners, unsigned long number)
{
	struct page *page = pfn_to_page(number);
	u8 owner = owners[number];

	if (owner != TACET_OWNER_NONE)
		WRITE_ONCE(owners[number], TACET_OWNER_NONE);
	/* Such a page is not in the kernel's address space any more. */
	if (PageHWPoison(page))
		return;
	/* With init_on_free the kernel clears it next. */
	if (!want_init_on_free())
		clear_highpage(page);
	atomic64_inc(&cleared[owner]);
}

static noinline void clear_freed(struct page *page, unsigned int order)
{
	unsigned long number = page_to_pfn(page), end;
	u8 *owners = READ_ONCE(tacet_page_marks.owner);
	bool all = READ_ONCE(clears_all) && tacet_layer_is_on(TACET_LAYER_PAGES), any = false;

	end = min(number + (1UL << order), tacet_page_marks.count);
	for (; number < end; number++)
		if (unlikely(all || READ_ONCE(owners[number]))) {
			clear(owners, number);
			any = true;
		}
	if (!any)
		return;
	/* Others free some of what an owner has allocated long ago. */
	if (!tacet_owner_known_none())
		tacet_owner_note();
	complete_soon();
}

static void probe_free(void *data, struct page *page, unsigned int order)
{
	if (order || tacet_page_is_marked(page) || READ_ONCE(clears_all))
		clear_freed(page, order);
}

/* The descriptor of a session may be closed before its last processes have ended, and they are no members any more. */
static bool may_be_survivor(void)
{
	return current->flags & PF_EXITING && time_before(jiffies, READ_ONCE(survival_until));
}

/* Tells whether there is a session, or one has ended a moment ago. */
static bool any_session(void)
{
	return READ_ONCE(users) > READ_ONCE(policy_is_user) || time_before(jiffies, READ_ONCE(survival_until));
}

/* The current task frees something of this layer. */
static bool is_owners_free(enum tacet_memory_layer layer)
{
	if (!tacet_layer_covers(layer, owner_of_current()))
		return may_be_survivor();
	tacet_owner_note();
	return true;
}

/*
 * Tells whether what is freed here may be an owner's. The kernel's own threads and interrupts free for others, and one
 * cannot tell for whom. It is asked only while tacet_owner_possible().
 */
static bool frees_for_owner(enum tacet_memory_layer layer)
{
	if (READ_ONCE(clears_all) && tacet_layer_is_on(layer))
		return true;
	if (!in_task() || current->flags & PF_KTHREAD)
		return any_session() || (tacet_layer_is_on(layer) && tacet_owner_is_active());
	return is_owners_free(layer);
}

/* Tells whether the kernel buffers that the current task uses are cleared. */
static bool is_owner(void)
{
	if (!in_task())
		return false;
	return (READ_ONCE(clears_all) && tacet_layer_is_on(TACET_LAYER_BUFFERS)) ||
	       tacet_layer_covers(TACET_LAYER_BUFFERS, owner_of_current()) || may_be_survivor();
}

/* Tells whether the kernel stack of a thread that has ended is cleared. It may be a survivor of a session. */
static bool leaves_stack(struct task_struct *task)
{
	return (READ_ONCE(clears_all) && tacet_layer_is_on(TACET_LAYER_STACK)) ||
	       tacet_layer_covers(TACET_LAYER_STACK, owner_of(task)) || time_before(jiffies, READ_ONCE(survival_until));
}

static int make_map(void)
{
	int error;

	lockdep_assert_held(&map_lock);
	error = tacet_page_mark_make();
	if (error)
		return error;
	error = tracepoint_probe_register(tacet_symbols.page_free, probe_free, NULL);
	if (error)
		goto drop_marks;
	error = tacet_page_migration_follow();
	if (error)
		goto unregister_free;
	error = tacet_object_clear_start(frees_for_owner);
	if (error)
		goto unfollow;
	/* These two look at the marks of objects, or set them, and the second calls the first. */
	error = tacet_socket_mark_start(is_owner, frees_for_owner, note_message);
	if (error)
		goto stop_objects;
	error = tacet_release_clear_start(frees_for_owner, is_owner, leaves_stack, note_message);
	if (error)
		goto stop_sockets;
	return 0;

stop_sockets:
	tacet_socket_mark_stop();
stop_objects:
	tacet_object_clear_stop();
unfollow:
	tacet_page_migration_unfollow();
unregister_free:
	tracepoint_probe_unregister(tacet_symbols.page_free, probe_free, NULL);
	tracepoint_synchronize_unregister();
drop_marks:
	tacet_page_mark_drop();
	return error;
}

static void drop_map(void)
{
	lockdep_assert_held(&map_lock);
	tacet_release_clear_stop();
	tacet_socket_mark_stop();
	tacet_object_clear_stop();
	tacet_page_migration_unfollow();
	tracepoint_probe_unregister(tacet_symbols.page_free, probe_free, NULL);
	tracepoint_synchronize_unregister();
	tacet_page_mark_drop();
}

/*
 * Tells whether a process that nobody marks pages for any more still has memory, or a tmpfs. Pages that
 * khugepaged took do not count, as they may be anybody's.
 */
static bool survivor_has_memory(void)
{
	unsigned long number;
	struct page *page;
	u8 owner;

	lockdep_assert_held(&map_lock);
	for (number = 0; number < tacet_page_marks.count; number++) {
		if (number % STRIDE == 0)
			cond_resched();
		/*
		 * If the page is freed at this moment, its probe runs before the flags change. Dropping
		 * the map waits for probes.
		 */
		owner = READ_ONCE(tacet_page_marks.owner[number]);
		if (owner == TACET_OWNER_NONE || owner == TACET_OWNER_UNKNOWN)
			continue;
		/* The memory may have been taken out of the machine. */
		page = pfn_to_online_page(number);
		if (page && folio_test_swapbacked(page_folio(page)))
			return true;
	}
	return false;
}

/* Tells whether somebody else may still free something of those who were covered. */
static bool is_awaited(void)
{
	bool passes = tacet_release_any_left() || tacet_object_any_marked();

	lockdep_assert_held(&map_lock);
	if (time_before(jiffies, linger_until))
		return passes || memchr_inv(tacet_page_marks.owner, TACET_OWNER_NONE, tacet_page_marks.count);
	return (passes && time_before(jiffies, linger_until + PASSING_MAX)) || survivor_has_memory();
}

static void unprobe_allocations(void)
{
	lockdep_assert_held(&map_lock);
	if (allocations_probed)
		tracepoint_probe_unregister(tacet_symbols.page_alloc, probe_alloc, NULL);
	allocations_probed = false;
}

static void linger_on(struct work_struct *work)
{
	mutex_lock(&map_lock);
	if (!users && tacet_page_marks.owner) {
		unprobe_allocations();
		if (!is_awaited())
			drop_map();
		else
			schedule_delayed_work(&linger, LINGER_STEP);
	}
	mutex_unlock(&map_lock);
}

int tacet_page_clear_start(void)
{
	int error;

	mutex_lock(&map_lock);
	error = tacet_page_marks.owner ? 0 : make_map();
	if (!error && !allocations_probed) {
		error = tracepoint_probe_register(tacet_symbols.page_alloc, probe_alloc, NULL);
		allocations_probed = !error;
		if (error)
			drop_map();
	}
	if (!error && !users++)
		tacet_round_start();
	mutex_unlock(&map_lock);
	return error;
}

void tacet_page_clear_stop(void)
{
	mutex_lock(&map_lock);
	if (!--users) {
		tacet_round_stop();
		linger_until = jiffies + min(linger_seconds, LINGER_MAX) * HZ;
		cancel_delayed_work(&linger);
		schedule_delayed_work(&linger, LINGER_STEP);
	}
	mutex_unlock(&map_lock);
}

static void clear_all(bool all)
{
	if (all == clears_all)
		return;
	WRITE_ONCE(clears_all, all);
	/* Everybody is an owner then. */
	atomic_add(all ? 1 : -1, &tacet_owner_count);
}

/* The policy is a user of the probes from the first process that it covers. So often it is looked whether there is still one. */
#define IDLE_CHECK_INTERVAL (10 * HZ)

/* Guards the next variable, policy_is_user and clears_all. It is taken before map_lock. */
static DEFINE_MUTEX(policy_user_lock);
static bool policy_covers_programs;

static void check_idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(idle_check, check_idle);

static int start_for_policy(void)
{
	int error;

	lockdep_assert_held(&policy_user_lock);
	if (policy_is_user)
		return 0;
	error = tacet_page_clear_start();
	WRITE_ONCE(policy_is_user, !error);
	if (policy_is_user)
		queue_delayed_work(tacet_workqueue, &idle_check, IDLE_CHECK_INTERVAL);
	return error;
}

static void stop_for_policy(void)
{
	lockdep_assert_held(&policy_user_lock);
	if (!policy_is_user)
		return;
	/* First, as a session must be told from the policy at every moment. */
	WRITE_ONCE(policy_is_user, false);
	tacet_page_clear_stop();
}

static void check_idle(struct work_struct *work)
{
	mutex_lock(&policy_user_lock);
	/* A process that is covered later starts them again, after this lock. */
	if (policy_is_user && !atomic_read(&tacet_owner_count))
		stop_for_policy();
	else if (policy_is_user)
		queue_delayed_work(tacet_workqueue, &idle_check, IDLE_CHECK_INTERVAL);
	mutex_unlock(&policy_user_lock);
}

int tacet_page_clear_policy(bool covers_programs, bool all)
{
	int error = 0;

	mutex_lock(&policy_user_lock);
	if (all || (covers_programs && atomic_read(&tacet_owner_count)))
		error = start_for_policy();
	if (!error) {
		clear_all(all);
		policy_covers_programs = covers_programs;
		if (!policy_covers_programs)
			stop_for_policy();
	}
	mutex_unlock(&policy_user_lock);
	return error;
}

void tacet_page_clear_cover(void)
{
	if (READ_ONCE(policy_is_user))
		return;
	mutex_lock(&policy_user_lock);
	if (policy_covers_programs && start_for_policy())
		pr_warn_ratelimited("what programs free is not cleared: no memory for it\n");
	mutex_unlock(&policy_user_lock);
}

void tacet_page_clear_reset(u8 owner)
{
	atomic64_set(&cleared[owner], 0);
}

u64 tacet_page_clear_count(u8 owner)
{
	return atomic64_read(&cleared[owner]);
}

void tacet_page_clear_expect_survivors(void)
{
	WRITE_ONCE(survival_until, jiffies + SURVIVAL);
	tacet_owner_changed();
}

void tacet_page_clear_forget(u8 owner)
{
	mutex_lock(&map_lock);
	tacet_page_mark_end_owner(owner);
	mutex_unlock(&map_lock);
}

int tacet_page_clear_init(u8 (*of_task)(struct task_struct *task))
{
	owner_of = of_task;
	check_trace_callback_type_mm_page_alloc(probe_alloc);
	check_trace_callback_type_mm_page_free(probe_free);
	return tacet_object_init() ?: tacet_page_migration_init() ?: tacet_release_clear_init();
}

/* No session is left, and the policy covers nobody. */
void tacet_page_clear_exit(void)
{
	cancel_delayed_work_sync(&idle_check);
	cancel_delayed_work_sync(&linger);
	mutex_lock(&map_lock);
	unprobe_allocations();
	if (tacet_page_marks.owner)
		drop_map();
	mutex_unlock(&map_lock);
	tracepoint_synchronize_unregister();
	/* No probe is left that could schedule it. */
	irq_work_sync(&completion_interrupt);
	cancel_delayed_work_sync(&completion);
	tacet_release_clear_exit();
	tacet_page_migration_exit();
}
