// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects of the kernel's allocator are cleared when an owner frees them, and marked ones whoever frees them. A cache
 * whose objects have a constructor, or may be read after they were freed, has to be left alone. Modules are not told
 * which caches these are. So the places where a cache keeps its constructor and flags are found once, by caches that
 * differ in nothing else.
 */
#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <trace/events/kmem.h>

#include "base/feature.h"
#include "base/symbol.h"
#include "memory/layer.h"
#include "memory/mark.h"
#include "memory/object.h"
#include "memory/owner.h"

#define NOWHERE ((size_t)-1)

/*
 * Offsets in the kernel's structures, NOWHERE if they are not known: of the pointer to the constructor and of the
 * flags in struct kmem_cache, and of the pointer to the cache in the page that its objects are in.
 */
static struct {
	size_t constructor, flags, cache;
} layout = { NOWHERE, NOWHERE, NOWHERE };

static bool (*frees_for_owner)(enum tacet_memory_layer layer);
static bool started;

/* One mark is for so many bytes. Smaller objects share theirs. */
#define MARK_SHIFT 7

/* The marks of objects, by their place in the kernel's map of all memory. It is there while the probes are. */
static unsigned long *marks;
static unsigned long mark_count;

/* It is out of range for memory that lies elsewhere, as large objects may. */
static unsigned long mark_of(const void *object)
{
	return ((unsigned long)object - PAGE_OFFSET) >> MARK_SHIFT;
}

static __always_inline bool has_mark(const void *object)
{
	return mark_of(object) < mark_count && test_bit(mark_of(object), marks);
}

bool tacet_object_is_marked(const void *object)
{
	return has_mark(object);
}

bool tacet_object_any_marked(void)
{
	return !bitmap_empty(marks, mark_count);
}

void tacet_object_mark(const void *object)
{
	if (mark_of(object) < mark_count)
		set_bit(mark_of(object), marks);
}

/* A mark that others share stays. */
static void end_mark(const void *object, size_t size)
{
	if (size >> MARK_SHIFT && has_mark(object))
		clear_bit(mark_of(object), marks);
}

/* Most objects are freed by tasks without an owner. So this is in the probes themselves. */
static __always_inline bool is_outsiders(const void *object)
{
	return likely(!has_mark(object) && tacet_owner_known_none());
}

static bool is_to_clear(const void *object)
{
	return has_mark(object) || (tacet_owner_possible() && frees_for_owner(TACET_LAYER_BUFFERS));
}

static void construct(void *object)
{
}

/* Returns the offset of the only word of @size bytes at @structure that is @value, or NOWHERE. */
static size_t find_word(const void *structure, size_t size, unsigned long value)
{
	size_t at, found = NOWHERE;

	for (at = 0; at + sizeof(value) <= size; at += sizeof(value)) {
		if (*(const unsigned long *)(structure + at) != value)
			continue;
		if (found != NOWHERE)
			return NOWHERE;
		found = at;
	}
	return found;
}

/*
 * Returns the offset of the only field that is the same in two caches, and differs in a third by just this flag, or NOWHERE. Of
 * two caches alone, a pointer to itself may differ by one bit, too.
 */
static size_t find_flag(const void *plain, const void *same, const void *flagged, size_t size, slab_flags_t flag)
{
	size_t at, found = NOWHERE;
	slab_flags_t one, other;

	for (at = 0; at + sizeof(flag) <= size; at += sizeof(flag)) {
		one = *(const slab_flags_t *)(plain + at);
		other = *(const slab_flags_t *)(flagged + at);
		if (one != *(const slab_flags_t *)(same + at) || one & flag || other != (one | flag))
			continue;
		if (found != NOWHERE)
			return NOWHERE;
		found = at;
	}
	return found;
}

static void find_layout(struct kmem_cache *plain, struct kmem_cache *constructed, struct kmem_cache *flagged)
{
	size_t size = min(ksize(plain), min(ksize(flagged), ksize(constructed)));
	void *object = kmem_cache_alloc(plain, GFP_KERNEL);

	if (!object)
		return;
	layout.constructor = find_word(constructed, size, (unsigned long)construct);
	layout.flags = find_flag(plain, constructed, flagged, size, SLAB_TYPESAFE_BY_RCU);
	layout.cache = find_word(virt_to_head_page(object), sizeof(struct page), (unsigned long)plain);
	kmem_cache_free(plain, object);
	/* It must be another word for a cache without a constructor. */
	if (layout.constructor != NOWHERE && *(void **)((void *)plain + layout.constructor))
		layout.constructor = NOWHERE;
}

static bool is_known(void)
{
	return layout.constructor != NOWHERE && layout.flags != NOWHERE && layout.cache != NOWHERE;
}

static bool may_clear(const struct kmem_cache *cache)
{
	const void *structure = cache;

	return !*(void *const *)(structure + layout.constructor) &&
	       !(*(const slab_flags_t *)(structure + layout.flags) & SLAB_TYPESAFE_BY_RCU);
}

static void clear(const void *object, size_t size)
{
	memset((void *)object, 0, size);
	end_mark(object, size);
}

