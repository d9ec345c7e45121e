// SPDX-License-Identifier: GPL-2.0-only
/*
 * Private sessions, for the tests:
 *   hold CGROUP...		sessions, descriptors 100 and up, that last as long as the process whose pid is printed
 *   info PID FD		of the session that the process holds there
 *   key PID FD			makes keys of it and tries what can be done with them
 *   fill STAMP MIB [FILE]	writes the stamp into memory, or the file; verifies it at each SIGUSR1
 *   verify STAMP MIB FILE	what of the file can be read and is right
 *   idle x			does nothing, and has sockets for access
 *   allow PID FD SOCKET	lets the session that the process holds there reach the socket of outside
 *   listen PATH; reach PATH CGROUP; watch FOLDER
 *   bad CGROUP			arguments that are to be refused
 *   format, on, on-discard, off DEVICE; map NAME TYPE DEVICE PARAMETERS; unmap, status NAME
 *   count DEVICE STAMP...; access PID
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../../kernel/uapi/tacet.h"
#include "private.h"

#define PAGE 4096
#define MIB (1 << 20)
#define FIRST_SESSION 100
/* SWAP_FLAG_DISCARD and SWAP_FLAG_DISCARD_PAGES, which no header tells */
#define SWAP_DISCARD_PAGES 0x50000

uint64_t stamp_word(unsigned int number)
{
	uint64_t word = (number + 1) * 0x9e3779b97f4a7c15;

	word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
	return word ^ (word >> 27);
}

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

static int begin(const char *cgroup)
{
	struct tacet_session request = { .cgroup_fd = open(cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	int device = open(TACET_DEVICE, O_WRONLY | O_CLOEXEC), result;

	result = ioctl(device, TACET_IOC_SESSION, &request);
	if (result < 0)
		fail(cgroup);
	close(request.cgroup_fd);
	close(device);
	return result;
}

static int hold(char **cgroups)
{
	int session, pid, i;

	for (i = 0; cgroups[i]; i++) {
		session = begin(cgroups[i]);
		if (session < 0)
			return 1;
		dup2(session, FIRST_SESSION + i);
		close(session);
	}
	pid = fork();
	if (pid) {
		printf("%d\n", pid);
		return 0;
	}
	fclose(stdout);
	for (;;)
		pause();
}

static int info(int pid, int fd)
{
	struct tacet_session_info info;
	int session = syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, pid, 0), fd, 0);

	if (session < 0 || ioctl(session, TACET_SESSION_INFO, &info))
		return fail("info");
	printf("id=%llu swapped=%llu written=%llu cleared=%llu\n", info.id, info.pages_swapped, info.pages_written,
	       info.pages_cleared);
	return 0;
}

static int allow(int pid, int fd, const char *path)
{
	struct tacet_session_socket request = { .fd = open(path, O_PATH) };
	int session = syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, pid, 0), fd, 0);

	return ioctl(session, TACET_SESSION_SOCKET, &request) ? fail(path) : 0;
}

static sigjmp_buf bus_error;

static void handle_bus_error(int signal)
{
	(void)signal;
	siglongjmp(bus_error, 1);
}

static void verify(const char *label, volatile uint64_t *memory, size_t size, uint64_t stamp)
{
	volatile unsigned long right = 0, wrong = 0, errors = 0;
	volatile size_t page;

	signal(SIGBUS, handle_bus_error);
	for (page = 0; page < size / 8; page += PAGE / 8) {
		if (sigsetjmp(bus_error, 1))
			errors++;
		else if (memory[page] == stamp && memory[page + 1] == page && memory[page + PAGE / 8 - 1] == stamp)
			right++;
		else
			wrong++;
	}
	printf("@%s right=%lu wrong=%lu errors=%lu\n", label, right, wrong, errors);
	fflush(stdout);
}

static uint64_t *map_memory(const char *file, size_t size)
{
	int fd = file ? open(file, O_RDWR | O_CREAT, 0666) : -1;
	void *memory;

	if (file && ftruncate(fd, size))
		return NULL;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static int fill(unsigned int number, size_t size, const char *file)
{
	uint64_t *memory, stamp = stamp_word(number);
	char label[16];
	sigset_t set;
	size_t i;
	int which;

	/* Its own stack is not to be swapped out, and lost. */
	mlockall(MCL_CURRENT);
	memory = map_memory(file, size);
	if (!memory)
		return fail("fill");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < size / 8; i++)
		memory[i] = i % (PAGE / 8) == 1 ? i - 1 : stamp;
	snprintf(label, sizeof(label), "fill%u", number);
	printf("@filled%u yes\n", number);
	fflush(stdout);
	while (!file && !sigwait(&set, &which) && which == SIGUSR1)
		verify(label, memory, size, stamp);
	return 0;
}

static int verify_file(unsigned int number, size_t size, const char *file)
{
	uint64_t *memory;
	char label[16];

	mlockall(MCL_CURRENT);
	memory = map_memory(file, size);
	if (!memory)
		return fail(file);
	snprintf(label, sizeof(label), "file%u", number);
	verify(label, memory, size, stamp_word(number));
	return 0;
}

static void refuse(const char *what, int device, unsigned long command, const void *argument)
{
	int result = ioctl(device, command, argument);

	printf("@bad-%s %s\n", what, result < 0 ? strerrorname_np(errno) : "done");
	if (result > 2)
		close(result);
}

