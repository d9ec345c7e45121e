// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that have returned leave their data below the stack pointer, until other functions overwrite it. So it is
 * cleared now and then, for each thread of a chosen program or a private session, while the thread cannot run in user mode: by itself
 * on its way there, or, when it sleeps in the kernel, by the worker, which holds it up on that way.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pagewalk.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/userfaultfd_k.h>
#include <linux/wait_bit.h>
#include <asm/fsgsbase.h>

#include "base/symbol.h"
#include "compat/memory.h"
#include "memory/kernel_stack.h"
#include "memory/lock.h"
#include "memory/socket.h"
#include "memory/stack.h"

/* Threads that run may take so long to return to user mode, or to fall asleep. The next round comes back to them. */
#define LOOKS 5
#define BETWEEN_LOOKS (HZ / 50)
/* Below the stack pointer, functions that call no others keep data there. */
#define RED_ZONE 128
/* Pages of one walk. */
#define BATCH 32
/* Of a process. */
#define THREADS_MAX 4096

/**
 * struct visit - a thread whose stack is to be cleared
 * @work: runs in the thread on its way to user mode
 * @references: of the worker and of @work
 * @lock: whoever has it clears; a thread that waits for it is not in user mode
 * @over: nothing is to be done any more, as the stack is cleared, or the thread goes on to user mode
 * @thread: the worker has a reference to it
 */
struct visit {
	struct callback_head work;
	refcount_t references;
	struct mutex lock;
	bool over;
	struct task_struct *thread;
};

/* Visits that are not freed. */
static atomic_t visits;

/**
 * struct touched - what a walk finds
 * @floor: nothing below it belongs to the stack
 * @count: how many there are in @pages
 * @pages: addresses of pages that are there
 */
struct touched {
	unsigned long floor;
	unsigned int count;
	unsigned long pages[BATCH];
};

static int note_marker(pte_t *entry, unsigned long address, unsigned long next, struct mm_walk *walk)
{
	struct touched *touched = walk->private;
	pte_t value = ptep_get(entry);

	if (!pte_none(value) && !pte_present(value) && softleaf_is_marker(softleaf_from_pte(value)))
		touched->floor = next;
	return 0;
}

static int note_page(pte_t *entry, unsigned long address, unsigned long next, struct mm_walk *walk)
{
	struct touched *touched = walk->private;
	pte_t value = ptep_get(entry);

	if (!pte_present(value) || is_zero_pfn(pte_pfn(value)))
		return 0;
	touched->pages[touched->count++] = address;
	return touched->count == BATCH;
}

static const struct mm_walk_ops find_markers = { .pte_entry = note_marker, .walk_lock = PGWALK_RDLOCK };
static const struct mm_walk_ops find_pages = { .pte_entry = note_page, .walk_lock = PGWALK_RDLOCK };

/* Clears a page up to @end. What is zero stays as it is, as a page that is written is copied after a fork. */
static void clear_page_until(struct mm_struct *mm, unsigned long address, unsigned long end)
{
	size_t size = min(PAGE_SIZE, end - address);
	struct page *page;
	bool is_clear;
	void *memory;

	if (get_user_pages_remote(mm, address, 1, FOLL_NOFAULT, &page, NULL) != 1)
		return;
	memory = kmap_local_page(page);
	is_clear = !memchr_inv(memory, 0, size);
	kunmap_local(memory);
	put_page(page);
	if (is_clear || get_user_pages_remote(mm, address, 1, FOLL_WRITE, &page, NULL) != 1)
		return;
	memory = kmap_local_page(page);
	memset(memory, 0, size);
	kunmap_local(memory);
	set_page_dirty_lock(page);
	put_page(page);
}

static void clear_range(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	struct touched touched = { .floor = start };
	unsigned int i;

	mmap_assert_locked(mm);
	/* A guard that is no mapping of its own, as newer libraries make it, ends the stack, too. */
	static_call(tacet_walk_pages)(mm, start, PAGE_ALIGN(end), &find_markers, &touched);
	start = touched.floor;
	while (start < end) {
		touched.count = 0;
		static_call(tacet_walk_pages)(mm, start, PAGE_ALIGN(end), &find_pages, &touched);
		for (i = 0; i < touched.count && touched.pages[i] < end; i++)
			clear_page_until(mm, touched.pages[i], end);
		if (touched.count < BATCH)
			return;
		start = touched.pages[BATCH - 1] + PAGE_SIZE;
		cond_resched();
	}
}

static bool contains(const struct vm_area_struct *area, unsigned long address)
{
	return address >= area->vm_start && address < area->vm_end;
}

