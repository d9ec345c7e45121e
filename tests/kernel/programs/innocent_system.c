// SPDX-License-Identifier: GPL-2.0-only
/* What the system tells: ids, times, random numbers, files, directories. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "innocent.h"

static void identities(void)
{
	gid_t groups[32];

	innocent_say(" %d %d %d %d %d %d %d %d", getpid(), gettid(), getppid(), getpgrp(), getsid(0), getuid(),
		     getegid(), getgroups(32, groups));
}

/* Through the vDSO. */
static void times_of_day(void)
{
	struct timespec now, resolution;
	struct timeval day;
	unsigned int processor;

	for (int i = 0; i < 5; i++) {
		clock_gettime(i, &now);
		innocent_say(" %ld.%ld", (long)now.tv_sec, now.tv_nsec);
	}
	gettimeofday(&day, NULL);
	clock_getres(CLOCK_MONOTONIC, &resolution);
	innocent_say(" %ld.%ld %ld %ld %ld", (long)day.tv_sec, (long)day.tv_usec, (long)time(NULL), resolution.tv_nsec,
		     (long)clock());
	syscall(SYS_getcpu, &processor, NULL, NULL);
	innocent_say(" %u", processor);
}

static void random_numbers(void)
{
	unsigned long number, more[3];
	int fd = open("/dev/urandom", O_RDONLY);

	INNOCENT_MUST(getrandom(&number, sizeof(number), 0) == sizeof(number));
	INNOCENT_MUST(read(fd, more, sizeof(more)) == sizeof(more));
	memcpy(&more[2], (void *)getauxval(AT_RANDOM), sizeof(long));
	innocent_say(" %lx %lx %lx", number, more[0], more[2]);
	INNOCENT_MUST(!getentropy(more, sizeof(more)));
	innocent_say(" %lx %x", more[1], arc4random());
}

static void say_sum(const char *path)
{
	char data[4096];
	unsigned long sum = 0;
	int fd = open(path, O_RDONLY);
	ssize_t size;

	INNOCENT_MUST(fd >= 0);
	while ((size = read(fd, data, sizeof(data))) > 0)
		for (ssize_t i = 0; i < size; i++)
			sum = sum * 31 + data[i];
	INNOCENT_MUST(!size);
	close(fd);
	innocent_say(" %lx", sum);
}

static void own_proc(void)
{
	char target[PATH_MAX] = "";

	say_sum("/proc/self/stat");
	say_sum("/proc/self/status");
	say_sum("/proc/self/maps");
	say_sum("/proc/self/cmdline");
	say_sum("/proc/uptime");
	INNOCENT_MUST(readlink("/proc/self/exe", target, sizeof(target) - 1) > 0);
	innocent_say(" %s", target);
}

static void directories(void)
{
	char path[PATH_MAX];
	DIR *directory = opendir("/usr/bin");
	struct dirent *entry;
	unsigned long sum = 0;

	while ((entry = readdir(directory)))
		sum = sum * 31 + entry->d_name[0] + entry->d_ino;
	closedir(directory);
	INNOCENT_MUST(getcwd(path, sizeof(path)));
	innocent_say(" %lx %s", sum, path);
	INNOCENT_MUST(!mkdir("new", 0700) && !chdir("new") && !chdir("..") && !rename("new", "newer") &&
		      !rmdir("newer"));
}

static void what_files_are(void)
{
	struct statfs system;
	struct statx more;
	struct stat status;

	INNOCENT_MUST(!stat("secret", &status) && !lstat("/lib", &status) && !fstat(0, &status));
	innocent_say(" %lu", (unsigned long)status.st_ino);
	INNOCENT_MUST(!statx(AT_FDCWD, "secret", 0, STATX_ALL, &more) && !statfs(".", &system) &&
		      !access("secret", R_OK));
	innocent_say(" %llu %ld", (unsigned long long)more.stx_ino, (long)system.f_bfree);
}

