// SPDX-License-Identifier: GPL-2.0-only
/* Calls that neither replaying nor running twice can deal with. */
#include <asm/termios.h>
#include <linux/fcntl.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/sockios.h>

#include "base/labelset.h"
#include "base/symbol.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/doppelganger.h"
#include "engine/exec.h"
#include "engine/fork.h"
#include "engine/original.h"
#include "engine/special.h"
#include "engine/transfer.h"
#include "label/label.h"
#include "label/shadow.h"
#include "pair/mapping.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"

bool tacet_special_ioctl_transfers(const struct tacet_entry *entry)
{
	return entry->args[1] == FICLONE || entry->args[1] == FICLONERANGE;
}

/* Requests from before their number said what they write. */
static unsigned int ioctl_output_size(unsigned int request)
{
	switch (request) {
	case TCGETS:
		return sizeof(struct termios);
	case TIOCGWINSZ:
		return sizeof(struct winsize);
	case FIONREAD:
	case TIOCOUTQ:
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCGETD:
	case TIOCMGET:
		return sizeof(int);
	case FIOASYNC:
	case FIONBIO:
		return 0;
	}
	if (request >= SIOCGIFNAME && request <= SIOCGIFMAP)
		return sizeof(struct ifreq);
	return _IOC_DIR(request) & _IOC_READ ? _IOC_SIZE(request) : 0;
}

static unsigned int fcntl_output_size(unsigned int command)
{
	switch (command) {
	case F_GETLK:
	case F_OFD_GETLK:
		return sizeof(struct flock);
	case F_GETOWN_EX:
		return sizeof(struct f_owner_ex);
	case F_GET_RW_HINT:
	case F_GET_FILE_RW_HINT:
		return sizeof(u64);
	default:
		return 0;
	}
}

static unsigned int prctl_output_size(unsigned int option)
{
	switch (option) {
	case PR_GET_NAME:
		return TASK_COMM_LEN;
	case PR_GET_PDEATHSIG:
	case PR_GET_CHILD_SUBREAPER:
	case PR_GET_TSC:
		return sizeof(int);
	case PR_GET_TID_ADDRESS:
		return sizeof(void *);
	default:
		return 0;
	}
}

/* Only what concerns the process's own memory and name is done twice. */
static bool prctl_runs_twice(const struct tacet_entry *entry)
{
	return entry->number == __NR_prctl && (entry->args[0] == PR_SET_NAME || entry->args[0] == PR_SET_VMA);
}

/* The row of this very call: what it reads and writes depends on an argument. */
static void row_of_call(const struct tacet_entry *entry, struct tacet_call *row)
{
	unsigned int size = 0, argument = 2;

	*row = *entry->call;
	if (row->special == TACET_SPECIAL_IOCTL) {
		size = ioctl_output_size(entry->args[1]);
	} else if (row->special == TACET_SPECIAL_FCNTL) {
		size = fcntl_output_size(entry->args[1]);
	} else if (row->special == TACET_SPECIAL_PRCTL) {
		size = prctl_output_size(entry->args[0]);
		argument = 1;
		/* A name, which can be read back: the doppelganger would be told the original's. */
		if (prctl_runs_twice(entry))
			row->in[0] = (struct tacet_buffer){
				.kind = TACET_BUFFER_STRING, .argument = entry->args[0] == PR_SET_NAME ? 1 : 4,
			};
	}
	if (!size)
		return;
	memset(row->out, 0, sizeof(row->out));
	row->out[0] = (struct tacet_buffer){
		.kind = TACET_BUFFER_FIXED, .argument = argument, .size = size,
	};
}

static long replay_by_argument(struct tacet_entry *entry)
{
	const struct tacet_call *call = entry->call;
	struct tacet_call row;
	long result;

	row_of_call(entry, &row);
	entry->call = &row;
	result = tacet_original_replay(entry);
	entry->call = call;
	return result;
}

/*
 * Stores through a shared mapping are not seen: the file counts as written. But files that
 * programs share their memory through are a matter of their own.
 */
static int label_shared_mapping(struct tacet_pair *pair, struct file *file)
{
	struct inode *inode = file_inode(file);
	struct tacet_labelset *set;
	int error;

	if (!S_ISREG(inode->i_mode) || !inode->i_nlink || inode->i_sb->s_flags & SB_NOUSER)
		return 0;
	set = tacet_pair_label(pair, NULL);
	error = set ? tacet_label_derive(file, set, 0) : 0;
	tacet_labelset_put(set);
	/* A file system that cannot carry the label must not get the data unseen. */
	return error;
}

/* The process could store into the file. */
static bool is_stored_through(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_SHARED && area->vm_flags & VM_MAYWRITE;
}

int tacet_special_label_shared_mappings(struct tacet_pair *pair)
{
	unsigned long address = 0;
	struct file *file;
	int error = 0;

	while (!error && (file = tacet_mapping_next_file(&address, is_stored_through))) {
		error = label_shared_mapping(pair, file);
		fput(file);
	}
	return error;
}

static bool maps_file(const struct tacet_entry *entry)
{
	return !(entry->args[3] & MAP_ANONYMOUS);
}

static bool maps_shared_for_writing(const struct tacet_entry *entry)
{
	return (entry->args[3] & MAP_TYPE) != MAP_PRIVATE && entry->args[2] & PROT_WRITE;
}

