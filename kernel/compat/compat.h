/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that differs between kernels. Force-included into every file (Kbuild);
 * the core files are written for the newest kernel.
 */
#ifndef _TACET_COMPAT_H
#define _TACET_COMPAT_H

#include <linux/version.h>

#endif
