// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for tacetd in the tests of the module alone.
 *   agent label FILE...           labels the files with category 1
 *   agent unlabel FILE...
 *   agent show FILE               prints the number of categories
 *   agent info                    prints the counters
 *   agent policy QUESTION_MS BARRIER_MS [PAUSED]
 *   agent flush                   forgets cached verdicts
 *   agent answer ACTION [SCOPE]   prints every event; answers questions with
 *                                 block, allow, scrub, quit or silence, for flow or process
 *   agent serve ACTION LOG [SCOPE]  the same in the background, into LOG; prints its pid once it serves
 *   agent doubles                 prints the pids of all doppelgangers
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../../kernel/uapi/tacet.h"

static const char *const actions[] = { "silence", "block", "allow", "scrub", "quit" };
static const char *const counters[] = {
	"pairs", "events", "compared", "breaches", "tainted", "derived_files", "derived_channels",
	"blocked", "allowed", "scrubbed", "quit", "lost",
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

static int label(const char *path, unsigned int categories)
{
	struct tacet_label_file request = { .shadow_fd = -1, .label.count = categories };
	int device = open_device(O_WRONLY), error;

	request.label.categories[0] = categories;
	request.fd = open(path, O_RDONLY);
	error = request.fd < 0 || ioctl(device, TACET_IOC_LABEL_SET, &request);
	if (error)
		perror(path);
	close(request.fd);
	close(device);
	return error;
}

static int show(const char *path)
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

static int info(void)
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

static int policy(const char *question, const char *barrier, const char *paused)
{
	struct tacet_policy request = {
		.question_timeout_ms = atoi(question),
		.barrier_timeout_ms = atoi(barrier),
		.paused = paused ? atoi(paused) : 0,
	};

	return ioctl(open_device(O_WRONLY), TACET_IOC_POLICY, &request) != 0;
}

static void print_question(const struct tacet_question *question)
{
	printf("question comm=%s exe=%s origin=%s address=%u.%u.%u.%u port=%u length=%llu scrubbed=%llu flags=%u likeness=%llu/%llu\n",
	       question->comm, question->executable, question->origin, question->address[0],
	       question->address[1], question->address[2], question->address[3], question->port,
	       question->length, question->scrubbed_length, question->flags, question->calls_equal,
	       question->calls_total);
}

static void print_event(const struct tacet_event *event)
{
	const struct tacet_notice *notice = (const void *)event;

	if (event->type == TACET_EVENT_QUESTION)
		print_question((const void *)event);
	else if (event->type == TACET_EVENT_MISSED)
		printf("missed comm=%s\n", ((const struct tacet_question *)event)->comm);
	else
		printf("event type=%u comm=%s reason=%s path=%s\n", event->type, notice->comm,
		       notice->reason, notice->path);
	fflush(stdout);
}

static void answer_question(int device, const struct tacet_question *question, int action, int scope)
{
	struct tacet_verdict verdict = { .question = question->id, .action = action, .scope = scope };

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

static int action_of(const char *name)
{
	for (int i = 0; i < 5; i++)
		if (!strcmp(name, actions[i]))
			return i;
	fprintf(stderr, "no action %s\n", name);
	exit(2);
}

static int scope_of(const char *name)
{
	return name && !strcmp(name, "process") ? TACET_SCOPE_PROCESS : TACET_SCOPE_FLOW;
}

static int serve(int action, const char *log, int scope)
{
	int device = open_stream();
	pid_t child = fork();

	if (child) {
		printf("%d\n", child);
		return child < 0;
	}
	setsid();
	if (!freopen(log, "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(2);
	return answer_all(device, action, scope);
}

static int status_of(const char *pid, char *name, int *parent)
{
	char path[64];
	FILE *file;
	int got;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	got = fscanf(file, "%*d (%63[^)]) %*c %d", name, parent);
	fclose(file);
	return got == 2;
}

static int doubles(void)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;
	char name[64];
	int adopter = -1, parent;

	while ((entry = readdir(directory)))
		if (atoi(entry->d_name) && status_of(entry->d_name, name, &parent) && !strcmp(name, "tacet_adopter"))
			adopter = atoi(entry->d_name);
	rewinddir(directory);
	while ((entry = readdir(directory)))
		if (atoi(entry->d_name) && status_of(entry->d_name, name, &parent) && parent == adopter)
			printf("%s\n", entry->d_name);
	closedir(directory);
	return adopter < 0;
}

int main(int count, char **words)
{
	int failed = 0;

	if (count < 2)
		return 2;
	if (!strcmp(words[1], "info"))
		return info();
	if (!strcmp(words[1], "show") && count == 3)
		return show(words[2]);
	if (!strcmp(words[1], "policy") && count >= 4)
		return policy(words[2], words[3], words[4]);
	if (!strcmp(words[1], "flush"))
		return ioctl(open_device(O_WRONLY), TACET_IOC_FLUSH) != 0;
	if (!strcmp(words[1], "answer") && count >= 3)
		return answer_all(open_stream(), action_of(words[2]), scope_of(words[3]));
	if (!strcmp(words[1], "serve") && count >= 4)
		return serve(action_of(words[2]), words[3], scope_of(words[4]));
	if (!strcmp(words[1], "doubles"))
		return doubles();
	if (strcmp(words[1], "label") && strcmp(words[1], "unlabel"))
		return 2;
	for (int i = 2; i < count; i++)
		failed |= label(words[i], !strcmp(words[1], "label"));
	return failed;
}
