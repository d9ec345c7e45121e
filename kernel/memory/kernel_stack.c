// SPDX-License-Identifier: GPL-2.0-only
/*
 * A system call copies small arguments to the stack that the thread has in the kernel. They stay there until other calls overwrite
 * them, also when the thread has ended: the kernel keeps the stack, and clears it for the next thread only.
 */
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/wait.h>
#include <asm/processor.h>

#include "base/symbol.h"
#include "memory/kernel_stack.h"

/* The kernel keeps nothing below the stack pointer. So much is left there, so that this need not be proved. */
#define MARGIN 128

/* Overwrites nothing but the stack: no function is called, and so no frame lies there. */
static __always_inline void zero(unsigned long start, unsigned long end)
{
	unsigned long count = end - start;

	asm volatile("rep stosb" : "+D"(start), "+c"(count) : "a"(0) : "memory");
}

/* The lowest word tells whether the stack was too small. */
static __always_inline unsigned long lowest(struct task_struct *thread)
{
	return (unsigned long)(end_of_stack(thread) + 1);
}

/* An interrupt that comes meanwhile has its frame there, and is over before the next byte is cleared. */
noinline void tacet_kernel_stack_clear_own(void)
{
	unsigned long end = current_stack_pointer - MARGIN, start = lowest(current);

	if (end > start && end - start < THREAD_SIZE)
		zero(start, end);
}

/* Whoever wakes the thread waits for a lock that is held here. */
static int clear_if_off_processor(struct task_struct *thread, void *unused)
{
	unsigned long end, start = lowest(thread);

	/* Before that, it has noted where it leaves its stack. */
	if (thread == current || smp_load_acquire(&thread->on_cpu))
		return 0;
	end = thread->thread.sp;
	if (end > start && end - start < THREAD_SIZE)
		zero(start, end);
	return 0;
}

void tacet_kernel_stack_clear_asleep(struct task_struct *thread)
{
	if (!try_get_task_stack(thread))
		return;
	static_call(tacet_call_with_task)(thread, clear_if_off_processor, NULL);
	static_call(tacet_put_task_stack)(thread);
}

void tacet_kernel_stack_clear_ended(struct task_struct *thread)
{
	unsigned long start = lowest(thread);

	zero(start, (unsigned long)task_stack_page(thread) + THREAD_SIZE);
}
