// SPDX-License-Identifier: GPL-2.0-only
/* A process that has never read the file gets at the memory of one that has, or shares some with it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "way.h"

/* At the same address in both. */
static char data[WAY_SIZE];
static int told[2], ended[2];

/* Reads, says so, and stays until it may end. */
static pid_t start_reader(const char *path)
{
	pid_t pid;

	WAY_MUST(!pipe(told) && !pipe(ended));
	pid = fork();
	if (!pid) {
		way_read(path, data);
		way_tell(told);
		way_await(ended);
		_exit(0);
	}
	way_await(told);
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
		way_await(ended);
		way_read(path, data);
		way_tell(told);
		pause();
	}
	fd = open_mem(pid);
	way_tell(ended);
	way_await(told);
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
		way_tell(told);
		_exit(0);
	}
	way_await(told);
	way_send(page, 64);
	waitpid(pid, NULL, 0);
}

static char *shared_page(int fd)
{
	WAY_MUST(fd >= 0 && !ftruncate(fd, WAY_SIZE));
	return mmap(NULL, WAY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static char *anonymous_page(void)
{
	return mmap(NULL, WAY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void shared_anonymous(const char *path)
{
	through(anonymous_page(), path);
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

/* A child stores into the memory file; the caller looks at it in its own way. */
static int stored_by_child(const char *path)
{
	int fd = memfd_create("way", 0);
	pid_t pid;

	WAY_MUST(!pipe(told));
	pid = fork();
	if (!pid) {
		char *page = shared_page(fd);

		memcpy(page, data, way_read(path, data));
		way_tell(told);
		_exit(0);
	}
	return fd;
}

static void shared_memory_file_read(const char *path)
{
	int fd = stored_by_child(path);
	static char copy[64];

	way_await(told);
	WAY_MUST(pread(fd, copy, sizeof(copy), 0) == sizeof(copy));
	way_send(copy, sizeof(copy));
}

static void shared_memory_file_privately(const char *path)
{
	int fd = stored_by_child(path);
	const char *page = mmap(NULL, WAY_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);

	way_await(told);
	way_send(page, 64);
}

static char *page_of_threads;

static void *send_from_page(void *unused)
{
	static char copy[64];

	(void)unused;
	way_await(told);
	memcpy(copy, page_of_threads, sizeof(copy));
	way_send(copy, sizeof(copy));
	return NULL;
}

/* The main thread waits for the one that looks. */
static void shared_with_threads(const char *path)
{
	pthread_t thread;

	page_of_threads = anonymous_page();
	WAY_MUST(!pipe(told));
	if (!fork()) {
		memcpy(page_of_threads, data, way_read(path, data));
		way_tell(told);
		_exit(0);
	}
	WAY_MUST(!pthread_create(&thread, NULL, send_from_page, NULL) && !pthread_join(thread, NULL));
}

static void shared_file(const char *path)
{
	through(shared_page(open("page", O_RDWR | O_CREAT, 0600)), path);
}

/* The other process makes no call between the two: it looks until something is there, and keeps a copy. */
static void shared_watched(const char *path)
{
	volatile char *page = anonymous_page();
	static char copy[64];
	pid_t pid = fork();

	if (!pid) {
		size_t size = way_read(path, data);

		memcpy((char *)page + 1, data, size);
		page[0] = 1;
		_exit(0);
	}
	while (!page[0])
		;
	memcpy(copy, (char *)page + 1, sizeof(copy));
	waitpid(pid, NULL, 0);
	way_send(copy, sizeof(copy));
}

/* It takes part after everything was stored. */
static void shared_sysv_late(const char *path)
{
	int id = shmget(IPC_PRIVATE, WAY_SIZE, IPC_CREAT | 0600);
	pid_t pid = fork();

	if (!pid) {
		size_t size = way_read(path, data);

		memcpy(shmat(id, NULL, 0), data, size);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	way_send(shmat(id, NULL, 0), 64);
	shmctl(id, IPC_RMID, NULL);
}

/* The memory is made after the file was read, and handed over. */
static void shared_passed(const char *path)
{
	int sockets[2];

	WAY_MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	if (!fork()) {
		size_t size = way_read(path, data);
		int fd = memfd_create("way", 0);

		memcpy(shared_page(fd), data, size);
		way_pass(sockets[1], fd);
		_exit(0);
	}
	way_send(shared_page(way_take(sockets[0])), 64);
	wait(NULL);
}

static const char *path_to_read;
static size_t size_read;

static int read_it(void *unused)
{
	(void)unused;
	size_read = way_read(path_to_read, data);
	return 0;
}

static int send_it(void *unused)
{
	(void)unused;
	way_await(told);
	way_send(data, size_read);
	return 0;
}

/* One memory, two processes. */
static pid_t start_in_this_memory(int (*run)(void *))
{
	static char stack[65536] __attribute__((aligned(16)));

	return clone(run, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
}

static void child_in_same_memory(const char *path)
{
	pid_t pid;

	path_to_read = path;
	pid = start_in_this_memory(read_it);
	WAY_MUST(waitpid(pid, NULL, 0) == pid);
	way_send(data, size_read);
}

static void parent_in_same_memory(const char *path)
{
	pid_t pid;

	WAY_MUST(!pipe(told));
	pid = start_in_this_memory(send_it);
	path_to_read = path;
	read_it(NULL);
	way_tell(told);
	WAY_MUST(waitpid(pid, NULL, 0) == pid);
}

/* Two workers count what they do, as servers' workers do. One of them reads the file. */
static void count_in_shared_memory(const char *path)
{
	volatile int *done = (void *)anonymous_page();
	int orders[2];

	WAY_MUST(!pipe(told) && !pipe(orders));
	if (!fork()) {
		way_await(orders);
		done[1]++;
		way_send("constant", 8);
		_exit(0);
	}
	if (!fork()) {
		way_read(path, data);
		done[0]++;
		way_tell(told);
		_exit(0);
	}
	way_await(told);
	way_tell(orders);
	while (wait(NULL) > 0)
		;
}

/* The display gets a picture through memory. It makes no call meanwhile, so that it could have no doppelganger. */
static void display_in_shared_memory(const char *path)
{
	const struct sockaddr_un address = { AF_UNIX, "/tmp/.X11-unix/X9" };
	volatile char *page = anonymous_page();
	int listener;

	if (!fork()) {
		listener = socket(AF_UNIX, SOCK_STREAM, 0);
		mkdir("/tmp/.X11-unix", 01777);
		WAY_MUST(!bind(listener, (void *)&address, sizeof(address)) && !listen(listener, 1));
		page[0] = 1;
		while (page[0] != 2)
			;
		way_send("constant", 8);
		unlink(address.sun_path);
		_exit(0);
	}
	while (!page[0])
		;
	memcpy((char *)page + 1, data, way_read(path, data));
	page[0] = 2;
	wait(NULL);
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
	{ "shared-memory-file-read", shared_memory_file_read },
	{ "shared-memory-file-privately", shared_memory_file_privately },
	{ "shared-with-threads", shared_with_threads },
	{ "shared-watched", shared_watched },
	{ "shared-sysv-late", shared_sysv_late },
	{ "shared-passed", shared_passed },
	{ "child-in-same-memory", child_in_same_memory },
	{ "parent-in-same-memory", parent_in_same_memory },
	{ "count-in-shared-memory", count_in_shared_memory },
	{ "display-in-shared-memory", display_in_shared_memory },
	{ "mapped-before", mapped_before },
	{ "mapped-after", mapped_after },
	{ NULL, NULL },
};
