/* SPDX-License-Identifier: GPL-2.0-only */
/* How sockets are looked up. 6.18 dropped the table argument for established TCP sockets. */
#ifndef _TACET_COMPAT_LOOKUP_H
#define _TACET_COMPAT_LOOKUP_H

#include <linux/version.h>

struct sock;

/* Exported, but 7.0 moved the declaration out of the public headers. */
struct sock *unix_peer_get(struct sock *sock);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define tacet_lookup_established(net, saddr, sport, daddr, dport) \
	__inet_lookup_established(net, saddr, sport, daddr, dport, 0, 0)
#define tacet_lookup_established6(net, saddr, sport, daddr, dport) \
	__inet6_lookup_established(net, saddr, sport, daddr, dport, 0, 0)
#else
#define tacet_lookup_established(net, saddr, sport, daddr, dport)                                   \
	__inet_lookup_established(net, (net)->ipv4.tcp_death_row.hashinfo, saddr, sport, daddr,     \
				  dport, 0, 0)
#define tacet_lookup_established6(net, saddr, sport, daddr, dport)                                  \
	__inet6_lookup_established(net, (net)->ipv4.tcp_death_row.hashinfo, saddr, sport, daddr,    \
				   dport, 0, 0)
#endif

#endif
