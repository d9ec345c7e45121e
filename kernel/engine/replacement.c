// SPDX-License-Identifier: GPL-2.0-only
/* Puts replacements of kernel functions in place by ftrace, and takes them away. */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include "engine/replacement.h"

DEFINE_PER_CPU(long, tacet_replacement_count);

/*
 * The bounds of this module's code, to tell whether an address lies in it. within_module() would look
 * at seven kinds of memory.
 */
static unsigned long text_start, text_size;

void notrace tacet_replacement_redirect(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
					struct ftrace_regs *registers)
{
	const struct tacet_hook *hook = container_of(operations, struct tacet_hook, operations);

	/* Preemption is off here. So this only changes the way, to a function that may sleep. */
	if (parent - text_start >= text_size && (!hook->wanted || hook->wanted()) &&
	    (!hook->concerns || hook->concerns(registers)))
		ftrace_regs_set_instruction_pointer(registers, (unsigned long)hook->replacement);
}

void tacet_replacement_remove(struct tacet_hook *list, unsigned int count)
{
	while (count-- > 0) {
		if (!*list[count].address)
			continue;
		unregister_ftrace_function(&list[count].operations);
		ftrace_free_filter(&list[count].operations);
	}
}

int tacet_replacement_install(struct tacet_hook *list, unsigned int count)
{
	const struct module_memory *text = &THIS_MODULE->mem[MOD_TEXT];
	unsigned int i;
	int error;

	text_start = (unsigned long)text->base;
	text_size = text->size;
	for (i = 0; i < count; i++) {
		/* This kernel was built without it. */
		if (!*list[i].address)
			continue;
		error = ftrace_set_filter_ip(&list[i].operations, *list[i].address, 0, 0);
		if (!error)
			error = register_ftrace_function(&list[i].operations);
		if (error) {
			ftrace_free_filter(&list[i].operations);
			tacet_replacement_remove(list, i);
			return error;
		}
	}
	return 0;
}

long tacet_replacement_inside(const long __percpu *counter)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(counter, cpu);
	return sum;
}
