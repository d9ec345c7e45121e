// SPDX-License-Identifier: GPL-2.0-only
/*
 * What data goes to, without the engine, through /dev/tacet-parts of
 * tacet_parts.ko. Runs as root, on any file system with trusted attributes.
 * usage: test_sinks [DIRECTORY]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "parts_test.h"

enum {
	EXEMPT,
	LABELLED,
	CHANNEL,
	OUTSIDE,
	KERNEL
};

static struct parts_sink classify_to(int fd, const void *address, unsigned int length)
{
	struct parts_sink request = { .fd = fd, .address_length = length };

	if (length)
		memcpy(request.address, address, length);
	if (ioctl(parts, PARTS_SINK, &request))
		tap_bail("PARTS_SINK");
	return request;
}

static void expect_sink(int fd, unsigned int class, unsigned int sink, const char *name)
{
	struct parts_sink got;

	if (fd < 0) {
		tap_skip(name, strerror(errno));
		return;
	}
	got = classify_to(fd, NULL, 0);
	if (!tap_ok(got.class == class && got.sink == sink, "sink: %s", name))
		printf("# class %u sink %u, wanted %u %u\n", got.class, got.sink, class, sink);
	close(fd);
}

static void test_sink_files(void)
{
	int pipes[2], pair[2];
	sigset_t none;
	char path[64];

	sigemptyset(&none);
	expect_sink(make_file("sink", ""), LABELLED, 0, "a regular file");
	remove_file("sink");
	expect_sink(memfd_create("sink", 0), LABELLED, 0, "a memfd");
	expect_sink(open("/dev/shm/sink", O_RDWR | O_CREAT, 0600), LABELLED, 0, "shared memory");
	unlink("/dev/shm/sink");
	expect_sink(open("/proc/self/comm", O_RDWR), KERNEL, 0, "/proc/self/comm");
	expect_sink(open("/proc/self/mem", O_RDWR), KERNEL, 0, "/proc/self/mem");
	snprintf(path, sizeof(path), "/proc/%d/mem", getppid());
	expect_sink(open(path, O_RDWR), OUTSIDE, TACET_SINK_OTHER, "another process's memory");
	expect_sink(open("/sys/class/net/lo/mtu", O_RDWR), KERNEL, 0, "sysfs");
	expect_sink(open("/sys/fs/cgroup/cgroup.procs", O_RDWR), KERNEL, 0, "cgroup");
	expect_sink(open("/sys/kernel/tracing/trace_marker", O_WRONLY), KERNEL, 0, "tracefs");
	if (pipe(pipes))
		tap_bail("pipe");
	expect_sink(pipes[1], CHANNEL, 0, "a pipe");
	close(pipes[0]);
	mkfifo("/tmp/fifo", 0600);
	expect_sink(open("/tmp/fifo", O_RDWR), CHANNEL, 0, "a FIFO");
	unlink("/tmp/fifo");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		tap_bail("socketpair");
	expect_sink(pair[0], CHANNEL, 0, "a socket pair");
	close(pair[1]);
	expect_sink(eventfd(0, 0), KERNEL, 0, "eventfd");
	expect_sink(timerfd_create(CLOCK_MONOTONIC, 0), KERNEL, 0, "timerfd");
	expect_sink(signalfd(-1, &none, 0), KERNEL, 0, "signalfd");
	expect_sink(epoll_create1(0), KERNEL, 0, "epoll");
	expect_sink(inotify_init(), KERNEL, 0, "inotify");
	expect_sink(open("/dev/null", O_WRONLY), EXEMPT, 0, "/dev/null");
	expect_sink(open("/dev/full", O_WRONLY), EXEMPT, 0, "/dev/full");
	expect_sink(open("/dev/urandom", O_WRONLY), EXEMPT, 0, "/dev/urandom");
	expect_sink(open("/dev/ptmx", O_RDWR | O_NOCTTY), EXEMPT, 0, "a pseudo-terminal");
	expect_sink(open("/dev/ttyS3", O_RDWR | O_NONBLOCK | O_NOCTTY), OUTSIDE, TACET_SINK_DEVICE, "a serial line");
	expect_sink(open("/dev/vda", O_RDWR), OUTSIDE, TACET_SINK_DEVICE, "a disk");
	expect_sink(open("/dev/mem", O_RDWR), OUTSIDE, TACET_SINK_DEVICE, "/dev/mem");
	expect_sink(open(TACET_DEVICE, O_WRONLY), EXEMPT, 0, "/dev/tacet");
	expect_sink(syscall(SYS_mq_open, "queue", O_RDWR | O_CREAT, 0600, NULL), OUTSIDE, TACET_SINK_OTHER,
		    "a message queue");
	syscall(SYS_mq_unlink, "queue");
}

/* An empty FAT12 file system of 2880 sectors. */
static void make_fat(const char *path)
{
	static const unsigned char boot[] = {
		0xeb, 0x3c, 0x90, 'T', 'A', 'C', 'E', 'T', ' ', ' ', ' ', 0, 2, 1, 1, 0, 2, 224, 0, 0x40, 0x0b, 0xf0, 9, 0,
		18, 0, 2, 0,
	}, table[] = { 0xf0, 0xff, 0xff }, mark[] = { 0x55, 0xaa };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, 2880 * 512) || pwrite(fd, boot, sizeof(boot), 0) < 0 ||
	    pwrite(fd, mark, 2, 510) < 0 || pwrite(fd, table, 3, 512) < 0 || pwrite(fd, table, 3, 10 * 512) < 0)
		tap_bail(path);
	close(fd);
}

