// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a system call costs, in one of the states that a process can be in.
 *   interposition native|loaded|watched|lockstep SECRET [CALL]
 * Prints a line "@cost STATE CALL NANOSECONDS OWN" for each call, OWN being the process's own time. All files lie on tmpfs, so that the file system costs
 * little and what the module adds is seen.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS 4096
#define BLOCKS 16
#define BUFFER (1 << 20)
#define READ_FILE "/dev/shm/bench-read"
#define WRITE_FILE "/dev/shm/bench-write"

static char buffer[BUFFER];
static int read_fd, write_fd;

static void must(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void call_read_1(void)
{
	must(read(read_fd, buffer, 1) == 1, "read");
}

static void call_read_4k(void)
{
	must(read(read_fd, buffer, 4096) == 4096, "read");
}

static void call_read_64k(void)
{
	must(read(read_fd, buffer, 65536) == 65536, "read");
}

static void call_write_64(void)
{
	must(write(write_fd, buffer, 64) == 64, "write");
}

static void call_write_4k(void)
{
	must(write(write_fd, buffer, 4096) == 4096, "write");
}

static void call_write_64k(void)
{
	must(write(write_fd, buffer, 65536) == 65536, "write");
}

static void call_write_1m(void)
{
	must(write(write_fd, buffer, BUFFER) == BUFFER, "write");
}

static void call_open_close(void)
{
	int fd = open(READ_FILE, O_RDONLY);

	must(fd >= 0, "open");
	close(fd);
}

static const struct {
	const char *name;
	void (*run)(void);
	int calls;
} rows[] = {
	{ "getppid", call_getppid, CALLS },	      { "read-1", call_read_1, CALLS },
	{ "read-4k", call_read_4k, CALLS },	      { "read-64k", call_read_64k, CALLS / 16 },
	{ "write-64", call_write_64, CALLS },	      { "write-4k", call_write_4k, CALLS },
	{ "write-64k", call_write_64k, CALLS / 16 },  { "write-1m", call_write_1m, CALLS / 256 },
	{ "open+close", call_open_close, CALLS / 4 },
};

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/* The median of blocks of calls: the host may take a processor away in any of them. The first warms up. */
static double cost_of(unsigned int row, double *ret_own)
{
	int calls = rows[row].calls / BLOCKS;
	double costs[BLOCKS], owns[BLOCKS], started, own;

	for (int block = -1; block < BLOCKS; block++) {
		lseek(read_fd, 0, SEEK_SET);
		lseek(write_fd, 0, SEEK_SET);
		own = now(CLOCK_PROCESS_CPUTIME_ID);
		started = now(CLOCK_MONOTONIC);
		for (int i = 0; i < calls; i++)
			rows[row].run();
		if (block < 0)
			continue;
		costs[block] = (now(CLOCK_MONOTONIC) - started) / calls;
		owns[block] = (now(CLOCK_PROCESS_CPUTIME_ID) - own) / calls;
	}
	qsort(owns, BLOCKS, sizeof(*owns), compare);
	*ret_own = owns[BLOCKS / 2];
	qsort(costs, BLOCKS, sizeof(*costs), compare);
	return costs[BLOCKS / 2];
}

/* The read end of a pipe with derived data, from which nothing is read. */
static void become_watched(const char *secret)
{
	int ends[2];

	must(!pipe(ends), "pipe");
	if (!fork()) {
		must(read(open(secret, O_RDONLY), buffer, 16) > 0 && write(ends[1], buffer, 16) > 0, secret);
		_exit(0);
	}
	must(wait(NULL) > 0, "wait");
}

static void become_paired(const char *secret)
{
	must(read(open(secret, O_RDONLY), buffer, 1) == 1, secret);
	memset(buffer, 0, sizeof(buffer));
}

int main(int count, char **words)
{
	if (count < 3)
		return 2;
	read_fd = open(READ_FILE, O_RDWR | O_CREAT, 0600);
	write_fd = open(WRITE_FILE, O_RDWR | O_CREAT, 0600);
	for (int i = 0; i < CALLS; i++)
		must(pwrite(read_fd, buffer, 4096, 4096L * i) == 4096 &&
			     pwrite(write_fd, buffer, 4096, 4096L * i) == 4096,
		     "tmpfs");
	if (!strcmp(words[1], "watched"))
		become_watched(words[2]);
	if (!strcmp(words[1], "lockstep"))
		become_paired(words[2]);
	for (unsigned int row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
		double own, cost;

		if (count > 3 && strcmp(words[3], rows[row].name))
			continue;
		cost = cost_of(row, &own);
		printf("@cost %s %s %.0f %.0f\n", words[1], rows[row].name, cost, own);
	}
	return 0;
}
