// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs one case of the suite and prints what came of it, in as few processes as can be: they are dear in an emulator.
 *   case NAME ACTION MILLISECONDS LABELLED    runs /run/case; ACTION is what agent.c answers, or none
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"

#define QUESTION_MS 5000
#define BARRIER_MS 2000
#define DIRECTORY "/mnt/case"
#define LOG "/run/agent.log"

static void must(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static void copy_file(const char *from, const char *to, const char *each_line)
{
	char *line = NULL;
	size_t room = 0;
	FILE *source = fopen(from, "r"), *target = to ? fopen(to, "w") : stdout;

	must(target != NULL, to);
	while (source && getline(&line, &room, source) > 0)
		fprintf(target, "%s%s", each_line, line);
	free(line);
	if (source)
		fclose(source);
	if (to)
		fclose(target);
}

static void tell_kernel_log(const char *name)
{
	FILE *log = fopen("/dev/kmsg", "w");

	must(log != NULL, "/dev/kmsg");
	fprintf(log, "<5>case %s\n", name);
	fclose(log);
}

/* What a case has left mounted would keep the next ones from beginning. */
static void unmount_all(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *mount;

	must(mounts != NULL, "mounts");
	while ((mount = getmntent(mounts)))
		if (!strncmp(mount->mnt_dir, DIRECTORY "/", sizeof(DIRECTORY)))
			umount2(mount->mnt_dir, MNT_DETACH);
	endmntent(mounts);
}

static void fresh_directory(int labelled)
{
	unmount_all();
	must(!system("rm -rf " DIRECTORY) && !mkdir(DIRECTORY, 0700) && !chdir(DIRECTORY), DIRECTORY);
	copy_file("/run/plain", "secret", "");
	must(!labelled || !agent_label("secret", 1), "label");
	unlink(LOG);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static pid_t start_case(void)
{
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		dup2(open("/dev/null", O_RDONLY), 0);
		dup2(1, 2);
		execl("/usr/bin/bash", "bash", "/run/case", NULL);
		_exit(127);
	}
	setpgid(pid, pid);
	return pid;
}

/* How much longer all takes on this kernel (tools/lib/kernel_guest.py). */
static int slowness(void)
{
	const char *factor = getenv("TACET_SLOWNESS");

	return factor ? atoi(factor) : 1;
}

/* As timeout(1) and the shell tell it. */
static int wait_for_case(pid_t pid, long limit_ms)
{
	long deadline = now_ms() + limit_ms;
	int status, late = 0;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (!late && now_ms() > deadline) {
			late = 1;
			kill(-pid, SIGKILL);
		}
		must(now_ms() < deadline + 30000, "the case cannot be killed");
		usleep(2000);
	}
	kill(-pid, SIGKILL);
	if (late)
		return 124;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What is left when the last task should have gone; it gets a second. */
static unsigned int watched_tasks(void)
{
	unsigned int watched = agent_watched();

	for (int tries = 0; tries < 100 * slowness() && watched; tries++) {
		usleep(10000);
		watched = agent_watched();
	}
	return watched;
}

static void print_received(void)
{
	FILE *ask = fopen("/run/ask", "w");

	must(ask && fprintf(ask, "\n") == 1 && !fclose(ask), "/run/ask");
	copy_file("/run/answer", NULL, "@received ");
}

int main(int count, char **words)
{
	pid_t server = 0;
	unsigned long followed;
	int status;

	if (count != 5)
		return 2;
	printf("\n@begin %s\n", words[1]);
	fflush(stdout);
	tell_kernel_log(words[1]);
	must(!agent_guard(0), "guard");
	fresh_directory(!strcmp(words[4], "yes"));
	must(!agent_policy(QUESTION_MS * slowness(), BARRIER_MS * slowness()), "policy");
	if (strcmp(words[2], "none"))
		server = agent_serve(agent_action(words[2]), LOG, agent_scope(NULL));
	followed = agent_followed();
	status = wait_for_case(start_case(), atol(words[3]) * slowness());
	if (server) {
		kill(server, SIGTERM);
		waitpid(server, NULL, 0);
	}
	printf("\n@status %d\n@watched %u\n@followed %lu\n", status, watched_tasks(), agent_followed() - followed);
	print_received();
	copy_file(LOG, NULL, "@event ");
	printf("@end %s\n", words[1]);
	return 0;
}
