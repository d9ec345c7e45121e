// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that get their label while a process is mapping them. The mapping is not in the file's list yet, so whoever
 * sets the label does not find the process (mapped.c). So the process looks again on its way to user mode.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

#include "base/symbol.h"
#include "label/mark.h"
#include "pair/late_label.h"
#include "pair/watch.h"

/**
 * struct late_look - a second look at a file that is being mapped
 * @work: runs when the call is over
 * @node: its place in looks
 * @task: that maps the file; it stays until @work has run
 * @file: a reference
 */
struct late_look {
	struct callback_head work;
	struct list_head node;
	struct task_struct *task;
	struct file *file;
};

static LIST_HEAD(looks);
static DEFINE_SPINLOCK(looks_lock);

static void free_look(struct late_look *look)
{
	fput(look->file);
	kfree(look);
}

static void look_again(struct callback_head *work)
{
	struct late_look *look = container_of(work, struct late_look, work);

	if (!(current->flags & PF_EXITING))
		tacet_watch_has_mapped(look->file);
	spin_lock(&looks_lock);
	list_del(&look->node);
	spin_unlock(&looks_lock);
	free_look(look);
}

/* Programs store into such files. The others get labels from people, who do not do it within microseconds. */
static bool may_get_label(struct file *file)
{
	const struct inode *inode = file_inode(file);

	return S_ISREG(inode->i_mode) && (inode_is_open_for_write(inode) || tacet_mark_is_memory(inode));
}

int tacet_late_label_expect(struct file *file)
{
	struct late_look *look;

	if (!may_get_label(file))
		return 0;
	look = kmalloc(sizeof(*look), GFP_KERNEL);
	if (!look)
		return -ENOMEM;
	look->task = current;
	look->file = get_file(file);
	init_task_work(&look->work, look_again);
	spin_lock(&looks_lock);
	list_add(&look->node, &looks);
	spin_unlock(&looks_lock);
	if (!task_work_add(current, &look->work, TWA_RESUME))
		return 0;
	/* The process ends, and never sees the mapping. */
	spin_lock(&looks_lock);
	list_del(&look->node);
	spin_unlock(&looks_lock);
	free_look(look);
	return 0;
}

/* A call that maps a file may take long, but its look need not take place. */
static void cancel_looks(struct list_head *cancelled)
{
	struct late_look *look, *next;

	spin_lock(&looks_lock);
	list_for_each_entry_safe(look, next, &looks, node)
		if (static_call(tacet_task_work_cancel)(look->task, &look->work))
			list_move(&look->node, cancelled);
	spin_unlock(&looks_lock);
}

void tacet_late_label_exit(void)
{
	struct late_look *look, *next;
	LIST_HEAD(cancelled);

	cancel_looks(&cancelled);
	list_for_each_entry_safe(look, next, &cancelled, node)
		free_look(look);
	/* The others are being looked at, in a moment. */
	while (!list_empty_careful(&looks))
		schedule_timeout_uninterruptible(1);
}
