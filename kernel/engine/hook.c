// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one system-call hook is on __secure_computing(). It runs at every call of a task with
 * SYSCALL_WORK_SECCOMP, which is set on chosen tasks only. Other hooks are on actions without a
 * permission event: mapping a file, and coming to hold a pipe, a socket or a scanner's file.
 *
 * Some hooks find labels: below an overlay, and on file systems that say they hold some. Three notice
 * that a guarded file is about to change, and with two more that a labelled one loses a name or data.
 * Those on the loop driver refuse it labelled files. Those at the border of private sessions are in border.c.
 */
#include <linux/backing-file.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/loop.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/seccomp.h>
#include <linux/thread_info.h>

#include "base/feature.h"
#include "base/symbol.h"
#include "channel/channel.h"
#include "engine/access.h"
#include "engine/dispatch.h"
#include "engine/hook.h"
#include "engine/replacement.h"
#include "event/notice.h"
#include "label/erase.h"
#include "label/holder.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/overlay.h"
#include "label/overwrite.h"
#include "label/truncate.h"
#include "memory/adopt.h"
#include "memory/advice.h"
#include "memory/cache.h"
#include "memory/chosen.h"
#include "memory/stack.h"
#include "pair/late_label.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"
#include "question/guard.h"
#include "session/border.h"
#include "session/session.h"

static DEFINE_PER_CPU(long, inside_overlay);

/* A task that waits in the kernel function itself, perhaps for days: for the other side of a FIFO, for a supervisor. */
struct sleeper {
	struct list_head node;
	struct task_struct *task;
};

static LIST_HEAD(sleepers);
static DEFINE_SPINLOCK(sleepers_lock);

static void begin_sleep(struct sleeper *sleeper)
{
	sleeper->task = current;
	spin_lock(&sleepers_lock);
	list_add(&sleeper->node, &sleepers);
	spin_unlock(&sleepers_lock);
}

static void end_sleep(struct sleeper *sleeper)
{
	spin_lock(&sleepers_lock);
	list_del(&sleeper->node);
	spin_unlock(&sleepers_lock);
}

/* Makes the sleepers begin again, without the hook. */
static void turn_sleepers_round(void)
{
	struct sleeper *sleeper;

	spin_lock(&sleepers_lock);
	list_for_each_entry(sleeper, &sleepers, node)
		if (!test_and_set_tsk_thread_flag(sleeper->task, TIF_NOTIFY_SIGNAL))
			static_call(tacet_wake_up_state)(sleeper->task, TASK_INTERRUPTIBLE);
	spin_unlock(&sleepers_lock);
}

/*
 * A task without a context may sleep for long in its seccomp filter. So it does not enter the hook,
 * where it would hold the module's code.
 */
static bool wants_secure_computing(void)
{
	return current->seccomp.mode == SECCOMP_MODE_DISABLED || tacet_task_current();
}

/* Asks the task's own filter. -1: the call is not to be made. */
static int ask_filter(TACET_SECURE_COMPUTING_PARAMETERS)
{
	struct sleeper sleeper;
	int verdict;

	begin_sleep(&sleeper);
	verdict = static_call(tacet_secure_computing)(TACET_SECURE_COMPUTING_ARGUMENTS);
	end_sleep(&sleeper);
	return verdict;
}

REPLACEMENT(tacet_replacement_count, int, secure_computing, (TACET_SECURE_COMPUTING_PARAMETERS),
	    (TACET_SECURE_COMPUTING_ARGUMENTS))
{
	struct pt_regs *regs = current_pt_regs();
	struct tacet_task *context = tacet_task_current();
	long result;

	/* The doppelganger's calls never reach the kernel, and the original's filter has judged them. */
	if (current->seccomp.mode != SECCOMP_MODE_DISABLED && !(context && context->role == TACET_ROLE_DOPPELGANGER) &&
	    ask_filter(TACET_SECURE_COMPUTING_ARGUMENTS) == -1) {
		if (context)
			tacet_dispatch_answered(context, regs);
		return -1;
	}
	if (!context) {
		/* The flag was inherited from a parent under the hook. */
		tacet_task_unhook();
		return 0;
	}
	if (!tacet_dispatch_enter(context, regs, &result))
		return 0;
	regs->ax = result;
	return -1;
}