static void test_sink_mounts(void)
{
	int fd;

	make_fat("/tmp/fat.image");
	if (system("mkdir -p /tmp/fat && modprobe -a loop vfat nls_cp437 nls_ascii && "
		   "mount -t vfat -o loop,iocharset=ascii /tmp/fat.image /tmp/fat")) {
		tap_skip("FAT", "no vfat here");
	} else {
		fd = open("/tmp/fat/file", O_RDWR | O_CREAT, 0600);
		tap_errno(set_label(fd, 5, -1), EOPNOTSUPP, "FAT keeps no label");
		tap_errno(derive(fd, 5), EOPNOTSUPP, "nor a derived one");
		expect_sink(fd, OUTSIDE, TACET_SINK_FILE, "a file on FAT");
		umount("/tmp/fat");
	}
	if (system("modprobe overlay && mkdir -p /mnt/l /mnt/u /mnt/w /tmp/o && echo below >/mnt/l/below && "
		   "mount -t overlay overlay -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w /tmp/o")) {
		tap_skip("overlay", "no overlay here");
		return;
	}
	fd = open("/tmp/o/below", O_RDONLY);
	reads(0);
	tap_equal(set_label(fd, 5, -1), 0, "label a file below an overlay");
	pread(fd, &(char[4]){}, 4, 0);
	tap_equal(reads(0), 1, "it triggers");
	tap_equal(label_of(fd).label.categories[0], 5, "its label");
	close(fd);
	fd = open("/tmp/o/below", O_RDWR);
	tap_equal(derive(fd, 6), 0, "derive there");
	tap_equal(label_of(fd).label.count, 2, "both categories");
	tap_ok(!shadow_read(fd, (char[6]){}, 5, 0), "scrubbed read");
	set_label(fd, 0, -1);
	expect_sink(fd, LABELLED, 0, "a file on an overlay");
	umount("/tmp/o");
}

static void expect_peer(int fd, const char *address, int port, unsigned int class, const char *name)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct parts_sink got;

	if (inet_pton(AF_INET, address, &in.sin_addr) == 1)
		got = classify_to(fd, &in, sizeof(in));
	else if (inet_pton(AF_INET6, address, &in6.sin6_addr) == 1)
		got = classify_to(fd, &in6, sizeof(in6));
	else
		got = classify_to(fd, NULL, 0);
	if (!tap_ok(got.class == class && (class != OUTSIDE || got.sink == TACET_SINK_NETWORK) &&
			    (class != OUTSIDE || !port || got.port == port),
		    "sink: %s", name))
		printf("# class %u sink %u family %u port %u\n", got.class, got.sink, got.family, got.port);
}

