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
#define tacet_pte_is_moving(pte) (is_swap_pte(pte) && is_migration_entry(pte_to_swp_entry(pte)))
#define tacet_pmd_is_moving is_pmd_migration_entry
#define tacet_inode_state(inode) READ_ONCE((inode)->i_state)
#else
#define TACET_NOT_RESERVED mk_vma_flags(VMA_NORESERVE_BIT)
#define tacet_pte_is_moving(pte) softleaf_is_migration(softleaf_from_pte(pte))
#define tacet_pmd_is_moving pmd_is_migration_entry
#define tacet_inode_state(inode) inode_state_read_once((struct inode *)(inode))
#endif

#endif
