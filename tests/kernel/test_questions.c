// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions without the engine, through /dev/tacet-parts of tacet_parts.ko: a
 * daemon thread in this process, asking children. Runs as root, on any file
 * system with trusted attributes. usage: test_questions [DIRECTORY]
 * One file, however long: all tests ask through the same thread and children.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "parts_test.h"

static int stream = -1;

static unsigned long long now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_BOOTTIME, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static void set_policy(unsigned int timeout_ms)
{
	struct tacet_policy policy = {
		.question_timeout_ms = timeout_ms,
		.barrier_timeout_ms = 3000,
	};

	if (ioctl(control, TACET_IOC_POLICY, &policy))
		tap_bail("TACET_IOC_POLICY");
}

static unsigned long long counter(unsigned int which)
{
	struct tacet_info info;

	if (ioctl(control, TACET_IOC_INFO, &info))
		tap_bail("TACET_IOC_INFO");
	return info.counters[which];
}

/* A datagram socket connected to a neighbour, which need not exist. */
static int remote_socket(int port)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr.s_addr = htonl(0x0a010209) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&in, sizeof(in)))
		tap_bail("connect");
	return fd;
}

static int ask_about(int fd, unsigned int category, int with_scrubbed, int origin)
{
	struct parts_ask request = {
		.fd = fd,
		.origin_fd = origin,
		.label = { .count = 1, .categories = { category } },
		.length = 22,
		.scrubbed_length = with_scrubbed ? 22 : ~0U,
	};

	memcpy(request.data, secret, 22);
	memcpy(request.scrubbed, scrubbed, 22);
	if (ioctl(parts, PARTS_ASK, &request))
		return -errno;
	return request.action;
}

static int ask(int fd, unsigned int category, int with_scrubbed)
{
	return ask_about(fd, category, with_scrubbed, -1);
}

/* A child must not keep the stream claimed. */
static pid_t fork_without_stream(void)
{
	pid_t child = fork();

	if (!child)
		close_range(stream, stream, 0);
	return child;
}

static pid_t ask_in_child(int fd, unsigned int category)
{
	pid_t child = fork_without_stream();

	if (!child)
		_exit(ask(fd, category, 1));
	return child;
}

static int child_answer(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* The next event within @timeout ms; its type, or 0. */
static unsigned int next_event(int reader, struct tacet_question *question, int timeout)
{
	struct pollfd poller = { .fd = reader, .events = POLLIN };

	memset(question, 0, sizeof(*question));
	if (poll(&poller, 1, timeout) != 1)
		return 0;
	if (read(reader, question, sizeof(*question)) <= 0)
		return 0;
	return question->event.type;
}

static int answer(unsigned long long id, unsigned int action, unsigned int scope, unsigned long long until)
{
	struct tacet_verdict verdict = { .question = id, .action = action, .scope = scope, .until = until };

	return ioctl(control, TACET_IOC_VERDICT, &verdict);
}

static int open_stream(void)
{
	int reader = open(TACET_DEVICE, O_RDONLY | O_CLOEXEC);
	struct tacet_question question;

	if (reader < 0)
		tap_bail("the stream");
	while (next_event(reader, &question, 0))
		;
	stream = reader;
	return reader;
}

static void test_no_reader(int fd)
{
	unsigned long long blocked = counter(TACET_COUNTER_BLOCKED);
	struct tacet_question question;
	int reader;

	close(open_stream());
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "no daemon: blocked");
	tap_equal(counter(TACET_COUNTER_BLOCKED), blocked + 1, "and counted");
	reader = open(TACET_DEVICE, O_RDONLY);
	tap_equal(next_event(reader, &question, 1000), TACET_EVENT_MISSED, "the next daemon learns what it missed");
	tap_equal(question.event.size, sizeof(question), "as a whole question");
	close(reader);
}

/* A thread with a name of its own asks; 99 is a failure. */
static void *ask_as_worker(void *request)
{
	prctl(PR_SET_NAME, "worker");
	_exit(ioctl(parts, PARTS_ASK, request) ? 99 : ((struct parts_ask *)request)->action);
}