static void test_sink_network(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(7), .sin_addr.s_addr = htonl(0xc0000201) };
	int udp = socket(AF_INET, SOCK_DGRAM, 0), udp6 = socket(AF_INET6, SOCK_DGRAM, 0), tcp, server, client, accepted;
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(local);
	struct parts_sink got;

	if (system("ip link add outside type dummy && echo 0 >/proc/sys/net/ipv6/conf/outside/accept_dad && "
		   "ip address add 10.1.2.3/24 dev outside && ip -6 address add fd00::3/64 dev outside && "
		   "ip link set outside up && ip route add 192.0.2.0/24 dev outside && modprobe -a vsock af_alg"))
		tap_bail("a network device");
	/* An IPv6 address is tentative at first. */
	usleep(500000);
	expect_peer(udp, "192.0.2.1", 53, OUTSIDE, "UDP to another host");
	expect_peer(udp, "127.0.0.1", 53, CHANNEL, "to the loopback address");
	expect_peer(udp, "127.9.9.9", 53, CHANNEL, "to another one");
	expect_peer(udp, "0.0.0.0", 53, CHANNEL, "to the unspecified address");
	expect_peer(udp, "10.1.2.3", 53, CHANNEL, "to an own address");
	expect_peer(udp, "10.1.2.4", 53, OUTSIDE, "to a neighbour");
	expect_peer(udp, "10.1.2.255", 53, OUTSIDE, "to all");
	expect_peer(udp, "224.0.0.1", 53, OUTSIDE, "to a group");
	expect_peer(udp, "", 0, OUTSIDE, "without an address");
	expect_peer(udp6, "2001:db8::1", 53, OUTSIDE, "UDP to another host, IPv6");
	expect_peer(udp6, "::1", 53, CHANNEL, "to the loopback address, IPv6");
	expect_peer(udp6, "::", 53, CHANNEL, "to the unspecified address, IPv6");
	expect_peer(udp6, "fd00::3", 53, CHANNEL, "to an own address, IPv6");
	expect_peer(udp6, "fd00::4", 53, OUTSIDE, "to a neighbour, IPv6");
	expect_peer(udp6, "::ffff:127.0.0.1", 53, CHANNEL, "to the mapped loopback address");
	expect_peer(udp6, "::ffff:192.0.2.1", 53, OUTSIDE, "to another host, mapped");
	expect_peer(udp6, "192.0.2.1", 53, OUTSIDE, "IPv4 address on an IPv6 socket");

	got = classify_to(udp, &in, sizeof(in));
	tap_ok(got.family == AF_INET && got.protocol == IPPROTO_UDP && got.port == 7 &&
		       !memcmp(got.peer, &in.sin_addr, 4) && !got.peer[4],
	       "the peer of a datagram");
	in.sin_family = AF_UNSPEC;
	got = classify_to(udp, &in, sizeof(in));
	tap_ok(got.class == OUTSIDE && got.port == 7 && !memcmp(got.peer, &in.sin_addr, 4), "AF_UNSPEC is AF_INET to a "
											    "datagram");
	in.sin_family = AF_INET;
	got = classify_to(udp, &in, 4);
	tap_ok(got.class == OUTSIDE && !got.port, "a short address is unknown");
	tap_equal(connect(udp, (struct sockaddr *)&in, sizeof(in)), 0, "connect");
	expect_peer(udp, "", 7, OUTSIDE, "a connected datagram socket");
	expect_peer(udp, "127.0.0.1", 7, CHANNEL, "its explicit destination counts");

	server = socket(AF_INET, SOCK_STREAM, 0);
	client = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(server, (struct sockaddr *)&local, sizeof(local)) || listen(server, 1) ||
	    getsockname(server, (struct sockaddr *)&local, &length) ||
	    connect(client, (struct sockaddr *)&local, length))
		tap_bail("connect");
	accepted = accept(server, NULL, NULL);
	expect_peer(client, "", 0, CHANNEL, "TCP to this host");
	expect_peer(client, "192.0.2.1", 7, CHANNEL, "whatever address is given with it");
	expect_peer(accepted, "", 0, CHANNEL, "the other end");
	tap_ok(classify_to(client, NULL, 0).flow != classify_to(accepted, NULL, 0).flow, "two flows");
	tap_ok(classify_to(client, NULL, 0).flow == classify_to(client, NULL, 0).flow, "each the same again");
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	expect_peer(tcp, "192.0.2.1", 80, OUTSIDE, "TCP, about to connect");
	expect_peer(tcp, "127.0.0.1", 80, CHANNEL, "to this host");
	fcntl(tcp, F_SETFL, O_NONBLOCK);
	in.sin_addr.s_addr = htonl(0x0a010204);
	connect(tcp, (struct sockaddr *)&in, sizeof(in));
	expect_peer(tcp, "", 7, OUTSIDE, "TCP, connecting to a neighbour");
	close(tcp), close(client), close(accepted), close(server), close(udp), close(udp6);

	expect_sink(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), EXEMPT, 0, "netlink");
	expect_sink(socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK), OUTSIDE, TACET_SINK_OTHER,
		    "netlink between processes");
	expect_sink(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), OUTSIDE, TACET_SINK_OTHER, "a raw socket");
	expect_sink(socket(AF_PACKET, SOCK_DGRAM, 0), OUTSIDE, TACET_SINK_OTHER, "a packet socket");
	expect_sink(socket(AF_VSOCK, SOCK_STREAM, 0), OUTSIDE, TACET_SINK_OTHER, "vsock");
	expect_sink(socket(AF_ALG, SOCK_SEQPACKET, 0), KERNEL, 0, "crypto");
	if (system("ip link del outside"))
		tap_bail("ip link del");
}

