// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel decides when a file is opened whether reading it raises an event. Files that were opened
 * before their inode was labelled are found in the descriptor tables of all tasks. Files on their way
 * through a UNIX socket, and those that only io_uring holds, are not found.
 */
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

#include "compat/notify_mode.h"
#include "label/mark.h"
#include "label/open_file.h"

/* An open() that had found no mark reaches the descriptor table within this time. */
#define SECOND_LOOK_DELAY msecs_to_jiffies(200)

static void (*listener)(void);

static void second_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(second_look_work, second_look);
/* A file was labelled since the work began, perhaps just now. So the work must run once more after the full delay. */
static bool second_look_again;

/*
 * Later the kernel reads this field to see whether write access was denied to a running program's file.
 * So it must not change.
 */
static bool mode_fixed(const struct file *file)
{
	return !TACET_NOTIFY_MODE_OF_EXECUTABLES &&
	       ((file->f_flags & __FMODE_EXEC) || atomic_read(&file_inode(file)->i_writecount) < 0);
}

void tacet_open_file_watch_this(struct file *file)
{
	/* A scanner would wait for itself, see tacet_mark_is_silent(). But files without a name begin like that. */
	if (FMODE_FSNOTIFY_NONE(READ_ONCE(file->f_mode)) && !(file_inode(file)->i_sb->s_flags & SB_NOUSER))
		return;
	if (!tacet_notify_mode_watched(READ_ONCE(file->f_mode)) && !mode_fixed(file))
		tacet_notify_mode_set(file, TACET_NOTIFY_MODE);
}

static int watch_if_marked(const void *unused, struct file *file, unsigned int fd)
{
	if (tacet_mark_is_on(file))
		tacet_open_file_watch_this(file);
	return 0;
}

void tacet_open_file_each(tacet_open_file_visit visit, const void *data)
{
	struct task_struct *process, *task;
	int done = 0;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		task_lock(task);
		if (task->files && (task == process || task->files != READ_ONCE(process->files)))
			done = iterate_fd(task->files, 0, visit, data);
		task_unlock(task);
		/* The break must leave both loops of for_each_process_thread(). */
		if (done)
			goto unlock;
	}
unlock:
	rcu_read_unlock();
}

void tacet_open_file_set_listener(void (*looked)(void))
{
	WRITE_ONCE(listener, looked);
	/* After this no task is in the old listener any more. */
	synchronize_rcu();
}

static void looked_through(void)
{
	void (*looked)(void);

	rcu_read_lock();
	looked = READ_ONCE(listener);
	if (looked)
		looked();
	rcu_read_unlock();
}

static void second_look(struct work_struct *work)
{
	bool again = xchg(&second_look_again, false);

	tacet_open_file_each(watch_if_marked, NULL);
	looked_through();
	if (again)
		schedule_delayed_work(&second_look_work, SECOND_LOOK_DELAY);
}

/* The usual case of a derived label is a file that was just created. Such a file is open only once. */
static bool open_elsewhere(const struct file *file)
{
	const struct inode *inode = file_inode(file);
	int readers = (file->f_mode & (FMODE_READ | FMODE_WRITE)) == FMODE_READ;
	int writers = !!(file->f_mode & FMODE_WRITE);

	return atomic_read(&inode->i_readcount) > readers || atomic_read(&inode->i_writecount) > writers;
}

void tacet_open_file_watch(struct file *file)
{
	tacet_open_file_watch_this(file);
	if (open_elsewhere(file))
		tacet_open_file_each(watch_if_marked, NULL);
	looked_through();
	xchg(&second_look_again, true);
	schedule_delayed_work(&second_look_work, SECOND_LOOK_DELAY);
}

void tacet_open_file_exit(void)
{
	xchg(&second_look_again, false);
	cancel_delayed_work_sync(&second_look_work);
}