static void written_file(void)
{
	char back[64] = "";
	FILE *file = fopen("notes", "w+");

	INNOCENT_MUST(file && fprintf(file, "constant %d\n", 42) > 0 && !fflush(file) && !fseek(file, 0, SEEK_SET));
	INNOCENT_MUST(fgets(back, sizeof(back), file));
	INNOCENT_MUST(!ftruncate(fileno(file), 4) && !fsync(fileno(file)) && !flock(fileno(file), LOCK_EX));
	INNOCENT_MUST(!fchmod(fileno(file), 0640) && !fsetxattr(fileno(file), "user.note", "x", 1, 0));
	fclose(file);
	back[strlen(back) - 1] = 0;
	innocent_say(" %s", back);
	INNOCENT_MUST(!unlink("notes"));
}

static void descriptors(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY), copy = dup(fd), other = dup2(fd, 77),
	    third = fcntl(fd, F_DUPFD_CLOEXEC, 50);
	int pending = -1;

	INNOCENT_MUST(fcntl(copy, F_GETFL) >= 0 && !fcntl(other, F_SETFD, FD_CLOEXEC));
	innocent_say(" %d %d %d %d", fd, copy, other, third);
	ioctl(0, FIONREAD, &pending);
	INNOCENT_MUST(!close_range(50, 80, 0) && close(77) == -1 && errno == EBADF);
}

static void limits(void)
{
	struct rlimit limit;
	struct rusage usage;
	struct sysinfo information;
	struct utsname names;
	cpu_set_t set;

	INNOCENT_MUST(!getrlimit(RLIMIT_NOFILE, &limit) && !getrusage(RUSAGE_SELF, &usage) && !sysinfo(&information));
	INNOCENT_MUST(!uname(&names) && !sched_getaffinity(0, sizeof(set), &set));
	innocent_say(" %ld %ld %ld %s %d", (long)limit.rlim_cur, usage.ru_minflt, information.uptime, names.release,
		     CPU_COUNT(&set));
	innocent_say(" %d %d", getpriority(PRIO_PROCESS, 0), sched_getscheduler(0));
	sched_yield();
}

static int scratch_file(size_t size)
{
	int fd = memfd_create("scratch", 0);

	INNOCENT_MUST(fd >= 0 && !ftruncate(fd, size));
	return fd;
}

/* The kernel moves data between files, and writes into memory how far it came. */
static void moved_positions(void)
{
	off_t sent = 10;
	loff_t from = 20, to = 30, spliced = 40;
	int source = scratch_file(1000), target = scratch_file(1000), ends[2];

	INNOCENT_MUST(!pipe(ends));
	INNOCENT_MUST(sendfile(target, source, &sent, 100) == 100);
	INNOCENT_MUST(copy_file_range(source, &from, target, &to, 200, 0) == 200);
	INNOCENT_MUST(splice(source, &spliced, ends[1], NULL, 300, 0) == 300);
	innocent_say(" %ld %ld %ld %ld", (long)sent, (long)from, (long)to, (long)spliced);
}

/* More calls than a ring holds. */
static void many_calls(void)
{
	unsigned long sum = 0;

	for (int i = 0; i < 5000; i++)
		sum += syscall(SYS_getppid);
	innocent_say(" %lu", sum);
}

static void bad_calls(void)
{
	char byte;

	INNOCENT_MUST(read(-1, &byte, 1) == -1 && errno == EBADF);
	INNOCENT_MUST(open("nowhere", O_RDONLY) == -1 && errno == ENOENT);
	INNOCENT_MUST(syscall(SYS_read, 0, 8L, 1L) <= 0);
	INNOCENT_MUST(syscall(SYS_openat, AT_FDCWD, 8L, 0) == -1 && errno == EFAULT);
	INNOCENT_MUST(syscall(9999) == -1 && errno == ENOSYS);
	innocent_say(" errors");
}

const struct innocent_deed innocent_system[] = {
	{ "identities", identities },
	{ "times-of-day", times_of_day },
	{ "random-numbers", random_numbers },
	{ "own-proc", own_proc },
	{ "directories", directories },
	{ "what-files-are", what_files_are },
	{ "written-file", written_file },
	{ "descriptors", descriptors },
	{ "limits", limits },
	{ "many-calls", many_calls },
	{ "bad-calls", bad_calls },
	{ "moved-positions", moved_positions },
	{ NULL, NULL },
};
