/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of sink.h that is about sockets. */
#ifndef _TACET_SINK_SOCKET_H
#define _TACET_SINK_SOCKET_H

#include "sink/sink.h"

struct sockaddr;
struct socket;

enum tacet_sink_class tacet_sink_classify_socket(struct socket *socket, const struct sockaddr *address,
						 int address_length, struct tacet_peer *peer);

/* Tells whether the other end of a UNIX socket is one of the services that need not be followed. */
bool tacet_sink_service(struct socket *socket, const struct sockaddr *address, int address_length);
/* Tells whether the socket is a program's connection to the display. Atomic. */
bool tacet_sink_is_display(struct socket *socket);

#endif