static void test_question_record(int fd)
{
	int reader = open_stream(), labelled = make_file("origin", secret);
	struct tacet_question question;
	struct parts_ask request = {
		.fd = fd,
		.origin_fd = labelled,
		.label = { .count = 2, .categories = { 5, 6 } },
		.length = 22,
		.scrubbed_length = 21,
		.flags = TACET_QUESTION_CONNECT,
	};
	unsigned long long before = now_ns();
	char path[256], own[256] = "";
	struct stat stat;
	pthread_t thread;
	pid_t child;

	memcpy(request.data, secret, 22);
	memcpy(request.scrubbed, scrubbed, 21);
	set_policy(60000);
	child = fork_without_stream();
	if (!child) {
		pthread_create(&thread, NULL, ask_as_worker, &request);
		pthread_join(thread, NULL);
		_exit(99);
	}
	tap_equal(next_event(reader, &question, 5000), TACET_EVENT_QUESTION, "a question");
	tap_ok(question.pid == (unsigned)child && question.tid > question.pid && !question.uid, "whose");
	tap_equal(question.flags, TACET_QUESTION_CONNECT, "its flags");
	tap_ok(question.deadline >= before + 60000000000ULL && question.deadline < now_ns() + 60000000000ULL, "its "
													      "deadlin"
													      "e");
	tap_ok(question.sink == TACET_SINK_NETWORK && question.family == AF_INET && question.port == 9 &&
		       question.protocol == IPPROTO_UDP && question.address[0] == 10 && question.address[3] == 9,
	       "its peer");
	tap_ok(question.label.count == 2 && question.label.categories[1] == 6, "its label");
	tap_ok(question.length == 22 && question.scrubbed_length == 21, "its lengths");
	tap_ok(question.calls_equal == 7 && question.calls_total == 9, "its likeness");
	tap_ok(question.excerpt_length == 22 && !memcmp(question.excerpt, secret, 22), "its excerpt");
	tap_ok(question.scrubbed_excerpt_length == 21 && !memcmp(question.scrubbed_excerpt, scrubbed, 21), "and "
													   "scrubbed");
	tap_ok(!strcmp(question.comm, "test_questions"), "its process's name");
	readlink("/proc/self/exe", own, sizeof(own) - 1);
	tap_ok(!strcmp(question.executable, own), "its executable");
	fstat(labelled, &stat);
	snprintf(path, sizeof(path), "%s/origin", directory);
	tap_ok(question.origin_device == stat.st_dev && question.origin_inode == stat.st_ino &&
		       !strcmp(question.origin, path) && question.chain_length == 1 &&
		       question.chain[0].pid == question.pid && !strcmp(question.chain[0].comm, question.comm),
	       "its origin");
	tap_ok(question.start_time > 0 && question.start_time <= question.event.time, "its start");
	tap_equal(answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1), 0, "answer");
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "is what it gets");
	tap_errno(answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1), ENOENT, "an answer too many");
	close(labelled);
	remove_file("origin");
	close(reader);
}

static void test_actions(int fd)
{
	int reader = open_stream(), action, with_scrubbed;
	struct tacet_question question;
	pid_t child;

	for (action = TACET_ACTION_BLOCK; action <= TACET_ACTION_SCRUB; action++) {
		child = ask_in_child(fd, 20 + action);
		next_event(reader, &question, 5000);
		answer(question.id, action, TACET_SCOPE_PROCESS, 1);
		tap_equal(child_answer(child), action, "an action is passed on");
	}
	child = ask_in_child(fd, 24);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_QUIT, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), -SIGKILL, "QUIT kills");
	with_scrubbed = 0;
	child = fork_without_stream();
	if (!child)
		_exit(ask(fd, 25, with_scrubbed));
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_SCRUB, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "nothing scrubbed to send: blocked");
	close(reader);
}

static void test_cache_of_a_file(int fd, int other)
{
	int reader = open_stream(), one = make_file("one", secret), two = make_file("two", secret);
	struct tacet_question question;
	struct stat stat;
	pid_t child;

	child = fork_without_stream();
	if (!child)
		_exit(ask_about(fd, 5, 1, one) == TACET_ACTION_ALLOW &&
		      ask_about(other, 5, 1, one) == TACET_ACTION_ALLOW &&
		      ask_about(fd, 5, 1, two) == TACET_ACTION_BLOCK &&
		      ask_about(other, 5, 1, one) == TACET_ACTION_ALLOW && ask(fd, 5, 1) == TACET_ACTION_BLOCK);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_FILE, 0);
	next_event(reader, &question, 5000);
	fstat(two, &stat);
	tap_equal(question.origin_inode, stat.st_ino, "cached for the file: another one is asked about");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_FILE, 0);
	next_event(reader, &question, 5000);
	tap_equal(question.origin_inode, 0, "and about data of none");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_FILE, 0);
	tap_equal(child_answer(child), 1, "and each is answered");
	close(reader);
	close(one);
	close(two);
	remove_file("one");
	remove_file("two");
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not for another process");
}

