// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes pairs and kills, stops and continues a half of each at random moments. The exit status is 1 when a process
 * did not end within a time that is far longer than every deadline of the module.
 *   stress PAIRS SEED
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AT_ONCE 6
#define PATIENCE_MS 20000

struct worker {
	pid_t pid;
	int number;
	/* When what is done to it, in ms; and when it counts as hanging. */
	long strike, end, deadline;
	int struck, continued;
};

static struct worker workers[AT_ONCE];
static char adopter_children[64];
static int hung;

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What arrives tells which process sent it: its number, and its pid and thread. */
static int own_number;

static void send_secret(const char *data, ssize_t size)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char message[8192];

	size = snprintf(message, sizeof(message), "[%d %d/%d] %.*s", own_number, getpid(), gettid(), (int)size, data);
	inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
	if (!connect(fd, (void *)&address, sizeof(address)))
		for (int i = 0; i < 3 && write(fd, message, size) < 0; i++)
			usleep(1000);
	close(fd);
}

static void through_pipe(const char *data, ssize_t size)
{
	char back[4096];
	int ends[2];

	if (pipe(ends))
		return;
	if (!fork()) {
		size = read(ends[0], back, sizeof(back));
		if (size > 0)
			send_secret(back, size);
		_exit(0);
	}
	if (write(ends[1], data, size) < 0)
		_exit(1);
	close(ends[1]);
	wait(NULL);
}

static char shared_data[4096];
static ssize_t shared_size;

static void *send_in_thread(void *unused)
{
	send_secret(shared_data, shared_size);
	return unused;
}

static void by_threads(void)
{
	pthread_t threads[3];
	int made = 0;

	while (made < 3 && !pthread_create(&threads[made], NULL, send_in_thread, NULL))
		made++;
	while (made)
		pthread_join(threads[--made], NULL);
}

static void work(int number)
{
	int fd = open("secret", O_RDONLY);

	own_number = number;
	shared_size = read(fd, shared_data, sizeof(shared_data));
	if (shared_size < 0)
		_exit(1);
	for (int i = 0; i < 20; i++) {
		usleep(random() % 500);
		getppid();
	}
	switch (number % 4) {
	case 0:
		send_secret(shared_data, shared_size);
		break;
	case 1:
		through_pipe(shared_data, shared_size);
		break;
	case 2:
		by_threads();
		break;
	case 3:
		if (!fork())
			execl("/usr/bin/leak", "leak", "read", "write", "secret", NULL);
		wait(NULL);
	}
	send_secret(shared_data, shared_size);
	_exit(0);
}

static void start(struct worker *worker, int number)
{
	long now = now_ms();
	unsigned int seed = random();

	*worker = (struct worker){ .number = number, .strike = now + random() % 60, .deadline = now + PATIENCE_MS };
	worker->end = worker->strike + random() % 100;
	worker->pid = fork();
	if (!worker->pid) {
		srandom(seed);
		setpgid(0, 0);
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		work(number);
	}
}

static void find_adopter(void)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;
	char path[300], name[32] = "";
	FILE *file;

	while ((entry = readdir(directory))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file) && !strcmp(name, "tacet_adopter\n"))
			snprintf(adopter_children, sizeof(adopter_children), "/proc/%.10s/task/%.10s/children",
				 entry->d_name, entry->d_name);
		fclose(file);
	}
	closedir(directory);
	if (!*adopter_children)
		exit(2);
}

/* Any doppelganger: which original it belongs to is not to be seen. */
static pid_t some_double(void)
{
	FILE *file = fopen(adopter_children, "r");
	int pids[64], count = 0;

	while (file && count < 64 && fscanf(file, "%d", &pids[count]) == 1)
		count++;
	if (file)
		fclose(file);
	return count ? pids[random() % count] : 0;
}

static void strike(struct worker *worker, pid_t *victim)
{
	*victim = random() % 2 ? worker->pid : some_double();
	worker->struck = 1;
	if (!*victim)
		return;
	if (random() % 2)
		kill(*victim, SIGKILL);
	else
		kill(*victim, SIGSTOP);
}

static void look_after(struct worker *worker)
{
	static pid_t victims[AT_ONCE];
	pid_t *victim = &victims[worker - workers];
	long now = now_ms();

	if (!worker->struck && now >= worker->strike)
		strike(worker, victim);
	if (worker->struck && !worker->continued && now >= worker->end && *victim) {
		worker->continued = 1;
		kill(*victim, SIGCONT);
	}
	if (now >= worker->deadline) {
		printf("worker %d, pid %d, kind %d hangs\n", worker->number, worker->pid, worker->number % 4);
		hung++;
		kill(-worker->pid, SIGKILL);
		worker->deadline = now + PATIENCE_MS;
	}
}

int main(int count, char **words)
{
	int wanted, started = 0, ended = 0, status;
	pid_t pid;

	if (count != 3)
		return 2;
	wanted = atoi(words[1]);
	srandom(atoi(words[2]));
	setvbuf(stdout, NULL, _IONBF, 0);
	find_adopter();
	while (ended < wanted && hung < 10) {
		for (struct worker *worker = workers; worker < workers + AT_ONCE; worker++) {
			if (worker->pid)
				look_after(worker);
			else if (started < wanted)
				start(worker, started++);
		}
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			for (struct worker *worker = workers; worker < workers + AT_ONCE; worker++)
				if (worker->pid == pid) {
					kill(-pid, SIGCONT);
					kill(-pid, SIGKILL);
					worker->pid = 0;
					ended++;
				}
		usleep(1000);
	}
	printf("%d of %d ended, %d hung\n", ended, wanted, hung);
	return hung || ended < wanted;
}
