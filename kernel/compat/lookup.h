/* SPDX-License-Identifier: GPL-2.0-only */
/* The lookup of sockets. 6.18 dropped the argument for the table of TCP sockets. */
#ifndef _TACET_COMPAT_LOOKUP_H
#define _TACET_COMPAT_LOOKUP_H

#include <linux/version.h>

struct sock;

/* The function is exported, but 7.0 moved its declaration out of the public headers. */
struct sock *unix_peer_get(struct sock *sock);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define TACET_TCP_TABLE_ARGUMENT(net)
#else
#define TACET_TCP_TABLE_ARGUMENT(net) (net)->ipv4.tcp_death_row.hashinfo,
#endif

#define tacet_lookup_established(net, saddr, sport, daddr, dport) \
	__inet_lookup_established(net, TACET_TCP_TABLE_ARGUMENT(net) saddr, sport, daddr, dport, 0, 0)
#define tacet_lookup_established6(net, saddr, sport, daddr, dport) \
	__inet6_lookup_established(net, TACET_TCP_TABLE_ARGUMENT(net) saddr, sport, daddr, dport, 0, 0)
/* The caller holds the RCU lock, and gets no reference. */
#define tacet_lookup_listener(net, saddr, sport, daddr, dport, device) \
	__inet_lookup_listener(net, TACET_TCP_TABLE_ARGUMENT(net) NULL, 0, saddr, sport, daddr, dport, device, 0)
#define tacet_lookup_listener6(net, saddr, sport, daddr, dport, device) \
	inet6_lookup_listener(net, TACET_TCP_TABLE_ARGUMENT(net) NULL, 0, saddr, sport, daddr, dport, device, 0)

#endif
