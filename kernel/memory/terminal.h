/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears what has gone through a terminal that lives on. */
#ifndef _TACET_MEMORY_TERMINAL_H
#define _TACET_MEMORY_TERMINAL_H

struct tty_struct;

/*
 * An owner reads what was typed, or writes: the buffers of both ends of the terminal are cleared in a moment, apart from what
 * still waits there. The caller has the terminal open. Works in a process, also in atomic context.
 */
void tacet_terminal_clear_soon(struct tty_struct *terminal);
/* Clears what is due. Nobody calls the other any more. Sleeps. */
void tacet_terminal_clear_stop(void);

/* Finds where the buffers are. It says in the log if they cannot be found, and only a part is cleared then. Sleeps. */
void tacet_terminal_init(void);

#endif
