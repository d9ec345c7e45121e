// SPDX-License-Identifier: GPL-2.0-only
/* A process that has never read the file gets at the memory of one that has, or shares some with it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "way.h"

/* At the same address in both. */
static char data[WAY_SIZE];
static int told[2], ended[2];

static void tell(int *ends)
{
	WAY_MUST(write(ends[1], "x", 1) == 1);
}

static void await(int *ends)
{
	char byte;

	WAY_MUST(read(ends[0], &byte, 1) == 1);
}

/* Reads, says so, and stays until it may end. */
static pid_t start_reader(const char *path)
{
	pid_t pid;

	WAY_MUST(!pipe(told) && !pipe(ended));
	pid = fork();
	if (!pid) {
		way_read(path, data);
		tell(told);
		await(ended);
		_exit(0);
	}
	await(told);
	return pid;
}

static void end_reader(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void process_vm(const char *path)
{
	pid_t pid = start_reader(path);
	static char copy[WAY_SIZE];
	struct iovec from = { data, 64 }, to = { copy, 64 };

	WAY_MUST(process_vm_readv(pid, &to, 1, &from, 1, 0) == 64);
	end_reader(pid);
	way_send(copy, 64);
}

static void send_mem(int fd)
{
	static char copy[64];

	WAY_MUST(pread(fd, copy, sizeof(copy), (off_t)data) == sizeof(copy));
	way_send(copy, sizeof(copy));
}

static int open_mem(pid_t pid)
{
	char path[32];

	sprintf(path, "/proc/%d/mem", pid);
	return open(path, O_RDONLY);
}

static void proc_mem(const char *path)
{
	pid_t pid = start_reader(path);

	send_mem(open_mem(pid));
	end_reader(pid);
}

static void proc_mem_early(const char *path)
{
	pid_t pid;
	int fd;

	WAY_MUST(!pipe(told) && !pipe(ended));
	pid = fork();
	if (!pid) {
		await(ended);
		way_read(path, data);
		tell(told);
		pause();
	}
	fd = open_mem(pid);
	tell(ended);
	await(told);
	send_mem(fd);
	end_reader(pid);
}

static void peek(pid_t pid)
{
	long copy[8];

	for (size_t i = 0; i < 8; i++) {
		errno = 0;
		copy[i] = ptrace(PTRACE_PEEKDATA, pid, data + i * sizeof(long), NULL);
		WAY_MUST(!errno);
	}
	way_send(copy, sizeof(copy));
}

static void traced(const char *path)
{
	pid_t pid = start_reader(path);

	WAY_MUST(!ptrace(PTRACE_ATTACH, pid, NULL, NULL) && waitpid(pid, NULL, 0) == pid);
	peek(pid);
	end_reader(pid);
}

static void traced_from_birth(const char *path)
{
	pid_t pid = fork();

	if (!pid) {
		WAY_MUST(!ptrace(PTRACE_TRACEME, 0, NULL, NULL) && !raise(SIGSTOP));
		way_read(path, data);
		raise(SIGSTOP);
		_exit(0);
	}
	WAY_MUST(waitpid(pid, NULL, 0) == pid && !ptrace(PTRACE_CONT, pid, NULL, NULL));
	WAY_MUST(waitpid(pid, NULL, 0) == pid);
	peek(pid);
	end_reader(pid);
}

/* Stores of the one, loads of the other: no call says more than that it is time. */
static void through(char *page, const char *path)
{
	pid_t pid;

	WAY_MUST(!pipe(told) && page != MAP_FAILED);
	pid = fork();
	if (!pid) {
		memcpy(page, data, way_read(path, data));
		tell(told);
		_exit(0);
	}
	await(told);
	way_send(page, 64);
	waitpid(pid, NULL, 0);
}

static char *shared_page(int fd)
{
	WAY_MUST(fd >= 0 && !ftruncate(fd, WAY_SIZE));
	return mmap(NULL, WAY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void shared_anonymous(const char *path)
{
	through(mmap(NULL, WAY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), path);
}

static void shared_sysv(const char *path)
{
	int id = shmget(IPC_PRIVATE, WAY_SIZE, IPC_CREAT | 0600);
	char *page = shmat(id, NULL, 0);

	shmctl(id, IPC_RMID, NULL);
	through(page, path);
}

static void shared_posix(const char *path)
{
	int fd = shm_open("/tacet-way", O_RDWR | O_CREAT, 0600);

	shm_unlink("/tacet-way");
	through(shared_page(fd), path);
}

static void shared_memory_file(const char *path)
{
	through(shared_page(memfd_create("way", 0)), path);
}

static void shared_file(const char *path)
{
	through(shared_page(open("page", O_RDWR | O_CREAT, 0600)), path);
}

/* A file that was mapped before anything was read; whoever reads it then does so by name. */
static void mapped_before(const char *path)
{
	char *page = shared_page(open("page", O_RDWR | O_CREAT, 0600));

	memcpy(page, data, way_read(path, data));
	if (!fork())
		execlp("sh", "sh", "-c", "exec nc remote 9 < page", NULL);
	wait(NULL);
}

static void mapped_after(const char *path)
{
	size_t size = way_read(path, data);

	memcpy(shared_page(open("page", O_RDWR | O_CREAT, 0600)), data, size);
	if (!fork())
		execlp("sh", "sh", "-c", "exec nc remote 9 < page", NULL);
	wait(NULL);
}

const struct way way_memory[] = {
	{ "process-vm", process_vm },
	{ "proc-mem", proc_mem },
	{ "proc-mem-early", proc_mem_early },
	{ "traced", traced },
	{ "traced-from-birth", traced_from_birth },
	{ "shared-anonymous", shared_anonymous },
	{ "shared-sysv", shared_sysv },
	{ "shared-posix", shared_posix },
	{ "shared-memory-file", shared_memory_file },
	{ "shared-file", shared_file },
	{ "mapped-before", mapped_before },
	{ "mapped-after", mapped_after },
	{ NULL, NULL },
};
