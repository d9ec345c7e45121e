/* SPDX-License-Identifier: GPL-2.0-only */
/* Pseudo-terminals: who has the other end shows it to the person, or sends it to another host. */
#ifndef _TACET_SINK_TERMINAL_H
#define _TACET_SINK_TERMINAL_H

#include <linux/types.h>

struct file;
struct tty_struct;

/* The terminal whose master end @file is; NULL: it is none. Atomic. */
struct tty_struct *tacet_terminal_of_master(struct file *file);
/* The master end of what @file, a slave end, is written to; NULL: it is none. Valid as long as @file. Atomic. */
struct tty_struct *tacet_terminal_master(struct file *file);
/*
 * Tells whether a process that reads the master end of the terminal @file has a connection to another host, as sshd
 * has, or writes to such a terminal itself, as tmux may. The answer may be a second old.
 */
bool tacet_terminal_leads_out(struct file *file);

#endif
