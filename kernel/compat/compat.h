/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that differs between kernels. Kbuild includes this header into every file. The other folders are
 * written for the newest kernel.
 */
#ifndef _TACET_COMPAT_H
#define _TACET_COMPAT_H

#ifndef pr_fmt
#define pr_fmt(format) KBUILD_MODNAME ": " format
#endif

#include <linux/version.h>

#include "clearing.h"
#include "interposition.h"

#endif