/* What is cached is answered with no daemon at all; what is not is blocked. */
static void test_cache(int fd)
{
	int reader = open_stream(), other = remote_socket(9), third = remote_socket(10);
	struct tacet_question question;
	pid_t child;

	child = fork_without_stream();
	if (!child)
		_exit(ask(fd, 5, 1) * 16 + ask(fd, 5, 1));
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_FLOW, 0);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW * 17, "cached for the flow");
	close(reader);
	tap_equal(ask(fd, 5, 1), TACET_ACTION_ALLOW, "for other processes on it too");
	tap_equal(ask(fd, 6, 1), TACET_ACTION_BLOCK, "not for another label");
	tap_equal(ask(other, 5, 1), TACET_ACTION_BLOCK, "not for another socket");
	{
		struct sockaddr_in in = { .sin_family = AF_INET,
					  .sin_port = htons(11),
					  .sin_addr.s_addr = htonl(0x0a010209) };

		connect(fd, (struct sockaddr *)&in, sizeof(in));
		tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not when the socket is connected to another peer");
		in.sin_port = htons(9);
		connect(fd, (struct sockaddr *)&in, sizeof(in));
		tap_equal(ask(fd, 5, 1), TACET_ACTION_ALLOW, "again when it is back");
	}
	ioctl(control, TACET_IOC_FLUSH);
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not after a flush");

	reader = open_stream();
	child = fork_without_stream();
	if (!child)
		_exit(ask(fd, 5, 1) == TACET_ACTION_ALLOW && ask(other, 5, 1) == TACET_ACTION_ALLOW &&
		      ask(third, 5, 1) == TACET_ACTION_BLOCK);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 0);
	next_event(reader, &question, 5000);
	tap_equal(question.port, 10, "cached for the process and the peer: only another peer is asked");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_PROCESS, 0);
	tap_equal(child_answer(child), 1, "and each is answered");
	close(reader);
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not for another process");

	test_cache_of_a_file(fd, other);

	reader = open_stream();
	child = fork_without_stream();
	if (!child) {
		int first = ask(fd, 5, 1), second = ask(fd, 5, 1), last;

		usleep(700000);
		last = ask(fd, 5, 1);
		_exit(first == TACET_ACTION_ALLOW && second == TACET_ACTION_ALLOW && last == TACET_ACTION_BLOCK);
	}
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, now_ns() + 500000000);
	usleep(100000);
	close(reader);
	tap_equal(child_answer(child), 1, "a verdict ends in time");

	reader = open_stream();
	child = fork_without_stream();
	if (!child) {
		int first = ask(fd, 5, 1);

		ioctl(parts, PARTS_FORGET);
		_exit(first == TACET_ACTION_ALLOW && ask(fd, 5, 1) == TACET_ACTION_BLOCK);
	}
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 0);
	usleep(50000);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), 1, "a process that is gone is forgotten");
	close(reader);
	close(other);
	close(third);
}

static void test_timeout(int fd)
{
	unsigned long long start;
	struct tacet_question question;
	int reader = open_stream(), seen = 0, i;
	unsigned long long id;
	pid_t child;

	set_policy(300);
	start = now_ns();
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	id = question.id;
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "no answer in time: blocked");
	tap_ok(now_ns() - start >= 300000000 && now_ns() - start < 2000000000, "at the deadline");
	for (i = 0; i < 2; i++) {
		unsigned int type = next_event(reader, &question, 1000);

		if (type == TACET_EVENT_WITHDRAWN && ((struct tacet_notice *)&question)->id == id)
			seen |= 1;
		if (type == TACET_EVENT_MISSED && question.id == id)
			seen |= 2;
	}
	tap_equal(seen, 3, "withdrawn and missed");
	tap_errno(answer(id, TACET_ACTION_ALLOW, TACET_SCOPE_FLOW, 0), ENOENT, "too late");
	child = ask_in_child(fd, 5);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "a question that the daemon has not read yet");
	tap_equal(next_event(reader, &question, 1000), TACET_EVENT_MISSED, "is only missed");
	tap_equal(next_event(reader, &question, 100), 0, "and nothing else");

	set_policy(60000);
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	id = question.id;
	kill(child, SIGKILL);
	tap_equal(child_answer(child), -SIGKILL, "one who waits can be killed");
	tap_ok(next_event(reader, &question, 1000) == TACET_EVENT_WITHDRAWN &&
		       ((struct tacet_notice *)&question)->id == id,
	       "the question is withdrawn");
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	kill(child, SIGSTOP);
	usleep(50000);
	kill(child, SIGCONT);
	usleep(50000);
	tap_equal(answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1), 0,
		  "one who is stopped and continued");
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "waits on");
	close(reader);
}

