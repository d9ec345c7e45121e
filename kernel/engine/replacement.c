// SPDX-License-Identifier: GPL-2.0-only
/* Puts replacements of kernel functions in place by ftrace, and takes them away. */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sort.h>

#include "engine/replacement.h"

DEFINE_PER_CPU(long, tacet_replacement_count);

/*
 * The bounds of this module's code, to tell whether an address lies in it. within_module() would look
 * at seven kinds of memory.
 */
static unsigned long text_start, text_size;

/* The last hook whose function begins at @ip or before. ftrace's call is a few bytes behind the beginning. */
static __always_inline const struct tacet_hook *hook_at(const struct tacet_hook_list *list, unsigned long ip)
{
	const struct tacet_hook *first = list->hooks;
	unsigned int count = list->count;

	while (count > 1) {
		unsigned int half = count / 2;

		if (first[half].start <= ip) {
			first += half;
			count -= half;
		} else {
			count = half;
		}
	}
	return first;
}

/* ftrace calls this when a function with a hook is called. */
static void notrace redirect(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
			     struct ftrace_regs *registers)
{
	const struct tacet_hook *hook;

	if (parent - text_start < text_size)
		return;
	hook = hook_at(container_of(operations, struct tacet_hook_list, operations), ip);
	/* Preemption is off here. So this only changes the way, to a function that may sleep. */
	if ((!hook->wanted || hook->wanted()) && (!hook->concerns || hook->concerns(registers)))
		ftrace_regs_set_instruction_pointer(registers, (unsigned long)hook->replacement);
}

/*
 * With PERMANENT, ftrace_enabled=0 cannot switch the hooks off. A task with the flag but without hook
 * and seccomp filter runs into a BUG() in the kernel.
 */
static const struct ftrace_ops unused = {
	.func = redirect,
	.flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_DYNAMIC,
};

static int by_start(const void *one, const void *other)
{
	const struct tacet_hook *left = one, *right = other;

	return left->start < right->start ? -1 : left->start > right->start;
}

/* With an empty filter ftrace would redirect every function. */
static bool is_empty(const struct tacet_hook_list *list)
{
	return !list->count || !list->hooks[list->count - 1].start;
}

void tacet_replacement_remove(struct tacet_hook_list *list)
{
	if (is_empty(list))
		return;
	unregister_ftrace_function(&list->operations);
	ftrace_free_filter(&list->operations);
}

int tacet_replacement_install(struct tacet_hook_list *list)
{
	const struct module_memory *text = &THIS_MODULE->mem[MOD_TEXT];
	unsigned int i;
	int error = 0;

	text_start = (unsigned long)text->base;
	text_size = text->size;
	/* Those of an earlier install point at the filter that was freed. */
	list->operations = unused;
	for (i = 0; i < list->count; i++)
		list->hooks[i].start = *list->hooks[i].address;
	sort(list->hooks, list->count, sizeof(*list->hooks), by_start, NULL);
	for (i = 0; i < list->count && !error; i++)
		/* 0: this kernel was built without it. */
		if (list->hooks[i].start)
			error = ftrace_set_filter_ip(&list->operations, list->hooks[i].start, 0, 0);
	if (!error && !is_empty(list))
		error = register_ftrace_function(&list->operations);
	if (error)
		ftrace_free_filter(&list->operations);
	return error;
}

long tacet_replacement_inside(const long __percpu *counter)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(counter, cpu);
	return sum;
}
