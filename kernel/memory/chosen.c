// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chosen programs, and the processes that run them. Probes look at the path of each program that is
 * executed, and keep a bit for each process. They exist only while the policy covers programs.
 */
#include <linux/binfmts.h>
#include <linux/dcache.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <trace/events/sched.h>

#include "base/symbol.h"
#include "memory/adopt.h"
#include "memory/chosen.h"
#include "memory/clear.h"
#include "memory/layer.h"
#include "memory/owner.h"
#include "memory/preload.h"

/**
 * struct tacet_chosen - the paths of chosen programs
 * @rcu: frees it
 * @library: is preloaded into them; empty: none is
 * @size: bytes of @paths
 * @paths: each ended by NUL
 */
struct tacet_chosen {
	struct rcu_head rcu;
	char library[TACET_MEMORY_LIBRARY_MAX];
	size_t size;
	char paths[];
};

/* The caller of tacet_chosen_set() serialises changes of these. */
static struct tacet_chosen __rcu *current_choice;
static bool probed;
/* A bit for each number of a process, while the policy covers programs. */
static unsigned long *processes;

static bool is_sound(const struct tacet_chosen *chosen)
{
	size_t at, length;

	for (at = 0; at < chosen->size; at += length + 1) {
		length = strnlen(chosen->paths + at, chosen->size - at);
		if (at + length == chosen->size || length >= PATH_MAX || chosen->paths[at] != '/')
			return false;
	}
	return true;
}

/* The dynamic linker takes space and colon for the end of a name. Returns 0 or -errno. */
static int copy_library(struct tacet_chosen *chosen, const char __user *library)
{
	long length;

	chosen->library[0] = 0;
	if (!library)
		return 0;
	length = strncpy_from_user(chosen->library, library, sizeof(chosen->library));
	if (length < 0)
		return length;
	if (length == sizeof(chosen->library) || chosen->library[0] != '/' || strpbrk(chosen->library, ": "))
		return -EINVAL;
	return 0;
}

struct tacet_chosen *tacet_chosen_copy(const char __user *paths, size_t size, const char __user *library)
{
	struct tacet_chosen *chosen;
	int error = 0;

	if (size > TACET_MEMORY_PROGRAMS_MAX)
		return ERR_PTR(-EINVAL);
	chosen = kvmalloc(struct_size(chosen, paths, size), GFP_KERNEL_ACCOUNT);
	if (!chosen)
		return ERR_PTR(-ENOMEM);
	chosen->size = size;
	if (copy_from_user(chosen->paths, paths, size))
		error = -EFAULT;
	else if (!is_sound(chosen))
		error = -EINVAL;
	if (!error)
		error = copy_library(chosen, library);
	if (!error)
		return chosen;
	kvfree(chosen);
	return ERR_PTR(error);
}

void tacet_chosen_free(struct tacet_chosen *chosen)
{
	kvfree(chosen);
}

static bool contains(const struct tacet_chosen *chosen, const char *path)
{
	size_t at;

	for (at = 0; at < chosen->size; at += strlen(chosen->paths + at) + 1)
		if (!strcmp(chosen->paths + at, path))
			return true;
	return false;
}

static bool any_is_chosen(void)
{
	const struct tacet_chosen *chosen;
	bool result;

	rcu_read_lock();
	chosen = rcu_dereference(current_choice);
	result = chosen && chosen->size;
	rcu_read_unlock();
	return result;
}

/* An update of a package removes the file of a program that goes on running. The kernel says so behind its path. */
static void forget_removal(const struct file *program, char *path)
{
	static const char remark[] = " (deleted)";
	size_t length = strlen(path);

	if (d_unlinked(program->f_path.dentry) && length >= strlen(remark) &&
	    !strcmp(path + length - strlen(remark), remark))
		path[length - strlen(remark)] = 0;
}