static void bad_sockets(int session, int device)
{
	struct sockaddr_un address = { AF_UNIX, "/run/log/bad.socket" };
	struct tacet_session_socket request = { .fd = -1 };

	refuse("socket-pointer", session, TACET_SESSION_SOCKET, (void *)8);
	refuse("socket-no-fd", session, TACET_SESSION_SOCKET, &request);
	request.fd = device;
	refuse("socket-other-file", session, TACET_SESSION_SOCKET, &request);
	if (bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof(address)))
		fail(address.sun_path);
	request.fd = open(address.sun_path, O_PATH);
	request.reserved = 1;
	refuse("socket-reserved", session, TACET_SESSION_SOCKET, &request);
	request.reserved = 0;
	for (int i = 0; i < TACET_SESSION_SOCKETS_MAX; i++)
		if (ioctl(session, TACET_SESSION_SOCKET, &request))
			fail("socket");
	refuse("socket-too-many", session, TACET_SESSION_SOCKET, &request);
}

static int bad(const char *cgroup)
{
	struct {
		struct tacet_session request;
		uint64_t tail;
	} longer = { .request.cgroup_fd = open(cgroup, O_RDONLY | O_DIRECTORY) };
	struct tacet_session good = longer.request, request = good;
	int device = open(TACET_DEVICE, O_WRONLY), session, second = open("/sys/fs/cgroup", O_RDONLY);

	refuse("pointer", device, TACET_IOC_SESSION, (void *)8);
	request.flags = 1;
	refuse("flags", device, TACET_IOC_SESSION, &request);
	request = (struct tacet_session){ .cgroup_fd = good.cgroup_fd, .reserved = 1 };
	refuse("reserved", device, TACET_IOC_SESSION, &request);
	request = (struct tacet_session){ .cgroup_fd = -1 };
	refuse("no-fd", device, TACET_IOC_SESSION, &request);
	request.cgroup_fd = device;
	refuse("not-a-cgroup", device, TACET_IOC_SESSION, &request);
	request.cgroup_fd = second;
	refuse("root-cgroup", device, TACET_IOC_SESSION, &request);
	refuse("short", device, _IOW('T', 8, uint64_t), &good);
	refuse("longer", device, _IOC(_IOC_WRITE, 'T', 8, sizeof(longer)), &longer);
	longer.tail = 1;
	refuse("tail", device, _IOC(_IOC_WRITE, 'T', 8, sizeof(longer)), &longer);
	session = ioctl(device, TACET_IOC_SESSION, &good);
	printf("@bad-cloexec %d\n", fcntl(session, F_GETFD));
	refuse("twice", device, TACET_IOC_SESSION, &good);
	refuse("command", session, TACET_IOC_INFO, &longer);
	refuse("info-pointer", session, TACET_SESSION_INFO, (void *)8);
	refuse("info-short", session, _IOR('T', 32, uint64_t), &longer);
	bad_sockets(session, device);
	return 0;
}

static int run(int count, char **arguments)
{
	const char *verb = arguments[1];

	if (!strcmp(verb, "hold"))
		return hold(arguments + 2);
	if (!strcmp(verb, "bad"))
		return bad(arguments[2]);
	if (!strcmp(verb, "info"))
		return info(atoi(arguments[2]), atoi(arguments[3]));
	if (!strcmp(verb, "key"))
		return key_try(atoi(arguments[2]), atoi(arguments[3]));
	if (!strcmp(verb, "watch"))
		return edges_watch(arguments[2]);
	if (!strcmp(verb, "filtered"))
		return edges_filtered();
	if (!strcmp(verb, "allow") && count == 5)
		return allow(atoi(arguments[2]), atoi(arguments[3]), arguments[4]);
	if (!strcmp(verb, "listen"))
		return edges_listen(arguments[2]);
	if (!strcmp(verb, "listed"))
		return edges_listed(arguments[2]);
	if (!strcmp(verb, "reach") && count == 4)
		return edges_reach(arguments[2], arguments[3]);
	if (!strcmp(verb, "idle"))
		return access_idle();
	if (!strcmp(verb, "access"))
		return access_try(atoi(arguments[2]));
	if (!strcmp(verb, "sockets"))
		return edges_sockets();
	if (!strcmp(verb, "locks"))
		return shared_locks(arguments + 2);
	if (!strcmp(verb, "wait"))
		return shared_wait(arguments[2]);
	if (!strcmp(verb, "wake"))
		return shared_wake(arguments[2]);
	if (!strcmp(verb, "crash"))
		return edges_crash();
	if (!strcmp(verb, "fill"))
		return fill(atoi(arguments[2]), atoi(arguments[3]) * (size_t)MIB, arguments[4]);
	if (!strcmp(verb, "verify"))
		return verify_file(atoi(arguments[2]), atoi(arguments[3]) * (size_t)MIB, arguments[4]);
	if (!strcmp(verb, "format"))
		return swap_format(arguments[2]);
	if (!strcmp(verb, "on"))
		return swap_on(arguments[2], 0);
	if (!strcmp(verb, "on-discard"))
		return swap_on(arguments[2], SWAP_DISCARD_PAGES);
	if (!strcmp(verb, "off"))
		return swap_off(arguments[2]);
	if (!strcmp(verb, "map") && count == 6)
		return map_create(arguments[2], arguments[3], arguments[4], arguments[5]);
	if (!strcmp(verb, "unmap"))
		return map_remove(arguments[2]);
	if (!strcmp(verb, "status"))
		return map_status(arguments[2]);
	return strcmp(verb, "count") ? 2 : stamp_count(arguments[2], arguments + 3);
}

int main(int count, char **arguments)
{
	/* In memory that mlockall() finds: printing is not to touch what was swapped out. */
	static char buffer[PAGE];

	setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
	return count < 3 ? 2 : run(count, arguments);
}
