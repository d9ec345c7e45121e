// SPDX-License-Identifier: GPL-2.0-only
/*
 * With MADV_FREE a program gives memory up, and the kernel takes it only when memory is short. It may take it at once as well: the
 * program must not rely on the content until it writes again.
 */
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/userfaultfd_k.h>

#include "memory/advice.h"

/* Others would lose more by MADV_DONTNEED, or the kernel would refuse MADV_FREE, or a process would be told. */
static bool is_plain(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	VMA_ITERATOR(areas, mm, start);
	struct vm_area_struct *area;

	mmap_assert_locked(mm);
	for_each_vma_range(areas, area, end) {
		if (!vma_is_anonymous(area) || userfaultfd_armed(area))
			return false;
	}
	return true;
}

int tacet_advice_of_owner(struct mm_struct *mm, unsigned long start, size_t size, int advice)
{
	unsigned long end = start + PAGE_ALIGN(size);
	bool plain;

	/* What is no range the kernel refuses. */
	if (advice != MADV_FREE || end < start || mmap_read_lock_killable(mm))
		return advice;
	plain = is_plain(mm, start, end);
	mmap_read_unlock(mm);
	return plain ? MADV_DONTNEED : advice;
}
