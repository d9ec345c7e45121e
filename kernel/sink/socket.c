// SPDX-License-Identifier: GPL-2.0-only
/* Classifies sockets as sinks by where the data goes: this machine, or another. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/inet.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/socket.h>
#include <linux/tcp.h>
#include <net/addrconf.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/sock.h>

#include "sink/receiver.h"
#include "sink/sink.h"
#include "sink/socket.h"

/* The shortest struct sockaddr_in6 that the kernel accepts lacks the last field. */
#define SOCKADDR_IN6_MIN offsetofend(struct sockaddr_in6, sin6_addr)

static void fill_peer4(struct tacet_peer *peer, __be32 address, __be16 port)
{
	peer->family = AF_INET;
	memset(peer->address, 0, sizeof(peer->address));
	memcpy(peer->address, &address, sizeof(address));
	peer->port = ntohs(port);
}

/* A mapped IPv4 address is shown, and remembered, as an IPv4 address. */
static void fill_peer6(struct tacet_peer *peer, const struct in6_addr *address, __be16 port)
{
	if (ipv6_addr_v4mapped(address)) {
		fill_peer4(peer, address->s6_addr32[3], port);
		return;
	}
	peer->family = AF_INET6;
	memcpy(peer->address, address, sizeof(peer->address));
	peer->port = ntohs(port);
}

/* Returns false if a socket of @sk's family does not take @address for its destination. */
static bool fill_destination(const struct sock *sk, const struct sockaddr *address, int length, struct tacet_peer *peer)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;

	if (length < (int)sizeof(address->sa_family))
		return false;
	switch (address->sa_family) {
	case AF_UNSPEC:
		/* udp_sendmsg() takes this for AF_INET, and udpv6_sendmsg() for no address at all. */
		if (sk->sk_family != AF_INET)
			return false;
		fallthrough;
	case AF_INET:
		if (length < (int)sizeof(*in))
			return false;
		fill_peer4(peer, in->sin_addr.s_addr, in->sin_port);
		return true;
	case AF_INET6:
		if (length < (int)SOCKADDR_IN6_MIN || sk->sk_family != AF_INET6)
			return false;
		fill_peer6(peer, &in6->sin6_addr, in6->sin6_port);
		return true;
	default:
		return false;
	}
}

static bool fill_connected(const struct sock *sk, struct tacet_peer *peer)
{
	/*
	 * A raw or ping socket has no port, and the port of a client tells nothing. A socket without an
	 * address is not connected.
	 */
	__be16 port = tacet_receiver_came_in(sk) ? 0 : inet_sk(sk)->inet_dport;

	if (sk->sk_family == AF_INET6) {
		if (ipv6_addr_any(&sk->sk_v6_daddr))
			return false;
		fill_peer6(peer, &sk->sk_v6_daddr, port);
		return true;
	}
	if (!inet_sk(sk)->inet_daddr)
		return false;
	fill_peer4(peer, inet_sk(sk)->inet_daddr, port);
	return true;
}

/* A stream's data goes to the peer of its connection, whatever address is given with the data. */
static bool fill_inet(const struct sock *sk, const struct sockaddr *address, int length, struct tacet_peer *peer)
{
	bool connected = sk->sk_type == SOCK_STREAM && READ_ONCE(sk->sk_state) != TCP_CLOSE;

	if (!connected && address && fill_destination(sk, address, length, peer))
		return true;
	return fill_connected(sk, peer);
}

/* Tells whether this is an address of this network namespace. The unspecified address means the loopback address. */
static bool address_local(struct net *net, const struct tacet_peer *peer)
{
	struct in6_addr in6;
	__be32 in;

	if (peer->family == AF_INET) {
		memcpy(&in, peer->address, sizeof(in));
		return !in || ipv4_is_loopback(in) || inet_addr_type(net, in) == RTN_LOCAL;
	}
	memcpy(&in6, peer->address, sizeof(in6));
	return ipv6_addr_any(&in6) || ipv6_addr_loopback(&in6) || ipv6_chk_addr(net, &in6, NULL, 0);
}

static enum tacet_sink_class classify_inet(const struct sock *sk, const struct sockaddr *address, int length,
					   struct tacet_peer *peer)
{
	bool known;

	peer->family = sk->sk_family;
	peer->protocol = sk->sk_protocol == IPPROTO_MPTCP ? IPPROTO_TCP : sk->sk_protocol;
	known = fill_inet(sk, address, length, peer);
	if (sk->sk_type == SOCK_RAW) {
		peer->sink = TACET_SINK_OTHER;
		return TACET_SINK_OUTSIDE;
	}
	/*
	 * An SCTP peer has many addresses, and only one of them is looked at. The socket that reads a
	 * multipath connection cannot be found.
	 */
	if (known && sk->sk_protocol != IPPROTO_SCTP && sk->sk_protocol != IPPROTO_MPTCP &&
	    address_local(sock_net(sk), peer))
		return TACET_SINK_CHANNEL;
	peer->sink = TACET_SINK_NETWORK;
	return TACET_SINK_OUTSIDE;
}

enum tacet_sink_class tacet_sink_classify_socket(struct socket *socket, const struct sockaddr *address,
						 int address_length, struct tacet_peer *peer)
{
	const struct sock *sk = socket->sk;

	if (sk) {
		switch (sk->sk_family) {
		case AF_UNIX:
			return tacet_sink_service(socket, address, address_length) ? TACET_SINK_EXEMPT :
										     TACET_SINK_CHANNEL;
		case AF_INET:
		case AF_INET6:
			return classify_inet(sk, address, address_length, peer);
		case AF_NETLINK:
			/*
			 * The kernel is at the other end of all netlink sockets but NETLINK_USERSOCK,
			 * which is for processes.
			 */
			if (sk->sk_protocol != NETLINK_USERSOCK)
				return TACET_SINK_EXEMPT;
			break;
		case AF_ALG:
			/* The kernel gives the data back, in the same form or in another. */
			return TACET_SINK_KERNEL;
		}
		peer->family = sk->sk_family;
		peer->protocol = sk->sk_protocol;
	}
	peer->sink = TACET_SINK_OTHER;
	return TACET_SINK_OUTSIDE;
}
