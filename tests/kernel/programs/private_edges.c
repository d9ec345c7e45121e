// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's own ways out of a session: sockets of every family, however they are asked for, those of others, and crashes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/seccomp.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "private.h"

#define FAMILIES 46
#define SOCKETCALL_32 102
#define SYS_SOCKET_32 1

static void report(const char *way, int family, int protocol, int result)
{
	printf(" %s-%d-%d=%s", way, family, protocol, result >= 0 ? "done" : strerrorname_np(-result));
}

static int by_call(int family, int type, int protocol)
{
	int fd = socket(family, type, protocol);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int by_pair(int family, int type, int protocol)
{
	int ends[2];

	if (socketpair(family, type, protocol, ends))
		return -errno;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

/* The call of 32-bit programs takes its arguments from memory. */
static int by_old_call(int family, int type, int protocol)
{
	uint32_t *arguments = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	int result;

	if (arguments == MAP_FAILED)
		return -errno;
	arguments[0] = family;
	arguments[1] = type;
	arguments[2] = protocol;
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(SOCKETCALL_32), "b"(SYS_SOCKET_32), "c"((uint32_t)(uintptr_t)arguments)
			 : "memory");
	munmap(arguments, 4096);
	return result;
}

/* The request may run in a thread of the kernel's (IOSQE_ASYNC). */
static int by_ring(int family, int type, int protocol)
{
	struct io_uring_params parameters = { 0 };
	int ring = syscall(SYS_io_uring_setup, 1, &parameters), result = -1;
	struct io_uring_sqe *request;
	struct io_uring_cqe *answer;
	unsigned char *area;

	if (ring < 0)
		return -errno;
	area = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	request = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	if (area == MAP_FAILED || request == MAP_FAILED)
		return -errno;
	*request = (struct io_uring_sqe){
		.opcode = IORING_OP_SOCKET,
		.flags = IOSQE_ASYNC,
		.fd = family,
		.off = type,
		.len = protocol,
	};
	*(unsigned int *)(area + parameters.sq_off.array) = 0;
	__atomic_store_n((unsigned int *)(area + parameters.sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1) {
		answer = (void *)(area + parameters.cq_off.cqes);
		result = answer->res;
	}
	munmap(area, 4096);
	munmap(request, 4096);
	close(ring);
	return result;
}

int edges_sockets(void)
{
	for (int family = 1; family < FAMILIES; family++) {
		int type = family == AF_PACKET || family == AF_NETLINK || family == AF_CAN ? SOCK_RAW :
			   family == AF_ALG						   ? SOCK_SEQPACKET :
											     SOCK_STREAM;

		report("call", family, 0, by_call(family, type, 0));
		report("old-call", family, 0, by_old_call(family, type, 0));
		report("ring", family, 0, by_ring(family, type, 0));
	}
	report("pair", AF_UNIX, 0, by_pair(AF_UNIX, SOCK_STREAM, 0));
	report("pair", AF_TIPC, 0, by_pair(AF_TIPC, SOCK_STREAM, 0));
	for (int protocol = 0; protocol < MAX_LINKS; protocol++)
		report("call", AF_NETLINK, protocol, by_call(AF_NETLINK, SOCK_RAW, protocol));
	printf("\n");
	return 0;
}

static void told_by_signal(int number)
{
	static const char text[] = "dnotify\n";

	(void)number;
	(void)!write(STDOUT_FILENO, text, sizeof(text) - 1);
}

int edges_watch(const char *folder)
{
	struct pollfd queues[] = { { inotify_init1(0), POLLIN, 0 },
				   { fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, 0), POLLIN, 0 } };
	static const char *const names[] = { "inotify\n", "fanotify\n" };
	char buffer[4096];

	signal(SIGIO, told_by_signal);
	if (inotify_add_watch(queues[0].fd, folder, IN_ALL_EVENTS) < 0 ||
	    fanotify_mark(queues[1].fd, FAN_MARK_ADD, FAN_OPEN | FAN_EVENT_ON_CHILD, AT_FDCWD, folder) ||
	    fcntl(open(folder, O_RDONLY), F_NOTIFY, DN_ACCESS | DN_MODIFY | DN_MULTISHOT))
		return 1;
	write(STDOUT_FILENO, "watching\n", 9);
	for (;;)
		for (int i = 0; poll(queues, 2, -1) > 0 && i < 2; i++)
			if (queues[i].revents && read(queues[i].fd, buffer, sizeof(buffer)) > 0)
				(void)!write(STDOUT_FILENO, names[i], strlen(names[i]));
}

/* Makes the kernel log what the program does wrong: with its name in a line, and at the beginning of one. */
static void complain(void)
{
	const int far_shift = FUTEX_OP((FUTEX_OP_SET | FUTEX_OP_OPARG_SHIFT), 40, FUTEX_OP_CMP_EQ, 0);
	int word = 0;

	syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &word, far_shift);
	if (!fork())
		__asm__ volatile("xor %%rsp, %%rsp; mov %0, %%eax; syscall"
				 :
				 : "i"(SYS_rt_sigreturn)
				 : "rax", "memory");
	wait(NULL);
}

int edges_filtered(void)
{
	complain();
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	syscall(SYS_getpid);
	return 0;
}

