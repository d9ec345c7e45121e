// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's own ways out of a session: sockets of every family, however they are asked for, and crashes. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
