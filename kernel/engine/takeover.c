// SPDX-License-Identifier: GPL-2.0-only
/*
 * The doppelganger takes the original's place, in the middle of an output that both have come to. The
 * original's task stays, with its number, parent, children and connections. It gets the doppelganger's
 * memory and registers.
 *
 * Labelled files that it holds open become their shadows. So do files with the same labels that it
 * opens later, with no new doppelganger.
 */
#include <linux/delay.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/regset.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/labelset.h"
#include "base/symbol.h"
#include "base/wait.h"
#include "call/call.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/takeover.h"
#include "label/mark.h"
#include "label/shadow.h"
#include "pair/clone.h"
#include "pair/mapping.h"
#include "pair/memory.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/state.h"
#include "pair/task.h"
#include "question/question.h"

#define FILES_MAX 1024
/*
 * Others look at a process's memory for a moment, as ps does, and a thread that ends is still counted.
 * So the check is repeated this often.
 */
#define LOOKS 100

/*
 * Others see what the process stores there. It could not go on with a copy of its own, and the module does not see
 * labelled data being read there.
 */
static bool is_shared_with_others(const struct vm_area_struct *area)
{
	return tacet_mapping_is_stored_through(area) &&
	       (!tacet_mapping_is_labelled(area) || tacet_mark_is_memory(file_inode(area->vm_file)));
}

static bool shares_memory(struct mm_struct *mm)
{
	struct vm_area_struct *area;
	bool shares = false;
	VMA_ITERATOR(iterator, mm, 0);

	mmap_read_lock(mm);
	for_each_vma(iterator, area)
		shares = shares || is_shared_with_others(area);
	mmap_read_unlock(mm);
	return shares;
}

static bool has_living_thread(void)
{
	struct task_struct *thread;
	bool has = false;

	rcu_read_lock();
	for_each_thread(current, thread)
		has = has || (thread != current && !(READ_ONCE(thread->flags) & PF_EXITING));
	rcu_read_unlock();
	return has;
}

static bool is_alone(void)
{
	int looks = LOOKS;

	/* A leader that has ended stays as long as its threads. */
	if (!thread_group_leader(current) || has_living_thread() || current->vfork_done)
		return false;
	while ((get_nr_threads(current) > 1 || atomic_read(&current->mm->mm_users) > 1) && looks--)
		usleep_range(500, 1000);
	return get_nr_threads(current) == 1 && atomic_read(&current->mm->mm_users) == 1 &&
	       atomic_read(&current->files->count) == 1;
}

bool tacet_takeover_possible(const struct tacet_entry *entry)
{
	return tacet_pair_lives(entry->pair) && is_alone() && !tacet_clone_has_asynchronous_input(current) &&
	       !shares_memory(current->mm);
}

struct open_files {
	unsigned int count;
	struct {
		unsigned int fd;
		struct file *file; /* a reference */
	} files[FILES_MAX];
};

static int note_file(const void *data, struct file *file, unsigned int fd)
{
	struct open_files *open = (struct open_files *)data;

	if (!(file->f_mode & FMODE_READ) || !tacet_mark_is_on(file))
		return 0;
	if (open->count == FILES_MAX)
		return -EMFILE;
	open->files[open->count].fd = fd;
	open->files[open->count++].file = get_file(file);
	return 0;
}

/* Reads go on at the same position, in the shadow. */
static bool replace_file(unsigned int fd, struct file *file)
{
	struct file *shadow = tacet_shadow_open(file);
	long flags = tacet_run_other(__NR_fcntl, fd, F_GETFD, 0, 0), replaced = -EMFILE;
	int other;

	if (IS_ERR(shadow))
		return false;
	shadow->f_pos = file->f_pos;
	other = get_unused_fd_flags(O_CLOEXEC);
	if (other < 0) {
		fput(shadow);
		return false;
	}
	fd_install(other, shadow);
	if (flags >= 0)
		replaced = tacet_run_other(__NR_dup3, other, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0, 0);
	close_fd(other);
	return replaced == fd;
}

static bool replace_files(void)
{
	struct open_files *open = kvzalloc(sizeof(*open), GFP_KERNEL);
	unsigned int i;
	bool done;

	if (!open)
		return false;
	done = !iterate_fd(current->files, 0, note_file, open);
	for (i = 0; i < open->count; i++) {
		done = done && replace_file(open->files[i].fd, open->files[i].file);
		fput(open->files[i].file);
	}
	kvfree(open);
	return done;
}