REPLACEMENT(tacet_replacement_count, int, mmap_file,
	    (struct file * file, unsigned long protection, unsigned long flags), (file, protection, flags))
{
	int error = 0;

	if (file && !(current->flags & PF_KTHREAD))
		error = tacet_mark_is_on(file) ? tacet_watch_reads(file) : tacet_late_label_expect(file);
	return error ?: static_call(tacet_mmap_file)(file, protection, flags);
}

/*
 * A task that comes to hold the reading end of a channel with derived data is watched, too. So is one
 * that gets a labelled file whose reads raise no event.
 */
static int watch_receiver(struct file *file)
{
	struct tacet_channel *channel = tacet_channel_of_reader(file);
	bool watched = true;

	if (channel || (tacet_mark_is_silent(file) && !tacet_watch_exempts(file)))
		watched = tacet_watch_task(current, TACET_PAIR_WATCH);
	if (channel)
		tacet_channel_put(channel);
	return watched ? 0 : -ENOMEM;
}

REPLACEMENT(tacet_replacement_count, int, file_receive, (struct file * file), (file))
{
	return watch_receiver(file) ?: static_call(tacet_file_receive)(file);
}

/* On file systems that hold labels. */
REPLACEMENT(tacet_replacement_count, int, file_open, (struct file * file), (file))
{
	return tacet_label_opens(file) ?: static_call(tacet_file_open)(file);
}

REPLACEMENT(tacet_replacement_count, int, set_mount_options,
	    (struct super_block * sb, void *options, unsigned long flags, unsigned long *set_flags),
	    (sb, options, flags, set_flags))
{
	int error = static_call(tacet_set_mount_options)(sb, options, flags, set_flags);

	if (!error)
		tacet_label_mounted(sb);
	return error;
}

REPLACEMENT(tacet_replacement_count, int, fifo_open, (struct inode * inode, struct file *file), (inode, file))
{
	struct sleeper sleeper;
	int error = tacet_session_check_fifo(file);

	if (error)
		return error;
	begin_sleep(&sleeper);
	error = static_call(tacet_fifo_open)(inode, file);
	end_sleep(&sleeper);
	if (!error && watch_receiver(file))
		tacet_watch_kill(file);
	return error;
}

/* With its events a scanner gets files whose reads raise none. */
REPLACEMENT(tacet_replacement_count, ssize_t, fanotify_read,
	    (struct file * file, char __user *buffer, size_t size, loff_t *position), (file, buffer, size, position))
{
	struct sleeper sleeper;
	ssize_t result;

	begin_sleep(&sleeper);
	result = static_call(tacet_fanotify_read)(file, buffer, size, position);
	end_sleep(&sleeper);
	if (result > 0 && tacet_mark_silent_held() && !tacet_watch_task(current, TACET_PAIR_WATCH))
		tacet_watch_kill(file);
	return result;
}

/*
 * The kernel writes the core without a call, so nothing would label it. It hands it to a handler
 * outside, whatever the limits are.
 */
static bool leaves_no_core(void)
{
	const struct tacet_task *context = tacet_task_current();

	return (context && tacet_pair_state(tacet_task_pair(context)) >= TACET_PAIR_WANT) || tacet_session_is_member();
}

/* The kernel's function returns nothing. */
REPLACEMENT(tacet_replacement_count, int, core_dump, (const struct kernel_siginfo *signal), (signal))
{
	return 0;
}

/* A file system opens the file below @user_file. */
REPLACEMENT(inside_overlay, struct file *, backing_file_open,
	    (const struct file *user_file, int flags, const struct path *real_path, const struct cred *cred),
	    (user_file, flags, real_path, cred))
{
	struct file *opened = backing_file_open(user_file, flags, real_path, cred);
	int error;

	/* The opening comes first, as it looks through another overlay below. */
	error = IS_ERR(opened) ? 0 : tacet_overlay_opens((struct file *)user_file, real_path);
	if (error) {
		fput(opened);
		opened = ERR_PTR(error);
	}
	return opened;
}

