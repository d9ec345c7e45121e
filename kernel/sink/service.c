// SPDX-License-Identifier: GPL-2.0-only
/*
 * The services that a program may talk to without being followed. They are the display, sound and buses
 * of the person's own session, and the system's journal.
 */
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/namei.h>
#include <linux/net.h>
#include <linux/path.h>
#include <linux/string.h>
#include <linux/un.h>
#include <net/af_unix.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "sink/socket.h"

/**
 * struct service - a well-known address
 * @prefix: the beginning of the address; after "/run/user/UID/" with @session
 * @whole: the address ends there
 * @session: the address is in the person's runtime directory
 * @user: the user who talks to it may serve it, not only root
 * @shares: programs share memory with it, for pictures and sound
 * @shows: its clients are the windows on the screen
 * @bus: it carries messages of D-Bus
 */
struct service {
	const char *prefix;
	bool whole;
	bool session;
	bool user;
	bool shares;
	bool shows;
	bool bus;
};

static const struct service services[] = {
	/* The display, which may also have an abstract address. */
	{ "/tmp/.X11-unix/X", .user = true, .shares = true, .shows = true },
	{ "wayland-", .session = true, .user = true, .shares = true, .shows = true },
	/* Sound and screen casts. */
	{ "pulse/native", .whole = true, .session = true, .user = true, .shares = true },
	{ "pipewire-", .session = true, .user = true, .shares = true },
	/* Buses. A question about a service's use of a message belongs to that service, not to the sender. */
	{ "bus", .whole = true, .session = true, .user = true, .bus = true },
	{ "at-spi/bus", .session = true, .user = true, .bus = true },
	{ "/tmp/dbus-", .user = true, .bus = true },
	{ "/run/dbus/system_bus_socket", .whole = true, .bus = true },
	{ "/var/run/dbus/system_bus_socket", .whole = true, .bus = true },
	/* systemd itself, which is spoken to as on a bus. Whoever follows it follows all that it starts. */
	{ "systemd/private", .whole = true, .session = true, .user = true, .bus = true },
	{ "/run/systemd/private", .whole = true, .bus = true },
	/* The log of this machine. */
	{ "/dev/log", .whole = true },
	{ "/run/systemd/journal/" },
	/* Readiness and status texts for the service manager. */
	{ "/run/systemd/notify", .whole = true },
	{ "systemd/notify", .whole = true, .session = true, .user = true },
};

/*
 * Returns the part of the path after "/run/user/UID/", where UID is the current user's. Returns NULL
 * for any other path.
 */
static const char *session_part(const char *path)
{
	char directory[sizeof("/run/user/4294967295/")];
	int length;

	length = scnprintf(directory, sizeof(directory), "/run/user/%u/", from_kuid(&init_user_ns, current_uid()));
	return strncmp(path, directory, length) ? NULL : path + length;
}

/* Returns the service, or NULL. @path ends with NUL. @owner made the socket that listens there. */
static const struct service *find_service(const char *path, kuid_t owner)
{
	const char *session = session_part(path), *name;
	const struct service *service;

	for (service = services; service < services + ARRAY_SIZE(services); service++) {
		name = service->session ? session : path;
		if (!name || strncmp(name, service->prefix, strlen(service->prefix)))
			continue;
		if (service->whole && name[strlen(service->prefix)])
			continue;
		if (uid_eq(owner, GLOBAL_ROOT_UID) || (service->user && uid_eq(owner, current_uid())))
			return service;
	}
	return NULL;
}

/*
 * Returns the user behind a bound address. That is the owner of the socket's inode where it has one, as
 * a process can bind any name in its own mount namespace.
 */
static kuid_t bound_owner(struct sock *bound, const struct cred *listener)
{
	kuid_t owner = listener ? listener->euid : READ_ONCE(bound->sk_uid);

	/* A socket that is closed puts its path under this lock. */
	unix_state_lock(bound);
	if (unix_sk(bound)->path.dentry)
		owner = d_inode(unix_sk(bound)->path.dentry)->i_uid;
	unix_state_unlock(bound);
	return owner;
}

/*
 * Returns false if @bound has no address. @ret_service is the service whose address it is, or NULL. An
 * address stays once it is set.
 */
