// SPDX-License-Identifier: GPL-2.0-only
/* The socket on this machine that receives the data of another one. */
#include <linux/net.h>
#include <net/af_unix.h>
#include <net/inet6_hashtables.h>
#include <net/inet_hashtables.h>
#include <net/inet_sock.h>
#include <net/mptcp.h>
#include <net/tcp.h>
#include <net/udp.h>

#include "compat/lookup.h"
#include "sink/receiver.h"

static struct sock *inet_peer(struct sock *sock)
{
	const struct inet_sock *inet = inet_sk(sock);

	if (sock->sk_protocol == IPPROTO_TCP)
		return tacet_lookup_established(sock_net(sock), inet->inet_saddr, inet->inet_sport, inet->inet_daddr,
						ntohs(inet->inet_dport));
	if (sock->sk_protocol == IPPROTO_UDP && inet->inet_dport)
		return udp4_lib_lookup(sock_net(sock), inet->inet_saddr, inet->inet_sport, inet->inet_daddr,
				       inet->inet_dport, 0);
	return NULL;
}

static struct sock *inet6_peer(struct sock *sock)
{
	const struct inet_sock *inet = inet_sk(sock);

	if (ipv6_addr_v4mapped(&sock->sk_v6_daddr))
		return inet_peer(sock);
	if (sock->sk_protocol == IPPROTO_TCP)
		return tacet_lookup_established6(sock_net(sock), &sock->sk_v6_rcv_saddr, inet->inet_sport,
						 &sock->sk_v6_daddr, ntohs(inet->inet_dport));
	return NULL;
}

struct sock *tacet_receiver_get(struct sock *sock)
{
	struct sock *peer;

	switch (sock->sk_family) {
	case AF_UNIX:
		return unix_peer_get(sock);
	case AF_INET:
		peer = inet_peer(sock);
		break;
	case AF_INET6:
		peer = inet6_peer(sock);
		break;
	default:
		return NULL;
	}
	/*
	 * Nobody reads from a connection request, or from a connection that has ended. A multipath
	 * connection is read from another socket.
	 */
	if (peer && (!sk_fullsock(peer) || (sk_is_tcp(peer) && sk_is_mptcp(peer)))) {
		sock_gen_put(peer);
		return NULL;
	}
	return peer;
}

bool tacet_receiver_accepts(const struct sock *listener, const struct sock *sock)
{
	if (listener->sk_state != TCP_LISTEN)
		return false;
	if (sock->sk_family == AF_UNIX)
		return listener->sk_family == AF_UNIX && unix_sk(listener)->addr == unix_sk(sock)->addr;
	return listener->sk_family != AF_UNIX && listener->sk_protocol == sock->sk_protocol &&
	       listener->sk_num == sock->sk_num;
}

bool tacet_receiver_came_in(const struct sock *sock)
{
	const struct inet_sock *inet = inet_sk(sock);
	struct net *net = sock_net(sock);
	struct sock *listener;

	if (sock->sk_protocol != IPPROTO_TCP)
		return false;
	rcu_read_lock();
	if (sock->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sock->sk_v6_daddr))
		listener = tacet_lookup_listener6(net, &sock->sk_v6_daddr, inet->inet_dport, &sock->sk_v6_rcv_saddr,
						  sock->sk_num, sock->sk_bound_dev_if);
	else
		listener = tacet_lookup_listener(net, inet->inet_daddr, inet->inet_dport, inet->inet_rcv_saddr,
						 sock->sk_num, sock->sk_bound_dev_if);
	rcu_read_unlock();
	return listener;
}