static noinline void clear_in_cache(const void *object, struct kmem_cache *cache)
{
	if (object && is_to_clear(object) && may_clear(cache))
		clear(object, kmem_cache_size(cache));
}

/* Of an object that is freed without its cache. It may be whole pages. */
static noinline void clear_allocation(const void *object)
{
	struct page *page;

	if (!is_to_clear(object))
		return;
	page = virt_to_head_page(object);
	if (!PageSlab(page) || may_clear(*(struct kmem_cache **)((void *)page + layout.cache)))
		clear(object, ksize(object));
}

static void probe_kfree(void *data, unsigned long site, const void *object)
{
	if (!ZERO_OR_NULL_PTR(object) && !is_outsiders(object))
		clear_allocation(object);
}

static void probe_cache_free(void *data, unsigned long site, const void *object, const struct kmem_cache *cache)
{
	if (!is_outsiders(object))
		clear_in_cache(object, (struct kmem_cache *)cache);
}

/* Objects that are freed together raise no events. */
static void notrace clear_bulk(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
			       struct ftrace_regs *regs)
{
	struct kmem_cache *cache = (struct kmem_cache *)ftrace_regs_get_argument(regs, 0);
	size_t count = ftrace_regs_get_argument(regs, 1), i;
	void **objects = (void **)ftrace_regs_get_argument(regs, 2);

	for (i = 0; i < count; i++) {
		if (is_outsiders(objects[i]))
			continue;
		if (cache)
			clear_in_cache(objects[i], cache);
		else
			clear_allocation(objects[i]);
	}
}

/* It is blank at each start, as freeing its filter leaves an address in it. */
static struct ftrace_ops bulk;

static int hook_bulk(void)
{
	int error;

	bulk = (struct ftrace_ops){
		.func = clear_bulk,
		.flags = FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_DYNAMIC,
	};
	error = ftrace_set_filter_ip(&bulk, (unsigned long)kmem_cache_free_bulk, 0, 1);
	if (!error)
		error = register_ftrace_function(&bulk);
	if (error)
		ftrace_free_filter(&bulk);
	return error;
}

static void unhook_bulk(void)
{
	unregister_ftrace_function(&bulk);
	ftrace_free_filter(&bulk);
}

static int make_marks(void)
{
	unsigned long count = tacet_page_marks.count << (PAGE_SHIFT - MARK_SHIFT);

	marks = vzalloc(BITS_TO_LONGS(count) * sizeof(*marks));
	mark_count = marks ? count : 0;
	return marks ? 0 : -ENOMEM;
}

static void drop_marks(void)
{
	mark_count = 0;
	vfree(marks);
	marks = NULL;
}

int tacet_object_clear_start(bool (*concerns)(enum tacet_memory_layer layer))
{
	int error;

	/* With init_on_free the kernel clears them itself. */
	if (!is_known() || want_init_on_free())
		return 0;
	frees_for_owner = concerns;
	error = make_marks();
	if (error)
		return error;
	error = tracepoint_probe_register(tacet_symbols.kfree, probe_kfree, NULL);
	if (error)
		goto drop;
	error = tracepoint_probe_register(tacet_symbols.cache_free, probe_cache_free, NULL);
	if (error)
		goto unprobe_kfree;
	error = hook_bulk();
	started = !error;
	if (!error)
		return 0;
	tracepoint_probe_unregister(tacet_symbols.cache_free, probe_cache_free, NULL);
unprobe_kfree:
	tracepoint_probe_unregister(tacet_symbols.kfree, probe_kfree, NULL);
	tracepoint_synchronize_unregister();
drop:
	drop_marks();
	return error;
}

void tacet_object_clear_stop(void)
{
	if (!started)
		return;
	started = false;
	unhook_bulk();
	tracepoint_probe_unregister(tacet_symbols.cache_free, probe_cache_free, NULL);
	tracepoint_probe_unregister(tacet_symbols.kfree, probe_kfree, NULL);
	tracepoint_synchronize_unregister();
	drop_marks();
}

int tacet_object_init(void)
{
	struct kmem_cache *plain, *flagged, *constructed;
	int error = -ENOMEM;

	check_trace_callback_type_kfree(probe_kfree);
	check_trace_callback_type_kmem_cache_free(probe_cache_free);
	plain = kmem_cache_create("tacet-plain", 64, 0, SLAB_NO_MERGE, NULL);
	flagged = kmem_cache_create("tacet-flagged", 64, 0, SLAB_NO_MERGE | SLAB_TYPESAFE_BY_RCU, construct);
	constructed = kmem_cache_create("tacet-constructed", 64, 0, SLAB_NO_MERGE, construct);
	if (plain && flagged && constructed) {
		find_layout(plain, constructed, flagged);
		error = 0;
	}
	kmem_cache_destroy(constructed);
	kmem_cache_destroy(flagged);
	kmem_cache_destroy(plain);
	if (!error && (is_known() || want_init_on_free()))
		tacet_feature_set(TACET_FEATURE_OBJECTS, true);
	else if (!error)
		pr_warn("what the kernel's own allocator frees is not cleared: where its caches keep their flags was "
			"not found\n");
	return error;
}
