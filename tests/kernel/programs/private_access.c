// SPDX-License-Identifier: GPL-2.0-only
/* Every way to look into another process, to join its namespaces, or to talk to it by its sockets. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "private.h"

static int attach(int pid)
{
	int result = ptrace(PTRACE_SEIZE, pid, NULL, NULL);

	if (!result)
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return result;
}

static int open_entry(int pid, const char *entry, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, entry);
	fd = open(path, flags);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

static int memory(int pid)
{
	return open_entry(pid, "mem", O_RDWR);
}

static int environment(int pid)
{
	return open_entry(pid, "environ", O_RDONLY);
}

static int root(int pid)
{
	return open_entry(pid, "root", O_PATH);
}

/* The other runs this program, too, so that it has the same variables at the same places. */
static int read_memory(int pid)
{
	static char place, copy;
	struct iovec remote = { &place, 1 }, local = { &copy, 1 };

	return process_vm_readv(pid, &local, 1, &remote, 1, 0) == 1 ? 0 : -1;
}

static int write_memory(int pid)
{
	static char place, copy;
	struct iovec remote = { &place, 1 }, local = { &copy, 1 };

	return process_vm_writev(pid, &local, 1, &remote, 1, 0) == 1 ? 0 : -1;
}

static int steal_descriptor(int pid)
{
	int handle = syscall(SYS_pidfd_open, pid, 0), result, error;

	result = syscall(SYS_pidfd_getfd, handle, 0, 0);
	error = errno;
	close(handle);
	errno = error;
	return result < 0 ? -1 : 0;
}

/* In a child: it cannot be undone. */
static int enter(int pid)
{
	int status, handle, child = fork();

	if (!child) {
		handle = syscall(SYS_pidfd_open, pid, 0);
		_exit(setns(handle, CLONE_NEWUSER) ? errno : 0);
	}
	waitpid(child, &status, 0);
	errno = WEXITSTATUS(status);
	return errno ? -1 : 0;
}

/* The abstract address at which the idle process @pid has a socket of @type. Returns its length. */
static socklen_t address_of(int pid, int type, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	return offsetof(struct sockaddr_un, sun_path) + 1 +
	       snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "idle-%d-%d", pid, type);
}

int access_idle(void)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM };
	struct sockaddr_un address;
	unsigned int i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		int fd = socket(AF_UNIX, types[i], 0);

		if (bind(fd, (void *)&address, address_of(getpid(), types[i], &address)) ||
		    (types[i] == SOCK_STREAM && listen(fd, 100)))
			return 1;
	}
	for (;;)
		pause();
}

static int connect_to(int pid)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), result, error;
	struct sockaddr_un address;

	result = connect(fd, (void *)&address, address_of(pid, SOCK_STREAM, &address));
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static int send_to(int pid)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0), result, error;
	struct sockaddr_un address;

	result = sendto(fd, "x", 1, 0, (void *)&address, address_of(pid, SOCK_DGRAM, &address));
	error = errno;
	close(fd);
	errno = error;
	return result == 1 ? 0 : -1;
}

static const struct {
	const char *name;
	int (*attempt)(int pid);
} attempts[] = {
	{ "ptrace", attach },
	{ "mem", memory },
	{ "environ", environment },
	{ "root", root },
	{ "vm-readv", read_memory },
	{ "vm-writev", write_memory },
	{ "pidfd-getfd", steal_descriptor },
	{ "setns", enter },
	{ "unix-connect", connect_to },
	{ "unix-send", send_to },
};

int access_try(int pid)
{
	unsigned int i;

	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		printf("%s=%s ", attempts[i].name, attempts[i].attempt(pid) ? strerrorname_np(errno) : "done");
	putchar('\n');
	return 0;
}
