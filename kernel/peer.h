/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket on this machine that receives what another one sends. */
#ifndef _TACET_PEER_H
#define _TACET_PEER_H

struct sock;

/* A reference to the connected peer of a UNIX or loopback socket; NULL: not found. */
struct sock *tacet_peer_get(struct sock *sock);

#endif
