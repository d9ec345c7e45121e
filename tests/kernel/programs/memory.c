// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freed memory, for the tests:
 *   policy SCOPE [PATH...]	sets the policy: off, sensitive, chosen, everything; $LIBRARY is the heap library
 *   tag			makes a tag, and prints its complement
 *   put WAY TAG [FILE]		writes stamps into memory, and loses it; see below
 *   file TAG FILE		writes a file of stamps, and keeps none of them
 *   hold FILE MEETING		maps FILE and reads it, until it is killed
 *   pipe FILE			removes FILE while its pages are in a pipe, and tells whether they stay whole there
 *   send TAG			waits for a connection, and sends stamps; keeps none of them
 *   receive ADDRESS		receives what is sent, and keeps nothing
 *   pour TAG			writes stamps to standard output, and keeps none
 *   drain			reads standard input, and keeps nothing
 *   give WAY TAG READER [FILE]	sends stamps to READER take by WAY, and lives on until FILE is gone; see connect_pair()
 *   take WAY QUEUE		receives them, from standard input or QUEUE
 *   pass TAG DEVICE READER	fills DEVICE, and splices it to READER drain; for -, what is at standard input
 *   reuse TAG WRITER FILE	reads what WRITER pour writes into a pipe that has pages of this program's, and lives on until FILE is gone
 *   share TAG WRITER		has shared memory that WRITER scribble fills with stamps
 *   scribble TAG		fills the shared memory that is standard output
 *   terminal TAG READER [FILE [MODE]]
 *				gives stamps to READER drain at a terminal, raw or MODE cooked, which lives on until FILE is gone
 *   count TAG...		prints for each tag how many stamps are in memory
 *   crash TAG KEPT		ends with a core. Functions that have returned left TAG on two stacks, and one that runs has KEPT
 *   stack WAY TAG FILE		loses stamps on a stack; see lose_stack()
 *   living FILE		tells whether memory in use beside stacks stays whole until FILE is gone
 *   bad			requests that are to be refused
 * A tag in memory would be found, so each process gets and keeps the complement.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "memory.h"
#include "stamp.h"

#define SIZE (2 << 20)

int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

static int device(void)
{
	return open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
}

/* SPARED in the environment has the bits of enum tacet_memory_layer. */
static unsigned int spared_layers(void)
{
	const char *spared = getenv("SPARED");

	return spared ? strtoul(spared, NULL, 10) : 0;
}

static int set_policy(char **words)
{
	static const char *const scopes[] = { "off", "sensitive", "chosen", "everything" };
	struct tacet_memory_policy policy = { .spared = spared_layers() };
	static char paths[TACET_MEMORY_PROGRAMS_MAX];

	while (policy.scope < 4 && strcmp(scopes[policy.scope], words[0]))
		policy.scope++;
	for (words++; *words; words++) {
		strcpy(paths + policy.programs_size, *words);
		policy.programs_size += strlen(*words) + 1;
	}
	policy.programs = (uintptr_t)paths;
	policy.library = (uintptr_t)getenv("LIBRARY");
	return ioctl(device(), TACET_IOC_MEMORY, &policy) ? fail("policy") : 0;
}

static int make_tag(char **)
{
	struct tacet_stamp_tag tag;

	if (ioctl(device(), TACET_IOC_STAMP, &tag))
		return fail("tag");
	printf("%llu\n", (unsigned long long)~tag.tag);
	return 0;
}

static int count(char **words)
{
	struct tacet_stamp_count counts[TACET_STAMP_TAGS_MAX];
	struct tacet_stamp_counts request = { .counts = (uintptr_t)counts };

	for (; words[request.count]; request.count++)
		counts[request.count].tag = ~strtoull(words[request.count], NULL, 10);
	if (ioctl(device(), TACET_IOC_STAMPS, &request))
		return fail("count");
	for (unsigned int i = 0; i < request.count; i++)
		printf("%llu ", (unsigned long long)counts[i].whole);
	printf("\n");
	return 0;
}

static char *map(int flags)
{
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (memory == MAP_FAILED)
		exit(fail("mmap"));
	return memory;
}

/* Memory that may have a large page. */
static char *map_large(void)
{
	char *memory = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *aligned = (char *)(((uintptr_t)memory + SIZE - 1) & ~(uintptr_t)(SIZE - 1));

	if (madvise(aligned, SIZE, MADV_HUGEPAGE))
		exit(fail("large page"));
	return aligned;
}

static void read_file(const char *name)
{
	int fd = open(name, O_RDONLY);
	char byte;

	if (fd < 0 || read(fd, &byte, 1) != 1)
		exit(fail(name));
	close(fd);
}