int tacet_special_label_mapping(struct tacet_entry *entry, struct file *file)
{
	struct tacet_labelset *set = tacet_label_of(file);
	int error = 0;

	if (set)
		error = tacet_original_add_file(entry, set, file);
	tacet_labelset_put(set);
	if (!error && maps_shared_for_writing(entry))
		error = label_shared_mapping(entry->pair, file);
	return error;
}

static long original_mmap(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_original_step(entry);
	long result;

	if (!step)
		return TACET_LOST;
	if (maps_file(entry))
		step->file = fget(entry->args[4]);
	result = step->file ? tacet_special_label_mapping(entry, step->file) : 0;
	if (!result)
		result = tacet_original_run_in_order(entry, step);
	return tacet_original_finish(entry, step, result);
}

/* A device's memory is the original's alone; the doppelganger gets blank pages. */
static struct file *doppelganger_mapping(struct file *file)
{
	if (!S_ISREG(file_inode(file)->i_mode))
		return NULL;
	return tacet_label_armed(file) ? tacet_shadow_open(file) : get_file(file);
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
	/* What the doppelganger writes must reach nobody. */
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

	if (!tacet_doppelganger_wait_memory(entry->pair, step))
		return tacet_task_die();
	if (!IS_ERR_VALUE(step->result)) {
		if (step->file)
			file = doppelganger_mapping(step->file);
		if (IS_ERR(file))
			return tacet_doppelganger_diverge(entry, "shadow-not-readable");
		result = map_like_original(entry, step, file);
		if (file)
			fput(file);
	}
	tacet_doppelganger_pass_memory_on(entry->pair, step);
	return result == step->result ? result : tacet_doppelganger_diverge(entry, "memory-differs");
}

static long original_exit(struct tacet_entry *entry)
{
	struct tacet_step *step = tacet_original_step(entry);

	entry->context->exiting = true;
	if (step)
		tacet_ring_publish(entry->context->ring);
	return TACET_PASS;
}

static long doppelganger_exit(struct tacet_entry *entry)
{
	entry->context->exiting = true;
	return TACET_PASS;
}

/* Pages would be lent to a pipe and could change in it: programs then write. */
static long refuse(struct tacet_entry *entry, long error)
{
	struct tacet_step *step = tacet_original_step(entry);

	return step ? tacet_original_finish(entry, step, error) : TACET_LOST;
}

long tacet_special_original(struct tacet_entry *entry)
{
	switch (entry->call->special) {
	case TACET_SPECIAL_FORK:
		return tacet_fork_original(entry);
	case TACET_SPECIAL_EXEC:
		return tacet_exec_original(entry);
	case TACET_SPECIAL_EXIT:
		return original_exit(entry);
	case TACET_SPECIAL_MMAP:
		return original_mmap(entry);
	case TACET_SPECIAL_TRANSFER:
		return tacet_transfer(entry);
	case TACET_SPECIAL_IOCTL:
		return tacet_special_ioctl_transfers(entry) ? tacet_transfer(entry) : replay_by_argument(entry);
	case TACET_SPECIAL_FCNTL:
	case TACET_SPECIAL_PRCTL:
		return replay_by_argument(entry);
	case TACET_SPECIAL_SIGRETURN:
	case TACET_SPECIAL_RSEQ:
	case TACET_SPECIAL_SET_TID_ADDRESS:
	case TACET_SPECIAL_ARCH_PRCTL:
		return tacet_original_replay(entry);
	case TACET_SPECIAL_VECTOR_TRANSFER:
		return refuse(entry, -ENOSYS);
	default:
		tacet_pair_taint(entry->pair, "call-not-followed");
		return TACET_LOST;
	}
}

static long follow_by_argument(struct tacet_entry *entry, struct tacet_step *step)
{
	const struct tacet_call *call = entry->call;
	struct tacet_call row;
	long result;

	row_of_call(entry, &row);
	entry->call = &row;
	if (!prctl_runs_twice(entry))
		result = tacet_doppelganger_replay(entry, step);
	else if (tacet_doppelganger_equals(entry, step))
		result = tacet_doppelganger_both(entry, step);
	else
		result = tacet_doppelganger_diverge(entry, "arguments-differ");
	entry->call = call;
	return result;
}

long tacet_special_doppelganger(struct tacet_entry *entry, struct tacet_step *step)
{
	switch (entry->call->special) {
	case TACET_SPECIAL_FORK:
		return tacet_fork_doppelganger(entry, step);
	case TACET_SPECIAL_EXEC:
		return tacet_exec_doppelganger(entry, step);
	case TACET_SPECIAL_EXIT:
		return doppelganger_exit(entry);
	case TACET_SPECIAL_MMAP:
		return doppelganger_mmap(entry, step);
	case TACET_SPECIAL_PRCTL:
	case TACET_SPECIAL_TRANSFER:
	case TACET_SPECIAL_IOCTL:
	case TACET_SPECIAL_FCNTL:
		return follow_by_argument(entry, step);
	case TACET_SPECIAL_SIGRETURN:
		return tacet_run(entry);
	case TACET_SPECIAL_RSEQ:
	case TACET_SPECIAL_ARCH_PRCTL:
		return tacet_doppelganger_both(entry, step);
	case TACET_SPECIAL_SET_TID_ADDRESS:
		tacet_run(entry);
		return step->result;
	default:
		return step->result;
	}
}
