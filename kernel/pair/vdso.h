/* SPDX-License-Identifier: GPL-2.0-only */
/* The current process's vDSO. */
#ifndef _TACET_PAIR_VDSO_H
#define _TACET_PAIR_VDSO_H

/* Makes the functions of the vDSO real system calls. Returns 0 or -errno. */
int tacet_vdso_patch(void);

#endif
