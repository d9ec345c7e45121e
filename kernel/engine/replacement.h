/* SPDX-License-Identifier: GPL-2.0-only */
/* What runs in place of a function of the kernel, and the list of it. */
#ifndef _TACET_ENGINE_REPLACEMENT_H
#define _TACET_ENGINE_REPLACEMENT_H

#include <linux/ftrace.h>
#include <linux/percpu.h>

struct tacet_session_hooks;

/* Counts the tasks inside the replacements, as the module's code must not go while one sleeps there. */
DECLARE_PER_CPU(long, tacet_replacement_count);

/*
 * Defines replace_NAME, which a hook calls in place of a kernel function, as a counted call of the
 * body that follows. HOOK() takes no other function.
 */
#define REPLACEMENT(counter, type, name, parameters, arguments) \
	static type body_of_##name parameters;                  \
	static type replace_##name parameters                   \
	{                                                       \
		type result;                                    \
                                                                \
		this_cpu_inc(counter);                          \
		result = body_of_##name arguments;              \
		this_cpu_dec(counter);                          \
		return result;                                  \
	}                                                       \
	static type body_of_##name parameters

/**
 * struct tacet_hook - a function of the kernel that is redirected to the module
 * @address: the function's, in tacet_symbols; a function that this kernel lacks has address 0, and no hook
 * @start: what @address points at, as long as the hook is in place
 * @replacement: what runs instead
 * @wanted: tells whether the current task's call is to be replaced; NULL means always. Preemption is off.
 * @concerns: the same, with the call's arguments
 */
struct tacet_hook {
	const unsigned long *address;
	unsigned long start;
	void *replacement;
	bool (*wanted)(void);
	bool (*concerns)(struct ftrace_regs *registers);
};

#define TACET_HOOK_BITS 7

/**
 * struct tacet_hook_list - hooks that come and go together
 * @operations: of ftrace, for all of them, since ftrace waits for all tasks when it removes one; set at each install
 * @hooks: all of them
 * @count: of @hooks, fewer than there are places
 * @places: those in place, by a hash of their functions' addresses
 */
struct tacet_hook_list {
	struct ftrace_ops operations;
	struct tacet_hook *hooks;
	unsigned int count;
	const struct tacet_hook *places[1 << TACET_HOOK_BITS];
};

/*
 * Puts all hooks of a list in place, or none of them. Returns 0 or what ftrace says. Sleeps. The caller
 * removes them, and then waits until nobody is inside.
 */
int tacet_replacement_install(struct tacet_hook_list *list);
void tacet_replacement_remove(struct tacet_hook_list *list);
/* Returns how many tasks a counter of REPLACEMENT() has. */
long tacet_replacement_inside(const long __percpu *counter);

#define HOOK_LIST(array) \
	{ .hooks = array, .count = ARRAY_SIZE(array) + BUILD_BUG_ON_ZERO(ARRAY_SIZE(array) >= 1 << TACET_HOOK_BITS) }

#define HOOK_WHEN(test, condition, name) \
	{ .address = &tacet_symbols.name, .replacement = replace_##name, .test = condition }

#define HOOK(name) HOOK_WHEN(wanted, NULL, name)
#define HOOK_IF(condition, name) HOOK_WHEN(wanted, condition, name)
#define HOOK_FOR(condition, name) HOOK_WHEN(concerns, condition, name)

/* Those at the border of private sessions. */
extern struct tacet_hook_list tacet_border_hooks;
/* One more there, which comes with the first session. */
extern const struct tacet_session_hooks tacet_border_session_hooks;
/* Takes that one away. No session is left, and tasks may still be inside. Sleeps. */
void tacet_border_exit(void);
/* Those on the driver unix_diag. */
extern struct tacet_hook_list tacet_border_socket_hooks;

#endif