/* Waits until the doppelganger has written its registers into this task, which sleeps meanwhile. */
static bool take_registers(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_pair *pair = entry->pair;

	step->taken_by = get_task_struct(current);
	tacet_ring_set_stage(entry->context->ring, step, TACET_STAGE_COMPLETED);
	return tacet_wait(pair->wait, smp_load_acquire(&step->given) || !tacet_pair_lives(pair),
			  tacet_question_barrier_timeout()) > 0 &&
	       smp_load_acquire(&step->given);
}

static bool take_page(unsigned long address, const u8 *own, const u8 *theirs, void *data)
{
	return access_process_vm(current, address, (u8 *)theirs, PAGE_SIZE, FOLL_FORCE | FOLL_WRITE) == PAGE_SIZE;
}

static bool become_doppelganger(struct tacet_entry *entry, struct tacet_step *step, struct mm_struct *mm)
{
	return replace_files() && tacet_mapping_replace(tacet_mapping_is_labelled, NULL) &&
	       tacet_memory_compare(mm, 0, take_page, NULL) && take_registers(entry, step);
}

long tacet_takeover(struct tacet_entry *entry, struct tacet_step *step)
{
	struct mm_struct *mm = tacet_memory_of_doppelganger(entry->pair);
	struct tacet_pair *after;
	bool done;

	if (!mm)
		return -EPERM;
	after = tacet_pair_create(TACET_PAIR_WATCH, GFP_KERNEL);
	if (!after) {
		mmput(mm);
		return -EPERM;
	}
	after->scrubbed = tacet_pair_label(entry->pair, NULL);
	done = become_doppelganger(entry, step, mm);
	mmput(mm);
	if (!done) {
		/* The task is half original and half doppelganger, so it must not go on. */
		tacet_pair_put(after);
		send_sig(SIGKILL, current, 1);
		return -EINTR;
	}
	tacet_task_leave_pair(entry->context, after);
	return TACET_PASS;
}

/* Runs in the doppelganger. The original's task sleeps, so its registers are in memory. */
static bool give_registers(struct tacet_entry *entry, struct task_struct *task)
{
	const struct user_regset *regset = tacet_state_regset(NT_X86_XSTATE);
	void *state = NULL;
	int size;

	size = regset ? regset_get_alloc(current, regset, regset->n * regset->size, &state) : -ENODEV;
	if (size < 0 || !tacet_state_wait_off_cpu(task) || regset->set(task, regset, 0, size, state, NULL)) {
		kvfree(state);
		return false;
	}
	kvfree(state);
	if (!try_get_task_stack(task))
		return false;
	*task_pt_regs(task) = *entry->regs;
	static_call(tacet_put_task_stack)(task);
	return true;
}

void tacet_takeover_give(struct tacet_entry *entry, struct tacet_step *step)
{
	struct tacet_pair *pair = entry->pair;

	/* The doppelganger's end is no loss. */
	entry->context->exiting = true;
	if (give_registers(entry, step->taken_by))
		smp_store_release(&step->given, true);
	else
		tacet_pair_taint(pair, "registers-not-given");
	wake_up_all(&pair->wait);
}

/* Returns the argument with the descriptor from which the call takes data, or -1. */
static int source_argument(const struct tacet_entry *entry)
{
	switch (entry->number) {
	case __NR_mmap:
	case __NR_sendfile:
		return entry->call->fd_argument;
	case __NR_splice:
	case __NR_copy_file_range:
		return 0;
	default:
		return entry->call->kind == TACET_CALL_READ ? entry->call->fd_argument : -1;
	}
}

void tacet_takeover_redirect(struct tacet_entry *entry)
{
	int argument = source_argument(entry);
	struct file *file = argument < 0 ? NULL : fget(entry->args[argument]);
	struct tacet_labelset *set = file ? tacet_mark_label(file) : NULL;

	/* If this fails, the file is read like any other labelled file. */
	if (set && tacet_labelset_contains(entry->pair->scrubbed, set))
		replace_file(entry->args[argument], file);
	tacet_labelset_put(set);
	if (file)
		fput(file);
}