/* Tells whether the kernel, or the C library for a thread, may have made @area as a stack. */
static bool may_be_stack(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_GROWSDOWN || (area->vm_flags & VM_NOHUGEPAGE && !area->vm_file);
}

/*
 * Tells whether @area is the stack that the kernel or the C library made for this thread: the process's own, or one that was mapped
 * as a stack and has the thread's own data at its upper end. A program may run on any other memory, such as a
 * coroutine's. What lies below there may be in use.
 */
static bool is_stack_of(const struct task_struct *thread, const struct vm_area_struct *area, unsigned long pointer,
			unsigned long thread_data)
{
	/* Others may have theirs in a variable of the process's first thread. */
	if (area->vm_flags & VM_GROWSDOWN)
		return rcu_access_pointer(area->vm_mm->owner) == thread;
	return may_be_stack(area) && thread_data > pointer && contains(area, thread_data);
}

/* Clears below the stack pointer of a thread that cannot run in user mode now. */
static void clear_locked_stack(struct task_struct *thread, struct mm_struct *mm, unsigned long thread_data)
{
	unsigned long pointer = task_pt_regs(thread)->sp;
	struct vm_area_struct *area;

	mmap_assert_locked(mm);
	/* A handler of signals that has a stack of its own; it may lie in the thread's. */
	if (pointer - thread->sas_ss_sp <= thread->sas_ss_size && thread->sas_ss_size)
		return;
	area = vma_lookup(mm, pointer);
	if (area && is_stack_of(thread, area, pointer, thread_data) && !userfaultfd_armed(area) &&
	    pointer - area->vm_start > RED_ZONE)
		clear_range(mm, area->vm_start, pointer - RED_ZONE);
}

/* Whoever has the lock may wait for a server that does not answer. */
static bool try_clear_stack(struct task_struct *thread, struct mm_struct *mm, unsigned long thread_data)
{
	if (!mmap_read_trylock(mm))
		return false;
	clear_locked_stack(thread, mm, thread_data);
	mmap_read_unlock(mm);
	return true;
}

void tacet_stack_clear_own(void)
{
	if (!current->mm || !tacet_lock_own_memory())
		return;
	clear_locked_stack(current, current->mm, x86_fsbase_read_cpu());
	mmap_read_unlock(current->mm);
}

static void put_visit(struct visit *visit)
{
	if (!refcount_dec_and_test(&visit->references))
		return;
	kfree(visit);
	if (atomic_dec_and_test(&visits))
		wake_up_var(&visits);
}

static void visit_itself(struct callback_head *work)
{
	struct visit *visit = container_of(work, struct visit, work);

	mutex_lock(&visit->lock);
	/* If another thread has the memory, the next round comes back. From here on nothing holds this one up. */
	if (!visit->over && current->mm)
		try_clear_stack(current, current->mm, x86_fsbase_read_cpu());
	visit->over = true;
	tacet_socket_drop_own_page();
	mutex_unlock(&visit->lock);
	tacet_kernel_stack_clear_own();
	put_visit(visit);
}

/*
 * Tells whether @thread sleeps in a system call. It has left its processor, and when it comes back it sees the work that was
 * added before. Sleep that no signal ends does not count: a page fault may happen while a handler's frame is written
 * below the stack pointer, and the child of vfork() runs there. Nor does a thread that was stopped: when it goes on, it may write
 * such a frame before it sees the work.
 */
static bool is_asleep(struct task_struct *thread)
{
	unsigned int state;

	/* Orders the look after the work was added. */
	smp_mb();
	if (READ_ONCE(thread->on_cpu))
		return false;
	state = READ_ONCE(thread->__state);
	return (state & ~TASK_FREEZABLE) == TASK_INTERRUPTIBLE;
}

/* Returns true when the visit is over: the thread came by itself, or it sleeps, and its stack is cleared here. */
static bool is_over(struct visit *visit, struct mm_struct *mm)
{
	struct task_struct *thread = visit->thread;
	bool over;

	/* The thread itself has it, on its way to user mode. */
	if (!mutex_trylock(&visit->lock))
		return true;
	/* It may have executed another program since, or end. */
	if (!visit->over && is_asleep(thread) && READ_ONCE(thread->mm) == mm) {
		visit->over = try_clear_stack(thread, mm, thread->thread.fsbase);
		tacet_socket_drop_page_asleep(thread);
	}
	over = visit->over;
	mutex_unlock(&visit->lock);
	return over;
}

/* Returns the visit of a thread, or NULL if there is no memory, or the thread ends. */
static struct visit *begin_visit(struct task_struct *thread)
{
	struct visit *visit = kzalloc(sizeof(*visit), GFP_KERNEL);

