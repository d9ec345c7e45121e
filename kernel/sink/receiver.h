/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket on this machine that receives the data of another one. */
#ifndef _TACET_SINK_RECEIVER_H
#define _TACET_SINK_RECEIVER_H

#include <linux/types.h>

struct sock;

/* Returns a reference to the connected peer of a UNIX or loopback socket, or NULL if none is found. */
struct sock *tacet_receiver_get(struct sock *sock);

/* Tells whether a connection like @sock comes in at @listener, so that its holder may accept @sock. Atomic. */
bool tacet_receiver_accepts(const struct sock *listener, const struct sock *sock);

/*
 * Tells whether the connection @sock came in at a port where somebody still listens. Then the peer's
 * port does not tell which service it is.
 */
bool tacet_receiver_came_in(const struct sock *sock);

#endif
