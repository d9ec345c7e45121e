// SPDX-License-Identifier: GPL-2.0-only
/* Functions that the kernel does not export. They are found once at load and called through static calls. */
#include <linux/kprobes.h>
#include <linux/stringify.h>
#include <linux/tracepoint.h>

#include "base/symbol.h"

struct tacet_symbols tacet_symbols;

#define FUNCTION(name, symbol, type, result, ...) \
	type tacet_symbol_no_##name(__VA_ARGS__)  \
	{                                         \
		return result;                    \
	}                                         \
	DEFINE_STATIC_CALL(tacet_##name, tacet_symbol_no_##name);
#define OPTIONAL_FUNCTION FUNCTION
#define DRIVER_FUNCTION FUNCTION
#define ADDRESS(name, symbol)
#define OPTIONAL_ADDRESS(name, symbol)
#define DRIVER_ADDRESS(name, symbol)
#define TRACEPOINT(name, symbol)
#include "base/symbols.def"

static unsigned long no_lookup(const char *name)
{
	return 0;
}

DEFINE_STATIC_CALL(lookup_name, no_lookup);

static int find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	int error = register_kprobe(&probe);

	if (error)
		return error;
	static_call_update(lookup_name, (typeof(&no_lookup))probe.addr);
	unregister_kprobe(&probe);
	return 0;
}

static unsigned long lookup(const char *name, int *error)
{
	unsigned long address = static_call(lookup_name)(name);

	if (!address) {
		pr_err("this kernel has no %s\n", name);
		*error = -ENOENT;
	}
	return address;
}

static void find_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct tacet_symbols *symbols = data;

#define FUNCTION(name, symbol, type, result, ...)
#define OPTIONAL_FUNCTION FUNCTION
#define DRIVER_FUNCTION FUNCTION
#define ADDRESS(name, symbol)
#define OPTIONAL_ADDRESS(name, symbol)
#define DRIVER_ADDRESS(name, symbol)
#define TRACEPOINT(field, symbol)               \
	if (!strcmp(tracepoint->name, #symbol)) \
		symbols->field = tracepoint;
#include "base/symbols.def"
}

static int find_all(void)
{
	int error = 0;

	for_each_kernel_tracepoint(find_tracepoint, &tacet_symbols);
#define FUNCTION(name, symbol, type, result, ...) tacet_symbols.name = lookup(#symbol, &error);
#define OPTIONAL_FUNCTION(name, symbol, type, result, ...) tacet_symbols.name = static_call(lookup_name)(#symbol);
#define DRIVER_FUNCTION(name, symbol, type, result, ...)
#define ADDRESS(name, symbol) tacet_symbols.name = lookup(__stringify(symbol), &error);
#define OPTIONAL_ADDRESS(name, symbol) tacet_symbols.name = static_call(lookup_name)(__stringify(symbol));
#define DRIVER_ADDRESS(name, symbol)
#define TRACEPOINT(name, symbol)                            \
	if (!tacet_symbols.name) {                          \
		pr_err("this kernel has no %s\n", #symbol); \
		error = -ENOENT;                            \
	}
#include "base/symbols.def"
	return error;
}

static void update_calls(void)
{
#define FUNCTION(name, symbol, type, result, ...) \
	static_call_update(tacet_##name, (typeof(&tacet_symbol_no_##name))tacet_symbols.name);
#define OPTIONAL_FUNCTION(name, symbol, type, result, ...) \
	if (tacet_symbols.name)                            \
	FUNCTION(name, symbol, type, result, __VA_ARGS__)
#define DRIVER_FUNCTION(name, symbol, type, result, ...)
#define ADDRESS(name, symbol)
#define OPTIONAL_ADDRESS(name, symbol)
#define DRIVER_ADDRESS(name, symbol)
#define TRACEPOINT(name, symbol)
#include "base/symbols.def"
}

void tacet_symbol_find_driver(void)
{
#define FUNCTION(name, symbol, type, result, ...)
#define OPTIONAL_FUNCTION FUNCTION
#define DRIVER_FUNCTION(name, symbol, type, result, ...)                                                            \
	tacet_symbols.name = static_call(lookup_name)(#symbol);                                                     \
	static_call_update(tacet_##name, tacet_symbols.name ? (typeof(&tacet_symbol_no_##name))tacet_symbols.name : \
							      tacet_symbol_no_##name);
#define ADDRESS(name, symbol)
#define OPTIONAL_ADDRESS(name, symbol)
#define DRIVER_ADDRESS(name, symbol) tacet_symbols.name = static_call(lookup_name)(#symbol);
#define TRACEPOINT(name, symbol)
#include "base/symbols.def"
}

int tacet_symbol_init(void)
{
	int error = find_lookup() ?: find_all();

	if (!error)
		update_calls();
	return error;
}