/* @text: room for PATH_MAX bytes. Without it, or with a longer path, every program counts as chosen. */
static bool path_is_chosen(const struct file *program, char *text)
{
	const struct tacet_chosen *chosen;
	bool result;
	char *path;

	path = text ? d_path(&program->f_path, text, PATH_MAX) : ERR_PTR(-ENOMEM);
	if (IS_ERR(path))
		return true;
	forget_removal(program, path);
	rcu_read_lock();
	chosen = rcu_dereference(current_choice);
	result = chosen && contains(chosen, path);
	rcu_read_unlock();
	return result;
}

/* Sets or clears the bit of a process. */
static void cover(pid_t process, unsigned long *bits, bool covers)
{
	if (test_bit(process, bits) == covers)
		return;
	if (covers && !test_and_set_bit(process, bits)) {
		atomic_inc(&tacet_owner_count);
		tacet_owner_changed();
	} else if (!covers && test_and_clear_bit(process, bits)) {
		atomic_dec(&tacet_owner_count);
		tacet_owner_changed();
	}
}

static void preload_library(void)
{
	char library[TACET_MEMORY_LIBRARY_MAX] = "";
	const struct tacet_chosen *chosen;

	rcu_read_lock();
	chosen = rcu_dereference(current_choice);
	if (chosen)
		memcpy(library, chosen->library, sizeof(library));
	rcu_read_unlock();
	if (library[0])
		tacet_preload(library);
}

/* Runs before the first instruction of the program. Its arguments and environment are in memory already. */
static void begin_clearing(struct callback_head *work)
{
	kfree(work);
	tacet_page_clear_cover();
	if (current->mm) {
		if (tacet_layer_is_on(TACET_LAYER_HEAP))
			preload_library();
		tacet_page_adopt(current->mm, TACET_OWNER_PROGRAM);
		tacet_adopt_shared(current, TACET_OWNER_PROGRAM);
	}
	/* The unload waits for tasks that are in the module's code. */
	module_put(THIS_MODULE);
}

/* Preemption is off. */
static void begin_in_task(struct task_struct *task)
{
	struct callback_head *work;

	/* A module that goes clears nothing any more. */
	if (!try_module_get(THIS_MODULE))
		return;
	work = kmalloc(sizeof(*work), GFP_ATOMIC);
	if (work) {
		init_task_work(work, begin_clearing);
		if (!task_work_add(task, work, TWA_RESUME))
			return;
		kfree(work);
	} else {
		pr_warn_ratelimited("what process %d frees is not cleared: no memory for it\n", task->pid);
	}
	module_put(THIS_MODULE);
}

static void probe_exec(void *data, struct task_struct *task, pid_t old, struct linux_binprm *program)
{
	bool covers = false;
	char *text;

	if (any_is_chosen()) {
		text = kmalloc(PATH_MAX, GFP_ATOMIC | __GFP_NOWARN);
		covers = path_is_chosen(program->file, text);
		kfree(text);
	}
	cover(task->tgid, processes, covers);
	if (covers)
		begin_in_task(task);
}

static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (child->tgid == parent->tgid)
		return;
	cover(child->tgid, processes, test_bit(parent->tgid, processes));
	/* cover_running() may have covered both in between. */
	if (test_bit(parent->tgid, processes))
		cover(child->tgid, processes, true);
}

/* A process keeps its bit until nothing is left of it, as most is freed at its end. */
static void probe_gone(void *data, struct task_struct *task)
{
	if (thread_group_leader(task))
		cover(task->tgid, processes, false);
}

static bool runs_chosen(struct task_struct *process, char *text)
{
	struct file *program = NULL;
	struct task_struct *thread;
	bool result;

	/* Threads that have ended have no program. */
	for_each_thread(process, thread) {
		program = static_call(tacet_executable)(thread);
		if (program)
			break;
	}
	if (!program)
		return false;
	result = path_is_chosen(program, text);
	fput(program);
	return result;
}

