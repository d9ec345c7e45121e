/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls with an argument that tells which data they read and write. */
#ifndef _TACET_ENGINE_BY_ARGUMENT_H
#define _TACET_ENGINE_BY_ARGUMENT_H

struct tacet_call_ops;

/* FICLONE and FICLONERANGE move data like TRANSFER calls. */
extern const struct tacet_call_ops tacet_by_argument_ioctl_ops;
extern const struct tacet_call_ops tacet_by_argument_fcntl_ops;
extern const struct tacet_call_ops tacet_by_argument_prctl_ops;

#endif