static bool bound_service(struct sock *bound, const struct cred *listener, const struct service **ret_service)
{
	const struct unix_address *address = smp_load_acquire(&unix_sk(bound)->addr);
	char path[UNIX_PATH_MAX + 1];
	int length;

	*ret_service = NULL;
	if (!address)
		return false;
	length = address->len - offsetof(struct sockaddr_un, sun_path);
	if (length <= 0)
		return false;
	memcpy(path, address->name->sun_path, min(length, UNIX_PATH_MAX));
	path[min(length, UNIX_PATH_MAX)] = 0;
	/* An abstract name has no path, and its first byte is zero. */
	*ret_service = find_service(path[0] ? path : path + 1, bound_owner(bound, listener));
	return true;
}

/* The socket's own address counts only if the peer has none. That is the case at a server's end of a connection. */
static const struct service *connected_service(struct sock *sk, struct sock *peer)
{
	const struct service *service;
	const struct cred *listener;

	spin_lock(&sk->sk_peer_lock);
	listener = sk->sk_peer_cred ? get_cred(sk->sk_peer_cred) : NULL;
	spin_unlock(&sk->sk_peer_lock);
	if (!bound_service(peer, listener, &service))
		bound_service(sk, NULL, &service);
	put_cred(listener);
	return service;
}

/*
 * Judges the explicit destination of a datagram by the file that the name leads to for the current
 * task, which makes the call. Anybody could own an abstract name.
 */
static bool named_service(const struct sockaddr_un *address, int length)
{
	char path[UNIX_PATH_MAX + 1], resolved[128], *name;
	struct path found;
	bool service;

	length -= offsetof(struct sockaddr_un, sun_path);
	if (length <= 0 || length > UNIX_PATH_MAX || !address->sun_path[0])
		return false;
	memcpy(path, address->sun_path, length);
	path[length] = 0;
	if (kern_path(path, LOOKUP_FOLLOW, &found))
		return false;
	name = d_path(&found, resolved, sizeof(resolved));
	service = !IS_ERR(name) && S_ISSOCK(d_inode(found.dentry)->i_mode) &&
		  find_service(name, d_inode(found.dentry)->i_uid);
	path_put(&found);
	return service;
}

/* Returns a reference, or NULL. */
static struct sock *get_peer(struct sock *sk)
{
	struct sock *peer;

	unix_state_lock(sk);
	peer = unix_peer(sk);
	if (peer)
		sock_hold(peer);
	unix_state_unlock(sk);
	return peer;
}

bool tacet_sink_service(struct socket *socket, const struct sockaddr *address, int address_length)
{
	struct sock *sk = socket->sk, *peer;
	bool service;

	if (address && sk->sk_type == SOCK_DGRAM)
		return named_service((const struct sockaddr_un *)address, address_length);
	peer = get_peer(sk);
	if (!peer)
		return address && named_service((const struct sockaddr_un *)address, address_length);
	service = connected_service(sk, peer);
	sock_put(peer);
	return service;
}

/* Returns the service to which the UNIX socket is connected, or NULL. */
static const struct service *service_of(struct socket *socket)
{
	struct sock *peer = socket->sk && socket->sk->sk_family == AF_UNIX ? get_peer(socket->sk) : NULL;
	const struct service *service = NULL;

	if (peer) {
		service = connected_service(socket->sk, peer);
		sock_put(peer);
	}
	return service;
}

bool tacet_sink_is_display(struct socket *socket)
{
	const struct service *service = service_of(socket);

	return service && service->shows;
}

bool tacet_sink_is_bus(struct file *file)
{
	struct socket *socket = sock_from_file(file);
	const struct service *service = socket ? service_of(socket) : NULL;

	return service && service->bus;
}

static int visit_listener(const void *unused, struct file *file, unsigned int fd)
{
	struct socket *socket = sock_from_file(file);
	const struct service *service;

	if (!socket || !socket->sk || socket->sk->sk_family != AF_UNIX || socket->sk->sk_state != TCP_LISTEN)
		return 0;
	return bound_service(socket->sk, NULL, &service) && service && service->shares;
}

bool tacet_sink_serves_desktop(struct task_struct *process)
{
	bool serves;

	task_lock(process);
	serves = process->files && iterate_fd(process->files, 0, visit_listener, NULL);
	task_unlock(process);
	return serves;
}