/* Tells by the file that this point is reached, and waits until it is gone. */
void meet(const char *name)
{
	close(open(name, O_WRONLY | O_CREAT, 0666));
	while (!access(name, F_OK))
		usleep(10000);
}

/* A huge page of the kernel's pool. */
static char *map_huge(void)
{
	return map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB);
}

/* A file of the file system of huge pages. Another program removes it. */
static char *map_file(const char *name)
{
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, open(name, O_RDWR | O_CREAT, 0600), 0);

	if (memory == MAP_FAILED)
		exit(fail(name));
	return memory;
}

static void lose_in_child(char *memory, uint64_t tag)
{
	int child = fork();

	if (!child) {
		fill(memory, SIZE, tag);
		raise(SIGKILL);
	}
	waitpid(child, NULL, 0);
}

static int put(char **words)
{
	const char *way = words[0], *file = words[2];
	uint64_t tag = strtoull(words[1], NULL, 10);
	char *memory;

	if (lose_in_kernel(way, tag, file))
		return 0;
	/* It reads the labelled file before its memory has stamps. */
	if (!strcmp(way, "late"))
		read_file(file);
	memory = !strcmp(way, "huge")	   ? map_huge() :
		 !strcmp(way, "huge-file") ? map_file(file) :
		 strstr(way, "large")	   ? map_large() :
					     map(!strcmp(way, "shared") ? MAP_SHARED | MAP_ANONYMOUS :
									  MAP_PRIVATE | MAP_ANONYMOUS);
	if (!strcmp(way, "child")) {
		lose_in_child(memory, tag);
		return 0;
	}
	fill(memory, SIZE, tag);
	if (!strcmp(way, "kill"))
		raise(SIGKILL);
	if (!strncmp(way, "early", 5))
		read_file(file);
	if (!strcmp(way, "exec"))
		execl("/bin/true", "true", NULL);
	/* The kernel may take these pages when memory is short, also if they are written to again. */
	if (!strcmp(way, "unmap-lazy")) {
		if (madvise(memory, SIZE, MADV_FREE))
			exit(fail(way));
		fill(memory, SIZE, tag);
	}
	if (!strncmp(way, "unmap-", 6))
		meet(file);
	if (!strncmp(way, "unmap", 5) || !strcmp(way, "free")) {
		if (*way == 'u' ? munmap(memory, SIZE) : madvise(memory, SIZE, MADV_FREE))
			exit(fail(way));
		meet(file);
	}
	if (!strcmp(way, "swap")) {
		meet(file);
		for (size_t at = 0; at < SIZE; at += PAGE)
			*(volatile char *)(memory + at);
	}
	return 0;
}

/* The size of what is lost on a stack, or must stay there. */
#define FRAME (100 << 10)
static uint64_t stack_tag;
static const char *meeting;
static volatile int lost;

static void __attribute__((noinline)) lose_frame(void)
{
	char frame[FRAME];

	fill(frame, sizeof(frame), stack_tag);
	asm volatile("" : : "r"(frame) : "memory");
}

static void spin(void)
{
	while (!access(meeting, F_OK))
		for (volatile int i = 0; i < 100000; i++)
			;
}

/* A sleep from which nothing wakes. It is entered at once, so that little is overwritten. */
static void sleep_in_pipe(void)
{
	int ends[2];
	char byte;

	if (!pipe(ends) && read(ends[0], &byte, 1) < 0)
		exit(fail("a sleep was broken off"));
}

static void *lose_on_stack(void *sleeps)
{
	lose_frame();
	lost++;
	if (!meeting)
		return NULL;
	if (sleeps)
		sleep_in_pipe();
	while (access(meeting, F_OK))
		;
	spin();
	return NULL;
}

/*
 * WAY names whose stack it is, and what the thread does until FILE is gone: first-asleep, first-running,
 * thread-asleep, thread-running, thread-ended.
 */
static int lose_stack(char **words)
{
	void *sleeps = strstr(words[0], "asleep");
	pthread_t thread;

	stack_tag = strtoull(words[1], NULL, 10);
	meeting = words[2];
	if (!strncmp(words[0], "thread", 6)) {
		if (!strcmp(words[0], "thread-ended"))
			meeting = NULL;
		if (pthread_create(&thread, NULL, lose_on_stack, sleeps))
			return fail("thread");
		while (!lost)
			usleep(1000);
		if (!meeting)
			pthread_join(thread, NULL);
		meet(words[2]);
		return 0;
	}
	lose_frame();
	close(open(meeting, O_WRONLY | O_CREAT, 0666));
	if (sleeps) {
		sleep_in_pipe();
		return 1;
	}
	spin();
	return 0;
}

