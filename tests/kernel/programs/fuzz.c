// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads that make random requests of /dev/tacet and of sessions, sound and spoiled ones, with good and bad pointers, while
 * a third process leaks, so that there are pairs and questions. Prints what was asked and how often each request went well.
 *   fuzz SECONDS SEED CGROUP...    in a directory of its own; the other host is there
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../kernel/uapi/tacet.h"
#include "fuzz.h"

#define THREADS 2
#define SESSIONS 8
#define PAGE 4096
/* More than a command can tell, and than an event has; then comes a page that cannot be touched. */
#define ROOM (8 * PAGE)
/* The number of bytes in use. */
#define FILLED 512

struct fuzzer {
	struct fuzz_numbers numbers;
	uint8_t *own, *events;
	unsigned long calls, well[FUZZ_REQUESTS];
};

static struct fuzzer fuzzers[THREADS];
static uint8_t *shared;
static int stream, device, sessions[SESSIONS];
/* On a busy machine a question takes its time: on it goes until a verdict has been given, too, but not for ever. */
static time_t end, latest;

static void must(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(2);
	}
}

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static uint8_t *make_room(void)
{
	uint8_t *room = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(room != MAP_FAILED && !mprotect(room + ROOM, PAGE, PROT_NONE), "memory");
	return room;
}

static int make_file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	must(fd >= 0 && write(fd, "name Sphinx77Quartz\n", 20) == 20, name);
	return fd;
}

static void make_files(char **cgroups)
{
	int ends[2], i;

	fuzz_files[0] = make_file("secret");
	for (i = 1; i < 6; i++)
		fuzz_files[i] = make_file((char[]){ 'a' + i, 0 });
	must(!pipe(ends), "pipe");
	fuzz_files[6] = ends[0];
	fuzz_files[7] = socket(AF_UNIX, SOCK_STREAM, 0);
	fuzz_files[8] = open(".", O_RDONLY | O_DIRECTORY);
	fuzz_files[9] = memfd_create("memory", 0);
	fuzz_files[10] = device;
	fuzz_files[11] = open("secret", O_PATH);
	for (i = 0; i < FUZZ_CGROUPS; i++)
		fuzz_cgroups[i] = open(cgroups[i % 2], O_RDONLY | O_DIRECTORY);
}

/* Labels, reads and sends, again and again; what the threads do to the label or the question meanwhile is the fuzzers' affair. */
static void leak_for_ever(void)
{
	for (;;) {
		if (!fork()) {
			alarm(10);
			execl("/usr/bin/bash", "bash", "-c", "agent label secret; exec leak read write secret", NULL);
			_exit(1);
		}
		wait(NULL);
	}
}

static pid_t start_leaking(void)
{
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		/* Else no other reader would be let in. */
		close(stream);
		must(freopen("/dev/null", "w", stderr) != NULL, "/dev/null");
		leak_for_ever();
	}
	return pid;
}

/* Returns an address for an argument of that size, mostly a bad one. */
static void *place(struct fuzzer *fuzzer, const void *argument, size_t size)
{
	static const uintptr_t bad[] = { 0, 1, 0x800000000000, 0xffff888000000000, 0xffffffff81000000, -8 };
	uint8_t *room = fuzz_number(&fuzzer->numbers, 4) ? fuzzer->own : shared;
	uint8_t *fitting = room + ROOM - size;

	if (!fuzz_number(&fuzzer->numbers, 12))
		return (void *)bad[fuzz_number(&fuzzer->numbers, sizeof(bad) / sizeof(*bad))];
	memcpy(fitting, argument, size < FILLED ? size : FILLED);
	/* Its last bytes are not there. */
	if (!fuzz_number(&fuzzer->numbers, 12))
		return fitting + 1 + fuzz_number(&fuzzer->numbers, PAGE);
	return fitting;
}

/* A value that is not zero is a descriptor. Those of sessions are kept for a while. */
static void take_result(struct fuzzer *fuzzer, unsigned long command, int result)
{
	int *session = &sessions[fuzz_number(&fuzzer->numbers, SESSIONS)];

	if (result && _IOC_NR(command) == _IOC_NR(TACET_IOC_SESSION))
		result = __atomic_exchange_n(session, result, __ATOMIC_RELAXED);
	if (result)
		close(result);
}

static void make_request(struct fuzzer *fuzzer)
{
	struct fuzz_numbers *numbers = &fuzzer->numbers;
	enum fuzz_request request = fuzz_number(numbers, FUZZ_REQUESTS);
	unsigned long command = fuzz_commands[request];
	uint8_t argument[FILLED] = { 0 };
	int fd = request >= FUZZ_SESSION_INFO ? sessions[fuzz_number(numbers, SESSIONS)] : device, result;

	fuzz_fill(request, numbers, argument);
	if (!fuzz_number(numbers, 2))
		fuzz_mutate(numbers, argument, _IOC_SIZE(command));
	if (!fuzz_number(numbers, 8))
		command = fuzz_mutate_command(numbers, command);
	if (!fuzz_number(numbers, 32))
		fd = fuzz_number(numbers, 2) ? device : sessions[0];
	result = ioctl(fd, command, place(fuzzer, argument, _IOC_SIZE(command)));
	if (result < 0)
		return;
	fuzzer->well[request]++;
	take_result(fuzzer, command, result);
}

