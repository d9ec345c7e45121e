// SPDX-License-Identifier: GPL-2.0-only
/* Puts replacements of kernel functions in place by ftrace, and takes them away. */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include "engine/replacement.h"

DEFINE_PER_CPU(long, tacet_replacement_count);

/*
 * The bounds of this module's code, to tell whether an address lies in it. within_module() would look
 * at seven kinds of memory.
 */
static unsigned long text_start, text_size;

/* Functions begin at multiples of 16 bytes, and ftrace's call is a few bytes behind. */
#define ALIGNMENT 16

static __always_inline unsigned int place_of(unsigned long ip)
{
	return hash_long(ip / ALIGNMENT, TACET_HOOK_BITS);
}

/* Returns the hook on the function in which ftrace's call is at @ip. */
static __always_inline const struct tacet_hook *hook_at(const struct tacet_hook_list *list, unsigned long ip)
{
	unsigned int place = place_of(ip);
	const struct tacet_hook *hook;

	/* There are more places than hooks, so that some are empty. */
	while ((hook = list->places[place]) && ip - hook->start >= ALIGNMENT)
		place = (place + 1) % ARRAY_SIZE(list->places);
	return hook;
}

static void place_hook(struct tacet_hook_list *list, const struct tacet_hook *hook)
{
	unsigned int place = place_of(hook->start);

	while (list->places[place])
		place = (place + 1) % ARRAY_SIZE(list->places);
	list->places[place] = hook;
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
	if (hook && (!hook->wanted || hook->wanted()) && (!hook->concerns || hook->concerns(registers)))
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

/* With an empty filter ftrace would redirect every function. */
static bool is_empty(const struct tacet_hook_list *list)
{
	return !memchr_inv(list->places, 0, sizeof(list->places));
}

static int add(struct tacet_hook_list *list, struct tacet_hook *hook)
{
	hook->start = *hook->address;
	/* 0: this kernel was built without it. */
	if (!hook->start)
		return 0;
	if (hook->start % ALIGNMENT)
		return -EOPNOTSUPP;
	place_hook(list, hook);
	return ftrace_set_filter_ip(&list->operations, hook->start, 0, 0);
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
	memset(list->places, 0, sizeof(list->places));
	for (i = 0; i < list->count && !error; i++)
		error = add(list, &list->hooks[i]);
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