static int crash(char **words)
{
	char frame[FRAME];
	pthread_t thread;

	stack_tag = strtoull(words[0], NULL, 10);
	meeting = "/";
	fill(frame, sizeof(frame), strtoull(words[1], NULL, 10));
	if (pthread_create(&thread, NULL, lose_on_stack, frame))
		return fail("thread");
	while (!lost)
		usleep(1000);
	lose_frame();
	abort();
}

static void keep(char *memory, size_t size)
{
	memset(memory, 0x5a, size);
	asm volatile("" : : "r"(memory) : "memory");
}

static void check(const char *what, const char *memory, size_t size)
{
	size_t at = 0;

	while (at < size && memory[at] == 0x5a)
		at++;
	printf("@living-%s %s\n", what, at == size ? "whole" : "CLEARED");
	fflush(stdout);
}

static void wait_asleep(void)
{
	while (!access(meeting, F_OK))
		usleep(200000);
}

/* Deep in calls whose frames are all in use. */
static void __attribute__((noinline)) keep_frame(const char *what, void (*wait)(void))
{
	char frame[FRAME];

	keep(frame, sizeof(frame));
	wait();
	check(what, frame, sizeof(frame));
}

static void *keep_running(void *)
{
	keep_frame("running", spin);
	return NULL;
}

static void *keep_asleep(void *)
{
	keep_frame("asleep", wait_asleep);
	return NULL;
}

/* The parent sleeps in the kernel, while the child uses the stack below it. */
static void *keep_below_parent(void *)
{
	if (!vfork()) {
		keep_frame("vfork", wait_asleep);
		_exit(0);
	}
	return NULL;
}

/* The red zone: a leaf function has its data below the pointer. */
static void *keep_red_zone(void *)
{
	unsigned long found;

	asm volatile("mov $0x5a5a5a5a, %%eax\n\t"
		     "mov %%rax, -128(%%rsp)\n\t"
		     "1: mov $21, %%eax\n\t"
		     "mov %[file], %%rdi\n\t"
		     "xor %%esi, %%esi\n\t"
		     "syscall\n\t"
		     "test %%eax, %%eax\n\t"
		     "jz 1b\n\t"
		     "mov -128(%%rsp), %[found]"
		     : [found] "=&r"(found)
		     : [file] "r"(meeting)
		     : "rax", "rcx", "rdi", "rsi", "r11", "memory");
	printf("@living-red-zone %s\n", found == 0x5a5a5a5a ? "whole" : "CLEARED");
	fflush(stdout);
	return NULL;
}

static ucontext_t thread_context, coroutine_context;

static void coroutine(void)
{
	wait_asleep();
	swapcontext(&coroutine_context, &thread_context);
}

/* A coroutine, whose stack is the upper part of memory that is mapped as a stack. The lower part is something else. */
static void *keep_below_coroutine(void *)
{
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	keep(memory, SIZE / 2);
	getcontext(&coroutine_context);
	coroutine_context.uc_stack.ss_sp = memory + SIZE / 2;
	coroutine_context.uc_stack.ss_size = SIZE / 2;
	makecontext(&coroutine_context, coroutine, 0);
	swapcontext(&thread_context, &coroutine_context);
	check("coroutine", memory, SIZE / 2);
	return NULL;
}

static void in_handler(int)
{
	wait_asleep();
}

/* The handler's stack is a variable of a thread, above other variables in use. */
static void *keep_below_handler(void *)
{
	struct {
		char kept[FRAME], stack[64 << 10];
	} frame;
	stack_t stack = { .ss_sp = frame.stack, .ss_size = sizeof(frame.stack) };
	struct sigaction action = { .sa_handler = in_handler, .sa_flags = SA_ONSTACK };

	keep(frame.kept, sizeof(frame.kept));
	if (sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL) || pthread_kill(pthread_self(), SIGUSR1))
		exit(fail("handler"));
	check("handler", frame.kept, sizeof(frame.kept));
	return NULL;
}

