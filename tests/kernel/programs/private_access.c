// SPDX-License-Identifier: GPL-2.0-only
/* Every way to look into another process or to join its namespaces. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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
};

int access_try(int pid)
{
	unsigned int i;

	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		printf("%s=%s ", attempts[i].name, attempts[i].attempt(pid) ? strerrorname_np(errno) : "done");
	putchar('\n');
	return 0;
}
