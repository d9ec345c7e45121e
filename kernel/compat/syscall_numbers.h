/* SPDX-License-Identifier: GPL-2.0-only */
/* System calls that are younger than the oldest supported kernel (6.12). */
#ifndef _TACET_SYSCALL_NUMBERS_H
#define _TACET_SYSCALL_NUMBERS_H

#include <linux/unistd.h>

#ifndef __NR_uprobe
#define __NR_uprobe 336
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat 463
#endif
#ifndef __NR_getxattrat
#define __NR_getxattrat 464
#endif
#ifndef __NR_listxattrat
#define __NR_listxattrat 465
#endif
#ifndef __NR_removexattrat
#define __NR_removexattrat 466
#endif
#ifndef __NR_open_tree_attr
#define __NR_open_tree_attr 467
#endif
#ifndef __NR_file_getattr
#define __NR_file_getattr 468
#endif
#ifndef __NR_file_setattr
#define __NR_file_setattr 469
#endif
#ifndef __NR_listns
#define __NR_listns 470
#endif
#ifndef __NR_rseq_slice_yield
#define __NR_rseq_slice_yield 471
#endif

#endif