/* A process in a network of its own, which connects to port 9 of this one for each byte into @go[1]; its end removes both. */
static pid_t client_elsewhere(int go[2])
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0x0a090001) };
	char command[128];
	int apart[2];
	pid_t client;

	if (pipe(apart) || pipe(go))
		tap_bail("pipe");
	client = fork();
	if (!client) {
		close(go[1]);
		if (unshare(CLONE_NEWNET) || write(apart[1], "", 1) != 1 || read(go[0], command, 1) != 1 ||
		    system("ip address add 10.9.0.2/24 dev veth0 && ip link set veth0 up"))
			_exit(1);
		while (read(go[0], command, 1) == 1)
			connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&in, sizeof(in));
		_exit(0);
	}
	snprintf(command, sizeof(command),
		 "ip link add outside type veth && ip link set veth0 netns %d && "
		 "ip address add 10.9.0.1/24 dev outside && ip link set outside up",
		 client);
	if (read(apart[0], &(char){}, 1) != 1 || system(command) || write(go[1], "", 1) != 1)
		tap_bail("a second network");
	close(apart[0]), close(apart[1]), close(go[0]);
	return client;
}

/* Who connects to a server has a port that is another each time: it is left out, else nothing that a person says holds. */
static void test_sink_client(void)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(9) };
	int go[2], accepted[2], i, status;
	pid_t client = client_elsewhere(go);
	int server = socket(AF_INET6, SOCK_STREAM, 0);
	struct parts_sink got;

	if (bind(server, (struct sockaddr *)&any, sizeof(any)) || listen(server, 4) || write(go[1], "12", 2) != 2)
		tap_bail("a server");
	for (i = 0; i < 2; i++) {
		accepted[i] = accept(server, NULL, NULL);
		got = classify_to(accepted[i], NULL, 0);
		tap_ok(got.class == OUTSIDE && got.family == AF_INET &&
			       !memcmp(got.peer, (unsigned char[]){ 10, 9, 0, 2 }, 4) && !got.port,
		       "sink: a client, by its address");
	}
	tap_ok(classify_to(accepted[0], NULL, 0).flow != classify_to(accepted[1], NULL, 0).flow, "two flows");
	close(server);
	tap_ok(classify_to(accepted[0], NULL, 0).port, "with the port when nobody listens any more");
	close(go[1]);
	tap_ok(waitpid(client, &status, 0) == client && !status, "the client");
	close(accepted[0]), close(accepted[1]);
}

/* A connection to a server at @path ('@' first: abstract); the file belongs to @owner. */
static void expect_service(const char *path, int owner, unsigned int class, const char *name)
{
	int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0), accepted;
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1;
	struct parts_sink got, back;

	strcpy(un.sun_path, path);
	if (path[0] == '@') {
		un.sun_path[0] = 0;
		length--;
	} else {
		unlink(path);
	}
	if (bind(server, (struct sockaddr *)&un, length) || (path[0] != '@' && chown(path, owner, owner)) ||
	    listen(server, 1) || connect(client, (struct sockaddr *)&un, length))
		tap_bail(path);
	accepted = accept(server, NULL, NULL);
	got = classify_to(client, NULL, 0);
	back = classify_to(accepted, NULL, 0);
	if (!tap_ok(got.class == class && back.class == class, "service: %s %s", path, name))
		printf("# %s: class %u and back %u, wanted %u\n", path, got.class, back.class, class);
	close(server), close(client), close(accepted);
	if (path[0] != '@')
		unlink(path);
}

/* Each address of docs/user/services.md. @user: whoever uses it may own it too. @whole: longer names are others. */
static const struct {
	const char *path;
	bool user, whole;
} services[] = {
	{ "/tmp/.X11-unix/X0", true, false },
	{ "/run/user/1000/wayland-0", true, false },
	{ "/run/user/1000/pulse/native", true, true },
	{ "/run/user/1000/pipewire-0", true, false },
	{ "/run/user/1000/bus", true, true },
	{ "/run/user/1000/at-spi/bus", true, false },
	{ "/tmp/dbus-x", true, false },
	{ "/run/dbus/system_bus_socket", false, true },
	{ "/var/run/dbus/system_bus_socket", false, true },
	{ "/dev/log", false, true },
	{ "/run/systemd/journal/stdout", false, false },
	{ "/run/systemd/notify", false, true },
	{ "/run/user/1000/systemd/notify", true, true },
};