static int extend(unsigned long long id, unsigned long long *deadline)
{
	struct tacet_extension extension = { .question = id, .deadline = *deadline };
	int error = ioctl(control, TACET_IOC_EXTEND, &extension);

	*deadline = extension.deadline;
	return error;
}

static void test_extension(int fd)
{
	struct tacet_question question, again;
	unsigned long long start = now_ns(), deadline;
	int reader;
	pid_t child;

	set_policy(500);
	reader = open_stream();
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	deadline = 1;
	tap_ok(!extend(question.id, &deadline) && deadline == question.deadline, "a deadline does not move back");
	deadline = ~0ULL;
	tap_ok(!extend(question.id, &deadline) && deadline >= start + 600000000000ULL &&
		       deadline <= now_ns() + 600000000000ULL,
	       "nor to more than ten minutes after the question");
	close(reader);
	stream = reader = open(TACET_DEVICE, O_RDONLY | O_CLOEXEC);
	tap_ok(next_event(reader, &again, 1000) == TACET_EVENT_QUESTION && again.deadline == deadline, "the next "
												       "daemon is told "
												       "the new one");
	tap_equal(next_event(reader, &again, 1500), 0, "the question outlives its old deadline");
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "and takes an answer then");
	tap_ok(extend(question.id, &deadline) && errno == ENOENT, "a question that is over is not extended");

	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	deadline = question.deadline + 700000000;
	extend(question.id, &deadline);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "without an answer it is blocked");
	tap_ok(now_ns() >= deadline && now_ns() < deadline + 1500000000, "at the new deadline");
	set_policy(60000);
	close(reader);
}

static void test_new_reader(int fd)
{
	struct tacet_question question;
	int reader = open_stream();
	unsigned long long id;
	pid_t child;

	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	id = question.id;
	close(reader);
	usleep(50000);
	stream = reader = open(TACET_DEVICE, O_RDWR);
	tap_ok(next_event(reader, &question, 1000) == TACET_EVENT_QUESTION && question.id == id, "asked again of the "
												 "next daemon");
	tap_equal(next_event(reader, &question, 100), 0, "once");
	close(reader);
	stream = reader = open(TACET_DEVICE, O_RDWR);
	close(reader);
	stream = reader = open(TACET_DEVICE, O_RDWR);
	tap_ok(next_event(reader, &question, 1000) == TACET_EVENT_QUESTION && question.id == id, "and of the one "
												 "after");
	tap_equal(next_event(reader, &question, 100), 0, "once, though nobody had read it");
	answer(id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "its answer arrives");
	close(reader);
}

struct asking {
	pthread_t thread;
	int fd, category, action;
};

static void *ask_in_thread(void *argument)
{
	struct asking *asking = argument;

	asking->action = ask(asking->fd, asking->category, 1);
	return NULL;
}