static int living(char **words)
{
	static void *(*const ways[])(void *) = { keep_running,	keep_asleep,	      keep_below_parent,
						 keep_red_zone, keep_below_coroutine, keep_below_handler };
	pthread_t threads[sizeof(ways) / sizeof(*ways)];
	size_t i;

	meeting = words[0];
	close(open(meeting, O_WRONLY | O_CREAT, 0666));
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (pthread_create(&threads[i], NULL, ways[i], NULL))
			return fail("thread");
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void refuse(const char *what, unsigned long command, void *argument)
{
	printf("@bad-%s %s\n", what, ioctl(device(), command, argument) ? strerrorname_np(errno) : "done");
}

static int bad(char **)
{
	static const char long_library[TACET_MEMORY_LIBRARY_MAX + 1] = { [0 ... TACET_MEMORY_LIBRARY_MAX - 1] = '/' };
	static char many[TACET_MEMORY_PROGRAMS_MAX + 1] = "/", lengthy[5000] = "/";
	struct tacet_stamp_count count = { .tag = 1 };
	struct tacet_stamp_counts counts = { .counts = (uintptr_t)&count, .count = 1 };
	struct tacet_memory_policy policy = { .scope = 4 };

	refuse("scope", TACET_IOC_MEMORY, &policy);
	policy = (struct tacet_memory_policy){ .spared = TACET_LAYERS_ALL + 1 };
	refuse("layer", TACET_IOC_MEMORY, &policy);
	policy = (struct tacet_memory_policy){ .reserved = 1 };
	refuse("reserved", TACET_IOC_MEMORY, &policy);
	policy = (struct tacet_memory_policy){ .scope = TACET_MEMORY_CHOSEN, .library = 8 };
	refuse("library-pointer", TACET_IOC_MEMORY, &policy);
	policy.library = (uintptr_t)"library.so";
	refuse("library-relative", TACET_IOC_MEMORY, &policy);
	policy.library = (uintptr_t)"/one:/two";
	refuse("library-two", TACET_IOC_MEMORY, &policy);
	policy.library = (uintptr_t)long_library;
	refuse("library-long", TACET_IOC_MEMORY, &policy);
	policy = (struct tacet_memory_policy){ .scope = TACET_MEMORY_CHOSEN, .programs = 8, .programs_size = 8 };
	refuse("pointer", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)"relative";
	policy.programs_size = 9;
	refuse("relative", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)"/no-end";
	policy.programs_size = 7;
	refuse("no-end", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)"/first\0";
	policy.programs_size = 8;
	refuse("empty-path", TACET_IOC_MEMORY, &policy);
	memset(lengthy + 1, 'x', sizeof(lengthy) - 2);
	policy.programs = (uintptr_t)lengthy;
	policy.programs_size = sizeof(lengthy);
	refuse("long", TACET_IOC_MEMORY, &policy);
	policy.programs = (uintptr_t)many;
	policy.programs_size = sizeof(many);
	refuse("many", TACET_IOC_MEMORY, &policy);
	refuse("unknown-tag", TACET_IOC_STAMPS, &counts);
	counts.count = TACET_STAMP_TAGS_MAX + 1;
	refuse("many-tags", TACET_IOC_STAMPS, &counts);
	counts.count = 0;
	refuse("no-tags", TACET_IOC_STAMPS, &counts);
	counts = (struct tacet_stamp_counts){ .counts = 8, .count = 1 };
	refuse("tags-pointer", TACET_IOC_STAMPS, &counts);
	return 0;
}

static const struct command {
	const char *name;
	int least, most; /* words behind it */
	int (*run)(char **words);
} commands[] = {
	{ "policy", 1, 100, set_policy },
	{ "tag", 0, 0, make_tag },
	{ "put", 2, 3, put },
	{ "file", 2, 2, write_file },
	{ "hold", 2, 2, hold_file },
	{ "pipe", 1, 2, keep_in_pipe },
	{ "pour", 1, 1, pour },
	{ "drain", 0, 0, drain },
	{ "give", 3, 4, give },
	{ "take", 2, 2, take },
	{ "pass", 3, 3, pass },
	{ "reuse", 3, 3, reuse },
	{ "share", 2, 2, share },
	{ "scribble", 1, 1, scribble },
	{ "terminal", 2, 4, at_terminal },
	{ "send", 1, 1, send_stamps },
	{ "receive", 1, 1, receive_stamps },
	{ "count", 1, 100, count },
	{ "crash", 2, 2, crash },
	{ "stack", 3, 3, lose_stack },
	{ "living", 1, 1, living },
	{ "bad", 0, 0, bad },
};

int main(int argc, char **argv)
{
	const struct command *command = commands, *end = command + sizeof(commands) / sizeof(*commands);

	while (argc > 1 && command < end && strcmp(command->name, argv[1]))
		command++;
	if (argc > 1 && command < end && argc - 2 >= command->least && argc - 2 <= command->most)
		return command->run(argv + 2);
	fprintf(stderr, "usage: memory WHAT ..., as the head of memory.c tells\n");
	return 2;
}
