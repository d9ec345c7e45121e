// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmap. Each half maps for itself. The doppelganger maps shadows and blank pages in place of labelled
 * files and devices.
 */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mman.h>

#include "base/symbol.h"
#include "call/entry.h"
#include "engine/intake.h"
#include "engine/mmap.h"
#include "engine/ops.h"
#include "engine/repeat.h"
#include "engine/step.h"
#include "label/mark.h"
#include "label/shadow.h"
#include "pair/ring.h"
#include "pair/task.h"

static bool maps_file(const struct tacet_entry *entry)
{
	return !(entry->args[3] & MAP_ANONYMOUS);
}

static long original_mmap(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_step_begin(entry);
	long result;

	if (!step)
		return TACET_LOST;
	if (maps_file(entry))
		step->file = fget(entry->args[4]);
	result = step->file ? tacet_intake_mapping(entry, step->file) : 0;
	if (!result)
		result = tacet_step_run_in_order(entry, step);
	return tacet_step_finish(entry, step, result);
}

/* A device's memory belongs to the original alone, and the doppelganger gets blank pages. */
static struct file *doppelganger_mapping(struct file *file)
{
	if (!S_ISREG(file_inode(file)->i_mode))
		return NULL;
	return tacet_mark_is_on(file) ? tacet_shadow_open(file) : get_file(file);
}

static long map_like_original(struct tacet_entry *entry, struct tacet_step *step, struct file *file)
{
	unsigned long flags = entry->args[3] & ~(MAP_POPULATE | MAP_LOCKED);
	unsigned long fixed = flags & MAP_FIXED ? MAP_FIXED : MAP_FIXED_NOREPLACE;
	struct pt_regs regs = *entry->regs;
	int fd = -1;
	long result;

	regs.di = step->result;
	regs.r10 = flags | fixed;
	if (file) {
		fd = get_unused_fd_flags(0);
		if (fd < 0)
			return fd;
		fd_install(fd, get_file(file));
		regs.r8 = fd;
	} else if (maps_file(entry)) {
		regs.r10 |= MAP_ANONYMOUS;
	}
	/* The doppelganger's writes must reach no other process. */
	if (maps_file(entry))
		regs.r10 = (regs.r10 & ~MAP_TYPE) | MAP_PRIVATE;
	result = static_call(tacet_system_call)(&regs, __NR_mmap);
	if (fd >= 0)
		close_fd(fd);
	return result;
}

static long doppelganger_mmap(struct tacet_entry *entry, struct tacet_step *step)
{
	struct file *file = NULL;
	long result = step->result;

	if (!tacet_repeat_wait_memory(entry->pair, step))
		return tacet_task_die();
	if (!IS_ERR_VALUE(step->result)) {
		if (step->file)
			file = doppelganger_mapping(step->file);
		if (IS_ERR(file))
			return tacet_repeat_diverge(entry, "shadow-not-readable");
		result = map_like_original(entry, step, file);
		if (file)
			fput(file);
	}
	tacet_repeat_pass_memory_on(entry->pair, step);
	return result == step->result ? result : tacet_repeat_diverge(entry, "memory-differs");
}

static long tainted_mmap(struct tacet_entry *entry)
{
	struct file *file = entry->args[3] & MAP_ANONYMOUS ? NULL : fget(entry->args[4]);
	int error = file ? tacet_intake_mapping(entry, file) : 0;

	if (file)
		fput(file);
	return error ?: TACET_PASS;
}

const struct tacet_call_ops tacet_mmap_ops = {
	.original = original_mmap,
	.doppelganger = doppelganger_mmap,
	.tainted = tainted_mmap,
};