REPLACEMENT(inside_overlay, int, copy_up, (struct dentry * dentry, struct cred **new), (dentry, new))
{
	return tacet_overlay_copies_up(dentry) ?: static_call(tacet_copy_up)(dentry, new);
}

REPLACEMENT(tacet_replacement_count, int, path_truncate, (const struct path *path), (path))
{
	int error = static_call(tacet_path_truncate)(path) ?: tacet_guard_changes(path, false);

	return error ?: tacet_truncate_expect(path);
}

/* The kernel has checked all but the file system. */
REPLACEMENT(tacet_replacement_count, int, truncate,
	    (struct mnt_idmap * idmap, struct dentry *dentry, loff_t length, unsigned int times, struct file *file),
	    (idmap, dentry, length, times, file))
{
	int error = tacet_truncate_to(dentry, length, file);

	return error ?: static_call(tacet_truncate)(idmap, dentry, length, times, file);
}

REPLACEMENT(tacet_replacement_count, int, fallocate, (struct file * file, int mode, loff_t offset, loff_t length),
	    (file, mode, offset, length))
{
	return tacet_truncate_range(file, mode, offset, length) ?: vfs_fallocate(file, mode, offset, length);
}

static bool removal_matters(void)
{
	return tacet_guard_wanted() || tacet_overwrite_wanted();
}

/* Directories are locked here and in the next function. */
REPLACEMENT(tacet_replacement_count, int, path_unlink, (const struct path *directory, struct dentry *dentry),
	    (directory, dentry))
{
	int error = static_call(tacet_path_unlink)(directory, dentry) ?: tacet_guard_removals(directory, dentry);

	if (!error)
		tacet_erase_removal(directory, dentry);
	return error;
}

REPLACEMENT(tacet_replacement_count, int, path_rename,
	    (const struct path *old_directory, struct dentry *old_dentry, const struct path *new_directory,
	     struct dentry *new_dentry, unsigned int flags),
	    (old_directory, old_dentry, new_directory, new_dentry, flags))
{
	int error = static_call(tacet_path_rename)(old_directory, old_dentry, new_directory, new_dentry, flags) ?:
			    tacet_guard_removals(new_directory, new_dentry);

	/* With RENAME_EXCHANGE each of the files gets the other's name. */
	if (!error && flags & RENAME_EXCHANGE)
		error = tacet_guard_removals(old_directory, old_dentry);
	if (!error && !(flags & RENAME_EXCHANGE))
		tacet_erase_removal(new_directory, new_dentry);
	return error;
}

REPLACEMENT(tacet_replacement_count, int, unmount, (struct vfsmount * mount, int flags), (mount, flags))
{
	tacet_erase_before_unmount();
	return static_call(tacet_unmount)(mount, flags);
}

/* The loop driver reads in threads of its own, and its device shows what it has read to everybody. */
static int refuse_labelled(unsigned int fd)
{
	struct file *file = fget(fd);
	bool labelled = file && tacet_mark_is_on(file);

	if (labelled)
		tacet_notice_send(TACET_EVENT_REFUSED, 0, file, NULL, "read-cannot-be-followed");
	if (file)
		fput(file);
	return labelled ? -EPERM : 0;
}

REPLACEMENT(tacet_replacement_count, int, loop_configure,
	    (struct loop_device * loop, blk_mode_t mode, struct block_device *device,
	     const struct loop_config *configuration),
	    (loop, mode, device, configuration))
{
	return refuse_labelled(configuration->fd) ?:
						    static_call(tacet_loop_configure)(loop, mode, device, configuration);
}

REPLACEMENT(tacet_replacement_count, int, loop_ioctl,
	    (struct block_device * device, blk_mode_t mode, unsigned int command, unsigned long argument),
	    (device, mode, command, argument))
{
	int error = command == LOOP_CHANGE_FD ? refuse_labelled(argument) : 0;

	return error ?: static_call(tacet_loop_ioctl)(device, mode, command, argument);
}

