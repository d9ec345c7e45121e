// SPDX-License-Identifier: GPL-2.0-only
/* Replaces mappings of the current process by private ones without labelled data. */
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>

#include "label/mark.h"
#include "label/shadow.h"
#include "pair/mapping.h"

#define MAPPINGS_MAX 1024

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

static bool replace_one(const struct mapping *mapping)
{
	struct file *file = mapping->file;
	unsigned long flags = MAP_PRIVATE | MAP_FIXED, result;

	if (file && tacet_mark_is_on(file))
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

bool tacet_mapping_replace(bool (*gives_way)(const struct vm_area_struct *area))
{
	struct mapping *mappings = kvcalloc(MAPPINGS_MAX, sizeof(*mappings), GFP_KERNEL);
	int count, i;
	bool done;

	if (!mappings)
		return false;
	count = find_mappings(mappings, gives_way);
	done = count >= 0;
	for (i = 0; i < count; i++) {
		done = done && replace_one(&mappings[i]);
		if (mappings[i].file)
			fput(mappings[i].file);
	}
	kvfree(mappings);
	return done;
}
