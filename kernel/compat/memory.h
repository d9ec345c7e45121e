/* SPDX-License-Identifier: GPL-2.0-only */
/* Flags that were plain numbers once: those of areas of memory, and those of inodes. And entries of page tables without a page. */
#ifndef _TACET_COMPAT_MEMORY_H
#define _TACET_COMPAT_MEMORY_H

#include <linux/fs.h>
#include <linux/mm.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#include <linux/swapops.h>
#else
#include <linux/leafops.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define TACET_NOT_RESERVED VM_NORESERVE
#define softleaf_is_marker is_pte_marker_entry
#define tacet_inode_state(inode) READ_ONCE((inode)->i_state)
#else
#define TACET_NOT_RESERVED mk_vma_flags(VMA_NORESERVE_BIT)
#define tacet_inode_state(inode) inode_state_read_once((struct inode *)(inode))
#endif

#endif
