/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket on this machine that receives what another one sends. */
#ifndef _TACET_SINK_RECEIVER_H
#define _TACET_SINK_RECEIVER_H

#include <linux/types.h>

struct sock;

/* A reference to the connected peer of a UNIX or loopback socket; NULL: not found. */
struct sock *tacet_receiver_get(struct sock *sock);

/* @listener is where a connection like @sock comes in: whoever holds it may accept @sock. Atomic. */
bool tacet_receiver_accepts(const struct sock *listener, const struct sock *sock);

/* The connection @sock came in at a port where somebody still listens: the peer's port tells nothing of who it is. */
bool tacet_receiver_came_in(const struct sock *sock);

#endif
