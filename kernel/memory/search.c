// SPDX-License-Identifier: GPL-2.0-only
/* Counts stamps in physical memory. The tags are kept inverted, so that the list is not found itself. */
#include <linux/ioport.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "memory/search.h"
#include "uapi/tacet.h"

static DEFINE_SPINLOCK(tags_lock);
static u64 tags[TACET_STAMP_TAGS_MAX];
static unsigned int tags_made;
/* The lower half of each tag is the same, so that one comparison looks for all. */
static u32 common;

u64 tacet_search_make_tag(void)
{
	u64 tag = get_random_u64();

	spin_lock(&tags_lock);
	if (!tags_made)
		common = tag | 1; /* Memory is full of zeros, which must not begin a tag. */
	tag = (tag & ~(u64)U32_MAX) | common;
	tags[tags_made++ % ARRAY_SIZE(tags)] = ~tag;
	spin_unlock(&tags_lock);
	return tag;
}

static bool is_known(u64 tag)
{
	unsigned int i, made;
	bool result = false;

	spin_lock(&tags_lock);
	made = min(tags_made, (unsigned int)ARRAY_SIZE(tags));
	for (i = 0; i < made; i++)
		result |= tags[i] == ~tag;
	spin_unlock(&tags_lock);
	return result;
}

/* FNV-1a of 64 bits. */
static u64 checksum(const u8 *bytes, size_t size)
{
	u64 sum = 0xcbf29ce484222325;

	while (size--)
		sum = (sum ^ *bytes++) * 0x100000001b3;
	return sum;
}

static bool is_whole(const u8 *bytes, size_t size)
{
	const size_t summed = offsetof(struct tacet_stamp, checksum);

	return size >= sizeof(struct tacet_stamp) && get_unaligned((u64 *)(bytes + summed)) == checksum(bytes, summed);
}

static void count_stamp(const u8 *bytes, size_t size, struct tacet_stamp_count *counts, unsigned int count)
{
	u64 tag = get_unaligned((u64 *)bytes);
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (counts[i].tag != tag)
			continue;
		if (is_whole(bytes, size))
			counts[i].whole++;
		else
			counts[i].damaged++;
	}
}

#define BYTES(byte) (0x0101010101010101 * (u64)(byte))

/* Tells whether one of the eight bytes of @word is 0. */
static bool has_zero(u64 word)
{
	return (word - BYTES(1)) & ~word & BYTES(0x80);
}

/* Eight bytes are passed at once, unless one of them begins a tag. */
static void count_page(const u8 *bytes, struct tacet_stamp_count *counts, unsigned int count)
{
	const u64 *words = (const u64 *)bytes, first = BYTES((u8)common);
	size_t at;

	for (at = 0; at + sizeof(counts->tag) <= PAGE_SIZE; at++) {
		while (!(at % sizeof(*words)) && at < PAGE_SIZE && !has_zero(words[at / sizeof(*words)] ^ first))
			at += sizeof(*words);
		if (at + sizeof(counts->tag) <= PAGE_SIZE && get_unaligned((u32 *)(bytes + at)) == common)
			count_stamp(bytes + at, PAGE_SIZE - at, counts, count);
	}
}

/* Reserved memory is the kernel's image and what it took at boot, or no memory. */
static bool is_memory(unsigned long number, struct page *page)
{
	return page && !PageHWPoison(page) && (!PageReserved(page) || page_is_ram(number));
}

int tacet_search_count(struct tacet_stamp_count *counts, unsigned int count)
{
	unsigned long number, end = 0;
	int node, error = 0;
	struct page *page;
	unsigned int i;
	u8 *copy;

	for (i = 0; i < count; i++) {
		if (!is_known(counts[i].tag))
			return -ENOENT;
		counts[i].whole = 0;
		counts[i].damaged = 0;
	}
	copy = (u8 *)__get_free_page(GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	for_each_online_node(node)
		end = max(end, node_end_pfn(node));
	for (number = 0; number < end && !error; number++) {
		cond_resched();
		if (fatal_signal_pending(current))
			error = -EINTR;
		page = pfn_to_online_page(number);
		/* Pages that are not in the kernel's address space, as those of memfd_secret(), cannot be read. */
		if (is_memory(number, page) && page != virt_to_page(copy) &&
		    !copy_from_kernel_nofault(copy, page_address(page), PAGE_SIZE))
			count_page(copy, counts, count);
	}
	memzero_explicit(copy, PAGE_SIZE);
	free_page((unsigned long)copy);
	return error;
}