/* At once, now and then: those that are given by chance come late. */
static void answer(struct fuzzer *fuzzer, uint64_t question)
{
	struct tacet_verdict verdict = { .question = question,
					 .action = TACET_ACTION_BLOCK,
					 .scope = TACET_SCOPE_FLOW };

	__atomic_store_n(&fuzz_question, question, __ATOMIC_RELAXED);
	if (!fuzz_number(&fuzzer->numbers, 3) && !ioctl(device, TACET_IOC_VERDICT, &verdict))
		fuzzer->well[FUZZ_VERDICT]++;
}

static void read_events(struct fuzzer *fuzzer)
{
	static const size_t sizes[] = { 0, 1, 16, 100, 5000, ROOM };
	size_t size = sizes[fuzz_number(&fuzzer->numbers, sizeof(sizes) / sizeof(*sizes))];
	struct tacet_event header = { 0 };
	const struct tacet_question *question;
	ssize_t got, offset;

	if (!fuzz_number(&fuzzer->numbers, 4)) {
		if (read(stream, place(fuzzer, &header, sizeof(header)), size) < 0)
			return;
	}
	got = read(stream, fuzzer->events, ROOM);
	for (offset = 0; offset < got; offset += question->event.size) {
		question = (const void *)(fuzzer->events + offset);
		if (question->event.type == TACET_EVENT_QUESTION)
			answer(fuzzer, question->id);
	}
}

static void open_stream_again(void)
{
	close(__atomic_exchange_n(&stream, -1, __ATOMIC_RELAXED));
	close(__atomic_exchange_n(&stream, open(TACET_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC), __ATOMIC_RELAXED));
}

static void do_something_else(struct fuzzer *fuzzer)
{
	struct pollfd wait = { .fd = stream, .events = POLLIN };
	int *session = &sessions[fuzz_number(&fuzzer->numbers, SESSIONS)];

	switch (fuzz_number(&fuzzer->numbers, 8)) {
	case 0:
	case 1:
		read_events(fuzzer);
		break;
	case 2:
		poll(&wait, 1, fuzz_number(&fuzzer->numbers, 3));
		break;
	case 3:
		close(__atomic_exchange_n(session, -1, __ATOMIC_RELAXED));
		break;
	case 4:
		/* Else the keys would fill the quota. */
		syscall(SYS_keyctl, KEYCTL_CLEAR, KEY_SPEC_PROCESS_KEYRING);
		break;
	case 5:
		close(open(TACET_DEVICE, fuzz_number(&fuzzer->numbers, 4)));
		break;
	case 6:
		open_stream_again();
	}
}

/* In either thread. */
static int each_went_well(void)
{
	for (int i = 0; i < FUZZ_REQUESTS; i++)
		if (!fuzzers[0].well[i] && !fuzzers[1].well[i])
			return 0;
	return 1;
}

static void *fuzz(void *data)
{
	struct fuzzer *fuzzer = data;

	while (now() < end || (!each_went_well() && now() < latest))
		for (int i = 0; i < 64; i++, fuzzer->calls++) {
			if (fuzz_number(&fuzzer->numbers, 8))
				make_request(fuzzer);
			else
				do_something_else(fuzzer);
		}
	return NULL;
}

static void run(unsigned long seed)
{
	pthread_t threads[THREADS];

	shared = make_room();
	for (int i = 0; i < THREADS; i++) {
		fuzzers[i].numbers.state = seed * THREADS + i + 1;
		fuzzers[i].own = make_room();
		fuzzers[i].events = make_room();
		must(!pthread_create(&threads[i], NULL, fuzz, &fuzzers[i]), "thread");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void print_results(void)
{
	unsigned long calls = 0;

	for (int i = 0; i < FUZZ_REQUESTS; i++) {
		unsigned long well = 0;

		for (int thread = 0; thread < THREADS; thread++)
			well += fuzzers[thread].well[i];
		printf("@well-%s %lu\n", fuzz_names[i], well);
	}
	for (int i = 0; i < THREADS; i++)
		calls += fuzzers[i].calls;
	printf("@calls %lu\n", calls);
}

int main(int count, char **words)
{
	pid_t leaking;

	if (count != 5)
		return 2;
	stream = open(TACET_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	device = open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
	must(stream >= 0 && device >= 0, TACET_DEVICE);
	memset(sessions, -1, sizeof(sessions));
	make_files(words + 3);
	syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1);
	leaking = start_leaking();
	end = now() + atol(words[1]);
	latest = end + 5 * atol(words[1]);
	run(strtoul(words[2], NULL, 0));
	kill(-leaking, SIGKILL);
	print_results();
	return 0;
}
