// SPDX-License-Identifier: GPL-2.0-only
/* Children and programs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "innocent.h"

extern char **environ;

static void fork_tree(void)
{
	int status, sum = 0;

	for (int i = 0; i < 3; i++)
		if (!fork()) {
			for (int j = 0; j < 2; j++)
				if (!fork())
					_exit(j + 1);
			while (wait(&status) > 0)
				sum += WEXITSTATUS(status);
			_exit(10 * i + sum);
		}
	while (wait(&status) > 0)
		sum += WEXITSTATUS(status);
	innocent_say(" %d", sum);
}

static void spawned(void)
{
	char *words[] = { "true", "--nothing", NULL };
	int status;
	pid_t pid;

	INNOCENT_MUST(!posix_spawnp(&pid, "true", NULL, NULL, words, environ));
	INNOCENT_MUST(waitpid(pid, &status, 0) == pid && !status);
	pid = vfork();
	if (!pid) {
		execlp("true", "true", NULL);
		_exit(1);
	}
	INNOCENT_MUST(waitpid(pid, &status, 0) == pid && !status);
	INNOCENT_MUST(!system("exit 0"));
	innocent_say(" %d", pid);
}

static void other_program(void)
{
	execlp("bash", "bash", "-c", "echo deed other-program: $(echo $((6 * 7))) done > /dev/tcp/10.77.0.2/9", NULL);
	innocent_fail("exec");
}

static void names(void)
{
	char name[16] = "";

	INNOCENT_MUST(!prctl(PR_SET_NAME, "renamed") && !prctl(PR_GET_NAME, name));
	innocent_say(" %s %d", name, prctl(PR_GET_DUMPABLE));
	INNOCENT_MUST(!pthread_setname_np(pthread_self(), "again"));
}

/* Each starts the next and ends; the first waits for the last. */
static void processes_in_line(void)
{
	int ends[2], left;
	char byte;

	INNOCENT_MUST(!pipe(ends));
	if (!fork()) {
		for (left = 300; left; left--)
			if (fork())
				_exit(0);
		INNOCENT_MUST(write(ends[1], "x", 1) == 1);
		_exit(0);
	}
	close(ends[1]);
	INNOCENT_MUST(read(ends[0], &byte, 1) == 1 && wait(NULL) > 0);
	innocent_say(" %c", byte);
}

const struct innocent_deed innocent_processes[] = {
	{ "fork-tree", fork_tree },
	{ "spawned", spawned },
	{ "other-program", other_program },
	{ "processes-in-line", processes_in_line },
	{ "names", names },
	{ NULL, NULL },
};
