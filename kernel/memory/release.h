/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears what is given back to the kernel without being freed to its allocator, or was allocated by somebody else. */
#ifndef _TACET_MEMORY_RELEASE_H
#define _TACET_MEMORY_RELEASE_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct pipe_inode_info;
struct task_struct;

/*
 * Between these calls what the table at the end of release.c names is cleared or marked. @concerns tells whether what is freed here may be an owner's whose layer
 * is on, @reads whether the current task has an owner, and kernel buffers are on, and @leaves_stack whether a thread that has
 * ended may have had one, and stacks are on. @passed_message is called when an owner's message went into a pipe. They work in
 * any context. Starting returns 0 or -errno. The caller serialises them. They sleep.
 */
int tacet_release_clear_start(bool (*concerns)(enum tacet_memory_layer layer), bool (*reads)(void),
			      bool (*leaves_stack)(struct task_struct *task), void (*passed_message)(void));
void tacet_release_clear_stop(void);

/* An owner has this pipe. Its pages are cleared after they were read, whoever reads them. Works in any context. */
void tacet_release_note_pipe(const struct pipe_inode_info *pipe);
/* Tells whether there is still such a pipe, or there may be a message of a queue or an attribute that an owner has made. */
bool tacet_release_any_left(void);

/* Returns 0 or -errno. What this kernel does not have is left out. */
int tacet_release_clear_init(void);
void tacet_release_clear_exit(void);

#endif