/* The C library keeps the stack of a thread that ends for one to come. */
static bool leaves_stack(void)
{
	return (tacet_chosen_clears_stack(current) || tacet_session_is_member()) && !tacet_task_is_sensitive(current) &&
	       !thread_group_empty(current) && !(READ_ONCE(current->signal->flags) & SIGNAL_GROUP_EXIT);
}

/* Memory that it shares with others stays. */
static bool leaves_shared(void)
{
	return (thread_group_leader(current) || READ_ONCE(current->group_leader->exit_state)) &&
	       (tacet_chosen_runs(current) || tacet_task_is_sensitive(current));
}

static bool leaves_anything(void)
{
	return leaves_stack() || leaves_shared();
}

/* The kernel's function returns nothing. */
REPLACEMENT(tacet_replacement_count, int, exit_signals, (struct task_struct * task), (task))
{
	if (leaves_stack())
		tacet_stack_clear_own();
	if (leaves_shared())
		tacet_adopt_last();
	return static_call(tacet_exit_signals)(task);
}

static bool gives_up_memory(void)
{
	return tacet_chosen_runs(current) || tacet_session_is_member() || tacet_task_is_sensitive(current);
}

REPLACEMENT(tacet_replacement_count, int, advise, (struct mm_struct * mm, unsigned long start, size_t size, int advice),
	    (mm, start, size, advice))
{
	return static_call(tacet_advise)(mm, start, size, tacet_advice_of_owner(mm, start, size, advice));
}

/* A page that is stolen goes on, and must not be cleared when it leaves the page cache. So it is copied. */
static bool is_cleared_page(struct ftrace_regs *registers)
{
	return tacet_cache_clears((const struct pipe_buffer *)ftrace_regs_get_argument(registers, 1));
}

REPLACEMENT(tacet_replacement_count, bool, steal_page, (struct pipe_inode_info * pipe, struct pipe_buffer *buffer),
	    (pipe, buffer))
{
	return false;
}

static bool leaves_chosen_core(void)
{
	return tacet_chosen_clears_stack(current);
}

/* What functions left on the stacks is no part of the core. The other threads of the process have stopped. */
REPLACEMENT(tacet_replacement_count, struct page *, dump_page, (TACET_DUMP_PAGE_PARAMETERS),
	    (TACET_DUMP_PAGE_ARGUMENTS))
{
	static_assert(__same_type(get_dump_page, struct page * (TACET_DUMP_PAGE_PARAMETERS)));

	tacet_stack_clear_in_core(address, tacet_dump_page_is_locked);
	return static_call(tacet_dump_page)(TACET_DUMP_PAGE_ARGUMENTS);
}

static struct tacet_hook hooks[] = {
	HOOK_IF(wants_secure_computing, secure_computing),
	HOOK(mmap_file),
	HOOK(file_receive),
	HOOK_IF(tacet_holder_any, file_open),
	HOOK(set_mount_options),
	HOOK(fifo_open),
	HOOK(fanotify_read),
	HOOK_IF(leaves_no_core, core_dump),
	HOOK_IF(leaves_chosen_core, dump_page),
	HOOK_IF(leaves_anything, exit_signals),
	HOOK_IF(gives_up_memory, advise),
	HOOK_FOR(is_cleared_page, steal_page),
	HOOK_IF(removal_matters, path_truncate),
	HOOK_IF(tacet_truncate_wanted, truncate),
	HOOK_IF(tacet_overwrite_wanted, fallocate),
	HOOK_IF(removal_matters, path_unlink),
	HOOK_IF(removal_matters, path_rename),
	HOOK_IF(tacet_erase_pending, unmount),
};

static struct tacet_hook overlay_hooks[] = {
	HOOK(backing_file_open),
	HOOK(copy_up),
};

static struct tacet_hook loop_hooks[] = {
	HOOK(loop_configure),
	HOOK(loop_ioctl),
};

static struct tacet_hook_list main_list = HOOK_LIST(hooks);
static struct tacet_hook_list overlay_list = HOOK_LIST(overlay_hooks);
static struct tacet_hook_list loop_list = HOOK_LIST(loop_hooks);