/* Addresses that only look so, or that belong to services which pass on what they are told. */
static const char *const followed[] = {
	"/tmp/other",
	"@other",
	"/run/user/1001/bus",
	"/run/user/10000/bus",
	"/tmp/run/user/1000/bus",
	"/run/user/1000/other",
	"/run/systemd/resolve/io.systemd.Resolve",
	"/run/nscd/socket",
	"/run/cups/cups.sock",
	"/run/user/1000/gnupg/S.gpg-agent",
	"/run/user/1000/ssh-agent",
	"/run/user/1000/gvfsd/socket",
	"/run/postgresql/.s.PGSQL.5432",
};

static void test_service_addresses(void)
{
	char longer[64];
	unsigned int i;

	if (system("mkdir -p /tmp/.X11-unix /run/dbus /var/run/dbus /run/systemd/journal /run/systemd/resolve "
		   "/run/nscd "
		   "/run/cups /run/postgresql /run/user/1001 /run/user/10000 /tmp/run/user/1000 "
		   "/run/user/1000/pulse /run/user/1000/at-spi /run/user/1000/systemd /run/user/1000/gnupg "
		   "/run/user/1000/gvfsd") ||
	    setresuid(1000, 0, 0))
		tap_bail("a person who uses services");
	for (i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
		expect_service(services[i].path, 0, EXEMPT, "of root");
		expect_service(services[i].path, 1000, services[i].user ? EXEMPT : CHANNEL, "of the person");
		expect_service(services[i].path, 1001, CHANNEL, "of another user");
		snprintf(longer, sizeof(longer), "%s-or-so", services[i].path);
		expect_service(longer, 0, services[i].whole ? CHANNEL : EXEMPT, "with a longer name");
	}
	for (i = 0; i < sizeof(followed) / sizeof(followed[0]); i++)
		expect_service(followed[i], 0, CHANNEL, "is followed");
	if (setresuid(0, 0, 0))
		tap_bail("root");
	expect_service("@/tmp/.X11-unix/X0", 0, EXEMPT, "as an abstract name");
}

static void test_services(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/systemd/journal/socket" };
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(un.sun_path) + 1;
	int server, client, accepted;

	test_service_addresses();
	server = socket(AF_UNIX, SOCK_DGRAM, 0);
	client = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (bind(server, (struct sockaddr *)&un, length))
		tap_bail(un.sun_path);
	tap_equal(classify_to(client, &un, length).class, EXEMPT, "service: a datagram to the journal");
	tap_equal(classify_to(client, &un, length - 1).class, EXEMPT, "service: without its NUL");
	tap_equal(classify_to(client, NULL, 0).class, CHANNEL, "service: no destination");
	if (chown(un.sun_path, 1000, 1000))
		tap_bail("chown");
	tap_equal(classify_to(client, &un, length).class, CHANNEL, "service: to a journal that is not root's");
	close(server);
	unlink(un.sun_path);
	tap_equal(classify_to(client, &un, length).class, CHANNEL, "service: to nobody");
	close(client);

	/* A client that gives itself the name of a service. */
	server = socket(AF_UNIX, SOCK_STREAM, 0);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	strcpy(un.sun_path, "/tmp/other");
	length = offsetof(struct sockaddr_un, sun_path) + strlen(un.sun_path) + 1;
	unlink(un.sun_path);
	if (bind(server, (struct sockaddr *)&un, length) || listen(server, 1))
		tap_bail("bind");
	{
		struct sockaddr_un own = { .sun_family = AF_UNIX, .sun_path = "\0/tmp/.X11-unix/X9" };

		if (bind(client, (struct sockaddr *)&own, offsetof(struct sockaddr_un, sun_path) + 18) ||
		    connect(client, (struct sockaddr *)&un, length))
			tap_bail("connect");
	}
	accepted = accept(server, NULL, NULL);
	tap_equal(classify_to(client, NULL, 0).class, CHANNEL, "service: a client does not name itself");
	close(server), close(client), close(accepted);
	unlink("/tmp/other");
}

int main(int count, char **arguments)
{
	begin(count, arguments);
	test_sink_files();
	test_sink_mounts();
	test_sink_network();
	test_sink_client();
	test_services();
	return tap_end();
}