static void test_coalescing(int fd)
{
	struct tacet_question question, other;
	struct asking threads[8];
	int reader = open_stream(), i, wrong = 0;
	pid_t child;

	for (i = 0; i < 8; i++) {
		threads[i] = (struct asking){ .fd = fd, .category = 5 };
		pthread_create(&threads[i].thread, NULL, ask_in_thread, &threads[i]);
	}
	usleep(200000);
	child = ask_in_child(fd, 5);
	tap_equal(next_event(reader, &question, 5000), TACET_EVENT_QUESTION, "threads that ask the same");
	tap_equal(next_event(reader, &other, 5000), TACET_EVENT_QUESTION, "and another process");
	tap_equal(next_event(reader, &other, 100), 0, "ask two questions");
	answer(question.id, TACET_ACTION_SCRUB, TACET_SCOPE_FLOW, 1);
	for (i = 0; i < 8; i++) {
		pthread_join(threads[i].thread, NULL);
		wrong += threads[i].action != TACET_ACTION_SCRUB;
	}
	tap_equal(wrong, 0, "one answer is for all threads");
	tap_equal(child_answer(child), TACET_ACTION_SCRUB, "and settles the flow for the other process");
	tap_equal(next_event(reader, &other, 1000), TACET_EVENT_WITHDRAWN, "whose question is withdrawn");
	close(reader);
}

static void test_overflow(int fd)
{
	struct tacet_question question;
	int reader, i, missed = 0, lost = 0;

	close(open_stream());
	for (i = 0; i < 300; i++)
		if (ask(fd, 5, 1) != TACET_ACTION_BLOCK)
			tap_ok(0, "blocked without a daemon");
	reader = open(TACET_DEVICE, O_RDONLY);
	while (next_event(reader, &question, 100)) {
		missed += question.event.type == TACET_EVENT_MISSED;
		if (question.event.type == TACET_EVENT_LOST)
			lost += ((struct tacet_notice *)&question)->id;
	}
	tap_equal(missed, 256, "the queue is bounded");
	tap_equal(lost, 44, "what was lost is counted");
	close(reader);
}

static void test_file_sink(void)
{
	struct tacet_question question;
	int reader = open_stream(), fd = open("/dev/vda", O_RDWR);
	pid_t child;

	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	tap_ok(question.sink == TACET_SINK_DEVICE && !strcmp(question.target, "/dev/vda"), "a device as the target");
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_FLOW, 0);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "is answered");
	child = ask_in_child(fd, 5);
	tap_equal(next_event(reader, &question, 5000), TACET_EVENT_QUESTION, "for that process alone");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_FLOW, 0);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "and another is answered for itself");
	ioctl(control, TACET_IOC_FLUSH);
	close(fd);
	close(reader);
}

static void *ask_often(void *argument)
{
	struct asking *asking = argument;
	int i;

	for (i = 0; i < 300; i++)
		ask(asking->fd, 100 + i % 7, 1);
	return NULL;
}

/* Answers, flushes, kills and a daemon that comes and goes, all at a time. */
static void test_question_stress(int fd)
{
	struct asking asking = { .fd = fd };
	struct tacet_question question;
	pthread_t threads[4];
	int process, i, reader = -1, status, round = 0;
	pid_t children[4];

	set_policy(100);
	for (process = 0; process < 4; process++) {
		children[process] = fork_without_stream();
		if (children[process])
			continue;
		for (i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, ask_often, &asking);
		for (i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		_exit(0);
	}
	for (;;) {
		if (reader < 0)
			reader = open(TACET_DEVICE, O_RDONLY | O_CLOEXEC);
		if (next_event(reader, &question, 5) == TACET_EVENT_QUESTION)
			answer(question.id, 1 + round % 3, 1 + round % 2, round % 3 ? now_ns() + 3000000 : 0);
		if (++round % 11 == 0)
			ioctl(control, TACET_IOC_FLUSH);
		if (round % 17 == 0) {
			close(reader);
			reader = -1;
		}
		if (round == 100)
			kill(children[0], SIGKILL);
		if (waitpid(-1, &status, WNOHANG) == -1)
			break;
	}
	close(reader);
	tap_ok(1, "four processes of four threads, %d rounds", round);
	set_policy(60000);
	ioctl(control, TACET_IOC_FLUSH);
}

int main(int count, char **arguments)
{
	int fd;

	begin(count, arguments);
	if (system("ip link add outside type dummy && ip address add 10.1.2.3/24 dev outside && ip link set outside "
		   "up"))
		tap_bail("a network device");
	fd = remote_socket(9);
	test_no_reader(fd);
	test_question_record(fd);
	test_actions(fd);
	test_cache(fd);
	test_timeout(fd);
	test_extension(fd);
	test_new_reader(fd);
	test_coalescing(fd);
	test_overflow(fd);
	test_file_sink();
	test_question_stress(fd);
	if (system("ip link del outside"))
		tap_bail("ip link del");
	return tap_end();
}
