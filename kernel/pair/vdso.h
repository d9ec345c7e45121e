/* SPDX-License-Identifier: GPL-2.0-only */
/* The current process's vDSO. */
#ifndef _TACET_PAIR_VDSO_H
#define _TACET_PAIR_VDSO_H

/* Makes its functions real system calls. 0 or -errno. */
int tacet_vdso_patch(void);

#endif
