/* SPDX-License-Identifier: GPL-2.0-only */
/* Pseudo-terminals. The holder of the other end shows the data to the person, or sends it to another host. */
#ifndef _TACET_SINK_TERMINAL_H
#define _TACET_SINK_TERMINAL_H

#include <linux/types.h>

struct file;
struct tty_struct;

/* Returns the terminal whose master end @file is, or NULL. Atomic. */
struct tty_struct *tacet_terminal_of_master(struct file *file);
/* Returns the master end of the terminal whose slave end @file is, or NULL. It is valid as long as @file. Atomic. */
struct tty_struct *tacet_terminal_master(struct file *file);
/*
 * Tells whether a process that reads the master end of the terminal @file leads out. A window on the screen
 * does not, as the person looks at it, unless it has a connection to another host. sshd, tmux, script and sudo
 * are no windows. The answer may be a second old.
 */
bool tacet_terminal_leads_out(struct file *file);

#endif