static struct sockaddr_un address_of(const char *path, const char *kind)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	/* Without a kind, there is no file: the name begins with a zero. */
	snprintf(address.sun_path + !kind, sizeof(address.sun_path) - 1, "%s%s", path, kind ?: "");
	return address;
}

static int bound(int type, const char *path, const char *kind)
{
	struct sockaddr_un address = address_of(path, kind);
	int fd = socket(AF_UNIX, type, 0);

	if (bind(fd, (void *)&address, sizeof(address)) || (type != SOCK_DGRAM && listen(fd, 9)))
		return -1;
	if (kind)
		chmod(address.sun_path, 0666);
	return fd;
}

int edges_listen(const char *path)
{
	struct pollfd sockets[] = {
		{ bound(SOCK_STREAM, path, ".stream"), POLLIN, 0 },
		{ bound(SOCK_SEQPACKET, path, NULL), POLLIN, 0 },
		{ bound(SOCK_DGRAM, path, ".datagram"), POLLIN, 0 },
	};
	char text[64];

	printf("listening\n");
	while (poll(sockets, 3, -1) > 0)
		for (int i = 0; i < 3; i++) {
			int from = sockets[i].revents & POLLIN ? sockets[i].fd : -1;
			ssize_t size;

			if (i < 2 && from >= 0)
				from = accept(from, NULL, NULL);
			if (from < 0)
				continue;
			size = read(from, text, sizeof(text));
			printf("%.*s\n", (int)MAX(size, 0), text);
			if (i < 2)
				close(from);
		}
	return 1;
}

static int listed_in_proc(const char *text)
{
	FILE *list = fopen("/proc/net/unix", "r");
	char line[512];
	int count = 0;

	while (list && fgets(line, sizeof(line), list))
		count += strstr(line, text) != NULL;
	return list && !fclose(list) ? count : -1;
}

static bool has_name(struct nlmsghdr *answer, const char *text)
{
	const struct unix_diag_msg *found = NLMSG_DATA(answer);
	struct rtattr *part = (void *)(found + 1);
	int left = answer->nlmsg_len - NLMSG_LENGTH(sizeof(*found));

	for (; RTA_OK(part, left); part = RTA_NEXT(part, left))
		if (part->rta_type == UNIX_DIAG_NAME && memmem(RTA_DATA(part), RTA_PAYLOAD(part), text, strlen(text)))
			return true;
	return false;
}

static int listed_by_diag(const char *text)
{
	struct {
		struct nlmsghdr header;
		struct unix_diag_req request;
	} ask = { { sizeof(ask), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 0, 0 },
		  { .sdiag_family = AF_UNIX, .udiag_states = -1, .udiag_show = UDIAG_SHOW_NAME } };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG), count = 0;
	static char buffer[1 << 16] __attribute__((aligned(8)));
	ssize_t size;

	if (send(fd, &ask, sizeof(ask), 0) != sizeof(ask))
		return -1;
	while ((size = recv(fd, buffer, sizeof(buffer), 0)) > 0)
		for (struct nlmsghdr *answer = (void *)buffer; NLMSG_OK(answer, size);
		     answer = NLMSG_NEXT(answer, size)) {
			if (answer->nlmsg_type == NLMSG_DONE)
				return count;
			if (answer->nlmsg_type != SOCK_DIAG_BY_FAMILY)
				return -1;
			count += has_name(answer, text);
		}
	return -1;
}

int edges_listed(const char *text)
{
	printf("%d %d\n", listed_in_proc(text), listed_by_diag(text));
	return 0;
}

static void try_to_connect(const char *name, int type, const char *path, const char *kind)
{
	struct sockaddr_un address = address_of(path, kind);
	int fd = socket(AF_UNIX, type, 0);
	int result = connect(fd, (void *)&address, sizeof(address)) || send(fd, name, strlen(name), 0) < 0;

	printf(" %s=%s", name, result ? strerrorname_np(errno) : "done");
	close(fd);
}

static void try_to_send(const char *name, int fd, const struct sockaddr_un *address)
{
	ssize_t sent = sendto(fd, name, strlen(name), 0, (void *)address, address ? sizeof(*address) : 0);

	printf(" %s=%s", name, sent < 0 ? strerrorname_np(errno) : "done");
}

int edges_reach(const char *path, const char *cgroup)
{
	struct sockaddr_un datagram = address_of(path, ".datagram");
	int connected = socket(AF_UNIX, SOCK_DGRAM, 0), group;
	char procs[256];

	snprintf(procs, sizeof(procs), "%s/cgroup.procs", cgroup);
	group = open(procs, O_WRONLY);
	/* From outside this fails where the socket is a session's. */
	connect(connected, (void *)&datagram, sizeof(datagram));
	if (write(group, "0", 1) != 1)
		return 1;
	try_to_connect("stream", SOCK_STREAM, path, ".stream");
	try_to_connect("abstract", SOCK_SEQPACKET, path, NULL);
	try_to_connect("datagram", SOCK_DGRAM, path, ".datagram");
	try_to_send("unconnected", socket(AF_UNIX, SOCK_DGRAM, 0), &datagram);
	try_to_send("before", connected, NULL);
	printf("\n");
	return 0;
}

/* Undoes what keeps a core from being written, as any program may, and dies by its own fault. */
int edges_crash(void)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_CORE, &all);
	prctl(PR_SET_DUMPABLE, 1);
	signal(SIGSEGV, SIG_DFL);
	*(volatile int *)8 = 0;
	return 0;
}