/*
 * Covers processes that run already. While the RCU lock is held, none of them is reported as gone. Who is forked by one comes into the
 * list before it is reported. Who executes another program meanwhile may stay covered for no reason, until it ends or executes
 * one again. @text: room for PATH_MAX bytes.
 */
static void cover_running(char *text)
{
	struct task_struct *process;

	if (!any_is_chosen())
		return;
	/* Whoever executes a program meanwhile knows this choice. */
	tracepoint_synchronize_unregister();
	rcu_read_lock();
	for_each_process(process)
		if (runs_chosen(process, text))
			cover(process->tgid, processes, true);
	rcu_read_unlock();
}

static void unprobe(void)
{
	tracepoint_probe_unregister(tacet_symbols.exec, probe_exec, NULL);
	tracepoint_probe_unregister(tacet_symbols.fork, probe_fork, NULL);
	tracepoint_probe_unregister(tacet_symbols.gone, probe_gone, NULL);
	tracepoint_synchronize_unregister();
}

static int probe(void)
{
	int error;

	check_trace_callback_type_sched_process_exec(probe_exec);
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_free(probe_gone);
	error = tracepoint_probe_register(tacet_symbols.gone, probe_gone, NULL);
	if (error)
		return error;
	error = tracepoint_probe_register(tacet_symbols.fork, probe_fork, NULL);
	if (error)
		goto unprobe_gone;
	error = tracepoint_probe_register(tacet_symbols.exec, probe_exec, NULL);
	if (error)
		goto unprobe_fork;
	return 0;

unprobe_fork:
	tracepoint_probe_unregister(tacet_symbols.fork, probe_fork, NULL);
unprobe_gone:
	tracepoint_probe_unregister(tacet_symbols.gone, probe_gone, NULL);
	tracepoint_synchronize_unregister();
	return error;
}

static int begin(void)
{
	unsigned long *bits;
	int error;

	if (probed)
		return 0;
	bits = vzalloc(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(*bits));
	if (!bits)
		return -ENOMEM;
	WRITE_ONCE(processes, bits);
	error = probe();
	probed = !error;
	if (!error)
		return 0;
	WRITE_ONCE(processes, NULL);
	synchronize_rcu();
	vfree(bits);
	return error;
}

static void end(void)
{
	unsigned long *bits = processes;

	if (!probed)
		return;
	unprobe();
	probed = false;
	WRITE_ONCE(processes, NULL);
	synchronize_rcu();
	atomic_sub(bitmap_weight(bits, PID_MAX_LIMIT), &tacet_owner_count);
	vfree(bits);
}

int tacet_chosen_set(struct tacet_chosen *chosen)
{
	struct tacet_chosen *before = rcu_dereference_protected(current_choice, true);
	char *text = kmalloc(PATH_MAX, GFP_KERNEL);
	int error = !chosen ? 0 : text ? begin() : -ENOMEM;

	if (error) {
		kfree(text);
		tacet_chosen_free(chosen);
		return error;
	}
	rcu_assign_pointer(current_choice, chosen);
	if (before)
		kvfree_rcu(before, rcu);
	if (chosen)
		cover_running(text);
	else
		end();
	kfree(text);
	return 0;
}

void tacet_chosen_cover(const struct task_struct *task)
{
	unsigned long *bits;

	rcu_read_lock();
	bits = READ_ONCE(processes);
	if (bits)
		cover(task->tgid, bits, true);
	rcu_read_unlock();
}

bool tacet_chosen_runs(const struct task_struct *task)
{
	const unsigned long *bits;
	bool result;

	rcu_read_lock();
	bits = READ_ONCE(processes);
	result = bits && test_bit(task->tgid, bits);
	rcu_read_unlock();
	return result;
}

bool tacet_chosen_clears_stack(const struct task_struct *task)
{
	return tacet_layer_is_on(TACET_LAYER_STACK) && tacet_chosen_runs(task);
}
