/* SPDX-License-Identifier: GPL-2.0-only */
/* Sinks: written data may stay under the module's control, leave it, or go to an exempt service. */
#ifndef _TACET_SINK_H
#define _TACET_SINK_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct file;
struct file_operations;
struct sockaddr;
struct task_struct;

enum tacet_sink_class {
	TACET_SINK_EXEMPT,   /* own terminal, display, sound, bus, journal, /dev/null */
	TACET_SINK_LABELLED, /* a regular file on a file system with extended attributes, which gets the label */
	/* A pipe, FIFO, UNIX or loopback socket, or the terminal of a remote login. The label follows the data. */
	TACET_SINK_CHANNEL,
	TACET_SINK_OUTSIDE, /* a question if the outputs differ */
	TACET_SINK_KERNEL,  /* state that the kernel gives back; a difference ends the comparison */
};

/* The peer of an outside sink, in the form of struct tacet_question. */
struct tacet_peer {
	u32 sink; /* enum tacet_sink */
	u16 family;
	u16 protocol;
	u8 address[16];
	u16 port;
};

/*
 * Classifies @file as a sink for the current task. @address is the explicit destination of sendto,
 * sendmsg or connect, in kernel memory, and may be NULL. Fills @peer for TACET_SINK_OUTSIDE. An unknown
 * sink is outside.
 */
enum tacet_sink_class tacet_sink_classify(struct file *file, const struct sockaddr *address, int address_length,
					  struct tacet_peer *peer);

/*
 * Tells whether @process is the display or the sound of the current user, or root's. It has a socket on which
 * programs reach it. Works in atomic context, but takes task_lock().
 */
bool tacet_sink_serves_desktop(struct task_struct *process);

/* Tells whether @file is a connection to a bus of D-Bus. */
bool tacet_sink_is_bus(struct file *file);

/* /dev/tacet has these operations, and writing to it is exempt. This is called before any task is under the hook. */
void tacet_sink_set_own_device(const struct file_operations *operations);

/* Returns one number for each flow of TACET_SCOPE_FLOW: the socket's cookie, or the inode's hash. */
u64 tacet_sink_flow(struct file *file);

#endif