	if (!visit)
		return NULL;
	atomic_inc(&visits);
	refcount_set(&visit->references, 2);
	init_task_work(&visit->work, visit_itself);
	mutex_init(&visit->lock);
	visit->thread = thread;
	if (!task_work_add(thread, &visit->work, TWA_RESUME))
		return visit;
	put_visit(visit);
	put_visit(visit);
	return NULL;
}

static void end_visit(struct visit *visit)
{
	struct task_struct *thread = visit->thread;

	/* When the work runs now, the thread puts the reference. */
	if (static_call(tacet_task_work_cancel)(thread, &visit->work))
		put_visit(visit);
	put_visit(visit);
	tacet_kernel_stack_clear_asleep(thread);
}

/* Returns how many of the visits are not over. */
static unsigned int look(struct visit **begun, unsigned int count, struct mm_struct *mm)
{
	unsigned int i, left = 0;

	for (i = 0; i < count; i++)
		if (begun[i] && !is_over(begun[i], mm))
			left++;
	return left;
}

/* All are held up at once, so that many that do not move cost no more time than one. */
static void visit_threads(struct task_struct **threads, unsigned int count, struct mm_struct *mm)
{
	struct visit **begun = kvmalloc_array(count, sizeof(*begun), GFP_KERNEL);
	unsigned int i, looks;

	if (!begun)
		return;
	for (i = 0; i < count; i++)
		begun[i] = begin_visit(threads[i]);
	for (looks = 1; look(begun, count, mm) && looks < LOOKS; looks++)
		schedule_timeout_uninterruptible(BETWEEN_LOOKS);
	for (i = 0; i < count; i++)
		if (begun[i])
			end_visit(begun[i]);
	kvfree(begun);
}

/* Gets references to the threads of a process. Returns how many. */
static unsigned int get_threads(struct task_struct *process, struct task_struct **threads, unsigned int most)
{
	struct task_struct *thread;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_thread(process, thread) {
		if (count == most)
			break;
		/* These have no stack in user mode. */
		if (!(thread->flags & (PF_IO_WORKER | PF_USER_WORKER | PF_EXITING)))
			threads[count++] = get_task_struct(thread);
	}
	rcu_read_unlock();
	return count;
}

/* Returns the threads of a process with a reference to each, or NULL. @count: how many. The caller puts and frees them. */
static struct task_struct **copy_threads(struct task_struct *process, unsigned int *count)
{
	unsigned int most = min(get_nr_threads(process) + 1, THREADS_MAX);
	struct task_struct **threads = kvmalloc_array(most, sizeof(*threads), GFP_KERNEL);

	*count = threads ? get_threads(process, threads, most) : 0;
	return threads;
}

/* The first thread may have ended before the others. */
static struct mm_struct *get_memory(struct task_struct **threads, unsigned int count)
{
	struct mm_struct *mm = NULL;
	unsigned int i;

	for (i = 0; i < count && !mm; i++)
		mm = get_task_mm(threads[i]);
	return mm;
}

void tacet_stack_clear_process(struct task_struct *process)
{
	unsigned int count, i;
	struct task_struct **threads = copy_threads(process, &count);
	struct mm_struct *mm = get_memory(threads, count);

	if (mm) {
		visit_threads(threads, count, mm);
		/* The process may end meanwhile, and a server that does not answer may keep its files. */
		mmput_async(mm);
	}
	for (i = 0; i < count; i++)
		put_task_struct(threads[i]);
	kvfree(threads);
}

/* Clears the stacks of the current process's threads in this area. */
static void clear_area(const struct vm_area_struct *area)
{
	unsigned int count, i;
	struct task_struct **threads = copy_threads(current, &count);

	if (!threads)
		pr_warn_ratelimited("what functions left on stacks is in a core: no memory to clear it\n");
	for (i = 0; i < count; i++) {
		if (contains(area, task_pt_regs(threads[i])->sp))
			clear_locked_stack(threads[i], current->mm,
					   threads[i] == current ? x86_fsbase_read_cpu() : threads[i]->thread.fsbase);
		put_task_struct(threads[i]);
	}
	kvfree(threads);
}

void tacet_stack_clear_in_core(unsigned long address, bool is_locked)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *area;

	if (!is_locked)
		mmap_read_lock(mm);
	area = vma_lookup(mm, address);
	/* At the first page of the area it is done for all of it. */
	if (area && area->vm_start == address && may_be_stack(area))
		clear_area(area);
	if (!is_locked)
		mmap_read_unlock(mm);
}

void tacet_stack_clear_exit(void)
{
	wait_var_event(&visits, !atomic_read(&visits));
	/* The last thread may still be in visit_itself(). */
	synchronize_rcu_tasks();
}