/**
 * struct driver - a module of the kernel's that has hooks as long as it is there
 * @name: of the module
 * @list: of the hooks
 * @hooked: they are in place; drivers_lock
 */
static struct driver {
	const char *name;
	struct tacet_hook_list *list;
	bool hooked;
} drivers[] = {
	{ .name = "loop", .list = &loop_list },
	{ .name = "unix_diag", .list = &tacet_border_socket_hooks },
};

static DEFINE_MUTEX(drivers_lock);

static bool is_there(const struct driver *driver)
{
	unsigned int i;

	for (i = 0; i < driver->list->count; i++)
		if (!*driver->list->hooks[i].address)
			return false;
	return true;
}

/* Without its hooks a driver does not come. */
static int hook_driver(struct driver *driver, bool is_coming)
{
	int error = 0;

	mutex_lock(&drivers_lock);
	tacet_symbol_find_driver();
	if (!driver->hooked && is_there(driver)) {
		error = tacet_replacement_install(driver->list);
		driver->hooked = !error;
	}
	if (is_coming && !driver->hooked)
		error = error ?: -ENOENT;
	mutex_unlock(&drivers_lock);
	return error;
}

static void unhook_driver(struct driver *driver)
{
	mutex_lock(&drivers_lock);
	if (driver->hooked)
		tacet_replacement_remove(driver->list);
	driver->hooked = false;
	mutex_unlock(&drivers_lock);
}

static int hook_drivers(void)
{
	unsigned int i;
	int error = 0;

	for (i = 0; i < ARRAY_SIZE(drivers) && !error; i++)
		error = hook_driver(&drivers[i], false);
	return error;
}

static int module_changes(struct notifier_block *unused, unsigned long event, void *data)
{
	const struct module *module = data;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(drivers) && strcmp(module->name, drivers[i].name); i++)
		;
	if (i == ARRAY_SIZE(drivers))
		return NOTIFY_DONE;
	if (event == MODULE_STATE_COMING)
		return notifier_from_errno(hook_driver(&drivers[i], true));
	if (event == MODULE_STATE_GOING)
		unhook_driver(&drivers[i]);
	return NOTIFY_OK;
}

static struct notifier_block modules = { .notifier_call = module_changes };

/* No task has a context, so each task is in a hook for a moment only, or sleeps. */
static void wait_until_left(void)
{
	synchronize_rcu_tasks();
	while (tacet_replacement_inside(&tacet_replacement_count)) {
		turn_sleepers_round();
		schedule_timeout_uninterruptible(1);
	}
	tacet_late_label_exit();
	synchronize_rcu_tasks();
}

int tacet_hook_init(void)
{
	int error = tacet_replacement_install(&main_list);

	if (!error) {
		error = tacet_replacement_install(&tacet_border_hooks);
		if (error)
			tacet_replacement_remove(&main_list);
	}
	if (error) {
		wait_until_left();
		return error;
	}
	error = register_module_notifier(&modules) ?: hook_drivers();
	if (error)
		tacet_hook_exit();
	else
		tacet_feature_set(TACET_FEATURE_INTERPOSITION, true);
	return error;
}

void tacet_hook_exit(void)
{
	unsigned int i;

	unregister_module_notifier(&modules);
	for (i = 0; i < ARRAY_SIZE(drivers); i++)
		unhook_driver(&drivers[i]);
	tacet_border_exit();
	tacet_replacement_remove(&tacet_border_hooks);
	tacet_replacement_remove(&main_list);
	wait_until_left();
	tacet_access_exit();
}

int tacet_hook_overlay_init(void)
{
	return tacet_replacement_install(&overlay_list);
}

/* tacet_hook_exit() waits for the tasks that are about to leave the hooks. */
void tacet_hook_overlay_exit(void)
{
	tacet_replacement_remove(&overlay_list);
	synchronize_rcu_tasks();
	while (tacet_replacement_inside(&inside_overlay))
		schedule_timeout_uninterruptible(1);
}
