// SPDX-License-Identifier: GPL-2.0-only
/* What a daemon does with /dev/tacet, for the programs of the tests. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../../kernel/uapi/tacet.h"
#include "agent.h"

static const char *const actions[] = { "silence", "block", "allow", "scrub", "quit", "takeover", "told" };

/* Not a verdict: scrub, but not before the case has made this file. */
#define TOLD 6
#define TOLD_FILE "/run/told"
static const char *const counters[] = {
	"pairs",   "events",  "compared", "breaches", "tainted", "derived_files", "derived_channels",
	"blocked", "allowed", "scrubbed", "quit",     "lost",	 "takeovers",	  "merged",
};

static int open_device(int flags)
{
	int device = open(TACET_DEVICE, flags | O_CLOEXEC);

	if (device < 0) {
		perror(TACET_DEVICE);
		exit(2);
	}
	return device;
}

int agent_label(const char *path, unsigned int category)
{
	struct tacet_label_file request = { .shadow_fd = -1, .label.count = !!category };
	int device = open_device(O_WRONLY), error;

	request.label.categories[0] = category;
	request.fd = open(path, O_RDONLY);
	error = request.fd < 0 || ioctl(device, TACET_IOC_LABEL_SET, &request);
	if (error)
		perror(path);
	close(request.fd);
	close(device);
	return error;
}

int agent_show(const char *path)
{
	struct tacet_label_file request = { .shadow_fd = -1 };
	int device = open_device(O_WRONLY);

	request.fd = open(path, O_RDONLY);
	if (request.fd < 0 || ioctl(device, TACET_IOC_LABEL_GET, &request)) {
		perror(path);
		return 1;
	}
	printf("%u\n", request.label.count);
	return 0;
}

int agent_info(void)
{
	struct tacet_info information;
	unsigned int i;

	if (ioctl(open_device(O_WRONLY), TACET_IOC_INFO, &information))
		return 1;
	printf("armed_files %u\nwatched_tasks %u\n", information.armed_files, information.watched_tasks);
	for (i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		printf("%s %llu\n", counters[i], information.counters[i]);
	return 0;
}

unsigned int agent_watched(void)
{
	struct tacet_info information = {};
	int device = open_device(O_WRONLY);

	ioctl(device, TACET_IOC_INFO, &information);
	close(device);
	return information.watched_tasks;
}

unsigned long agent_followed(void)
{
	struct tacet_info information = {};
	int device = open_device(O_WRONLY);

	ioctl(device, TACET_IOC_INFO, &information);
	close(device);
	return information.counters[TACET_COUNTER_PAIRS] + information.counters[TACET_COUNTER_DERIVED_FILES];
}

int agent_policy(unsigned int question_ms, unsigned int barrier_ms)
{
	struct tacet_policy request = {
		.question_timeout_ms = question_ms,
		.barrier_timeout_ms = barrier_ms,
	};
	int device = open_device(O_WRONLY), error = ioctl(device, TACET_IOC_POLICY, &request);

	close(device);
	return error != 0;
}

int agent_flush(void)
{
	return ioctl(open_device(O_WRONLY), TACET_IOC_FLUSH) != 0;
}

int agent_guard(unsigned int category)
{
	struct tacet_guard request = { .count = !!category, .categories = { category } };
	int device = open_device(O_WRONLY), error = ioctl(device, TACET_IOC_GUARD, &request);

	close(device);
	return error != 0;
}

/* chain=cat>bash */
static void print_chain(const struct tacet_question *question)
{
	printf(" chain=");
	for (unsigned int i = 0; i < question->chain_length; i++)
		printf("%s%s", i ? ">" : "", question->chain[i].comm);
}

static void print_question(const struct tacet_question *question)
{
	printf("question comm=%s exe=%s origin=%s address=%u.%u.%u.%u port=%u length=%llu scrubbed=%llu flags=%u "
	       "likeness=%llu/%llu",
	       question->comm, question->executable, question->origin, question->address[0], question->address[1],
	       question->address[2], question->address[3], question->port, question->length, question->scrubbed_length,
	       question->flags, question->calls_equal, question->calls_total);
	print_chain(question);
	printf(" sink=%u target=%s\n", question->sink, question->target);
}

static void print_event(const struct tacet_event *event)
{
	const struct tacet_notice *notice = (const void *)event;

	if (event->type == TACET_EVENT_QUESTION)
		print_question((const void *)event);
	else if (event->type == TACET_EVENT_MISSED)
		printf("missed comm=%s\n", ((const struct tacet_question *)event)->comm);
	else
		printf("event type=%u comm=%s reason=%s path=%s\n", event->type, notice->comm, notice->reason,
		       notice->path);
	fflush(stdout);
}

static void answer_question(int device, const struct tacet_question *question, int action, int scope)
{
	struct tacet_verdict verdict = { .question = question->id, .action = action, .scope = scope };

	if (action == TOLD) {
		for (int i = 0; i < 500 && access(TOLD_FILE, F_OK); i++)
			usleep(10000);
		verdict.action = TACET_ACTION_SCRUB;
	}
	if (action && ioctl(device, TACET_IOC_VERDICT, &verdict) && errno != ENOENT)
		perror("verdict");
}

/* One that was just ended may still be on its way out. */
static int open_stream(void)
{
	int device;

	for (int tries = 0; tries < 100; tries++) {
		device = open(TACET_DEVICE, O_RDWR | O_CLOEXEC);
		if (device >= 0 || errno != EBUSY)
			break;
		usleep(20000);
	}
	if (device < 0) {
		perror(TACET_DEVICE);
		exit(2);
	}
	return device;
}

static int answer_all(int device, int action, int scope)
{
	static char buffer[1 << 18] __attribute__((aligned(8)));
	ssize_t size, offset;

	for (;;) {
		size = read(device, buffer, sizeof(buffer));
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return 1;
		for (offset = 0; offset < size;) {
			const struct tacet_event *event = (const void *)(buffer + offset);

			print_event(event);
			if (event->type == TACET_EVENT_QUESTION)
				answer_question(device, (const void *)event, action, scope);
			offset += event->size;
		}
	}
}

int agent_action(const char *name)
{
	for (int i = 0; i < (int)(sizeof(actions) / sizeof(*actions)); i++)
		if (!strcmp(name, actions[i]))
			return i;
	fprintf(stderr, "no action %s\n", name);
	exit(2);
}

int agent_scope(const char *name)
{
	if (name && !strcmp(name, "process"))
		return TACET_SCOPE_PROCESS;
	if (name && !strcmp(name, "file"))
		return TACET_SCOPE_FILE;
	return name && !strcmp(name, "flow-file") ? TACET_SCOPE_FLOW_FILE : TACET_SCOPE_FLOW;
}

int agent_answer(int action, int scope)
{
	return answer_all(open_stream(), action, scope);
}

static int served = -1;

/* Reads what waits and ends then, whatever happens within 5 s. */
static void end_soon(int signal)
{
	(void)signal;
	fcntl(served, F_SETFL, O_RDWR | O_NONBLOCK);
	alarm(5);
}

pid_t agent_serve(int action, const char *log, int scope)
{
	struct sigaction ending = { .sa_handler = end_soon };
	int device = open_stream();
	pid_t child = fork();

	if (child) {
		close(device);
		return child;
	}
	setsid();
	served = device;
	sigaction(SIGTERM, &ending, NULL);
	if (!freopen(log, "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(2);
	_exit(answer_all(device, action, scope));
}
