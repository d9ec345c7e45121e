// SPDX-License-Identifier: GPL-2.0-only
/* Replaces mappings of the current process by private ones without labelled data. */
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>

#include "label/mark.h"
#include "label/shadow.h"
#include "label/snapshot.h"
#include "pair/mapping.h"

#define MAPPINGS_MAX 1024
#define COPY_MAX ((size_t)16 << 20)
#define COPIES_MAX ((size_t)64 << 20)

struct mapping {
	struct file *file; /* a reference */
	unsigned long start;
	unsigned long length;
	unsigned long offset;
	unsigned long protection;
};

static unsigned long protection_of(const struct vm_area_struct *area)
{
	return (area->vm_flags & VM_READ ? PROT_READ : 0) | (area->vm_flags & VM_WRITE ? PROT_WRITE : 0) |
	       (area->vm_flags & VM_EXEC ? PROT_EXEC : 0);
}

/* Returns the number of mappings, or -1 when there are too many. */
static int find_mappings(struct mapping *mappings, bool (*gives_way)(const struct vm_area_struct *area))
{
	struct vm_area_struct *area;
	int count = 0;
	VMA_ITERATOR(iterator, current->mm, 0);

	mmap_read_lock(current->mm);
	for_each_vma(iterator, area) {
		if (!gives_way(area))
			continue;
		if (count == MAPPINGS_MAX) {
			mmap_read_unlock(current->mm);
			return -1;
		}
		mappings[count++] = (struct mapping){
			.file = area->vm_file ? get_file(area->vm_file) : NULL,
			.start = area->vm_start,
			.length = area->vm_end - area->vm_start,
			.offset = area->vm_pgoff << PAGE_SHIFT,
			.protection = protection_of(area),
		};
	}
	mmap_read_unlock(current->mm);
	return count;
}

/* What shared memory held before any labelled data could come there. */
struct memory_copy {
	struct list_head node;
	struct file *memory; /* a reference */
	struct file *copy;   /* a reference */
};

static struct memory_copy *find_copy(const struct list_head *copies, const struct file *memory)
{
	struct memory_copy *copy;

	list_for_each_entry(copy, copies, node)
		if (file_inode(copy->memory) == file_inode(memory))
			return copy;
	return NULL;
}

/* Tells whether another process has the file mapped. */
static bool is_shared(struct file *file)
{
	struct address_space *mapping = file->f_mapping;
	struct vm_area_struct *area;
	struct rb_node *node;
	bool shared = false;

	i_mmap_lock_read(mapping);
	for (node = rb_first_cached(&mapping->i_mmap); node && !shared; node = rb_next(node)) {
		area = rb_entry(node, struct vm_area_struct, shared.rb);
		shared = area->vm_mm != current->mm;
	}
	i_mmap_unlock_read(mapping);
	return shared;
}

/* Takes over the reference to @memory. */
static void add_copy(struct list_head *copies, struct file *memory, size_t *budget)
{
	struct memory_copy *copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	size_t own_budget = min(*budget, COPY_MAX), left = own_budget;

	if (!copy)
		goto put;
	copy->memory = memory;
	copy->copy = tacet_snapshot_make(memory, &left);
	*budget -= own_budget - left;
	if (!IS_ERR(copy->copy)) {
		list_add_tail(&copy->node, copies);
		return;
	}
	kfree(copy);
put:
	fput(memory);
}

void tacet_mapping_copy_shared(struct list_head *copies)
{
	size_t budget = COPIES_MAX;
	unsigned long address = 0;
	struct file *file;

	while ((file = tacet_mapping_next_file(&address, tacet_mapping_is_stored_through))) {
		if (tacet_mark_is_memory(file_inode(file)) && !tacet_mark_is_on(file) && !find_copy(copies, file) &&
		    is_shared(file))
			add_copy(copies, file, &budget);
		else
			fput(file);
	}
}

void tacet_mapping_forget_copies(struct list_head *copies)
{
	struct memory_copy *copy, *next;

	list_for_each_entry_safe(copy, next, copies, node) {
		list_del(&copy->node);
		fput(copy->memory);
		fput(copy->copy);
		kfree(copy);
	}
}

static bool replace_one(const struct mapping *mapping, const struct list_head *copies)
{
	struct memory_copy *copy = mapping->file && copies ? find_copy(copies, mapping->file) : NULL;
	unsigned long flags = MAP_PRIVATE | MAP_FIXED, result;
	struct file *file = mapping->file;

	if (copy)
		file = get_file(copy->copy);
	else if (file && tacet_mark_is_on(file))
		file = tacet_shadow_open(file);
	else if (file && S_ISREG(file_inode(file)->i_mode))
		get_file(file);
	else
		file = NULL;
	if (IS_ERR(file))
		return false;
	if (!file)
		flags |= MAP_ANONYMOUS;
	result = vm_mmap(file, mapping->start, mapping->length, mapping->protection, flags, file ? mapping->offset : 0);
	if (file)
		fput(file);
	return result == mapping->start;
}

bool tacet_mapping_is_labelled(const struct vm_area_struct *area)
{
	return area->vm_file && tacet_mark_is_on(area->vm_file);
}

bool tacet_mapping_is_stored_through(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_SHARED && area->vm_flags & VM_MAYWRITE;
}

struct file *tacet_mapping_next_file(unsigned long *address, bool (*fits)(const struct vm_area_struct *area))
{
	struct vm_area_struct *area;
	struct file *file = NULL;
	VMA_ITERATOR(iterator, current->mm, *address);

	mmap_read_lock(current->mm);
	for_each_vma(iterator, area) {
		if (area->vm_file && fits(area)) {
			file = get_file(area->vm_file);
			*address = area->vm_end;
			break;
		}
	}
	mmap_read_unlock(current->mm);
	return file;
}

bool tacet_mapping_replace(bool (*gives_way)(const struct vm_area_struct *area), const struct list_head *copies)
{
	struct mapping *mappings = kvcalloc(MAPPINGS_MAX, sizeof(*mappings), GFP_KERNEL);
	int count, i;
	bool done;

	if (!mappings)
		return false;
	count = find_mappings(mappings, gives_way);
	done = count >= 0;
	for (i = 0; i < count; i++) {
		done = done && replace_one(&mappings[i], copies);
		if (mappings[i].file)
			fput(mappings[i].file);
	}
	kvfree(mappings);
	return done;
}
