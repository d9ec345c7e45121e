// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for tacetd in the tests of the module alone.
 *   agent label FILE...           labels the files with category 1, label-other: with 2
 *   agent unlabel FILE...
 *   agent label-as CATEGORY FILE
 *   agent show FILE               prints the number of categories
 *   agent info                    prints the counters
 *   agent policy QUESTION_MS BARRIER_MS [PAUSED]
 *   agent flush                   forgets cached verdicts
 *   agent guard CATEGORY          changes to such files are asked about; 0: to none
 *   agent answer ACTION [SCOPE]   prints every event; answers questions with
 *                                 block, allow, scrub, quit, takeover or silence, for flow or process
 *   agent serve ACTION LOG [SCOPE]  the same in the background, into LOG; prints its pid once it serves
 *   agent doubles                 prints the pids of all doppelgangers
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"

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

static int command(int count, char **words)
{
	if (!strcmp(words[1], "info"))
		return agent_info();
	if (!strcmp(words[1], "flush"))
		return agent_flush();
	if (!strcmp(words[1], "guard") && count == 3)
		return agent_guard(atoi(words[2]));
	if (!strcmp(words[1], "doubles"))
		return doubles();
	if (!strcmp(words[1], "show") && count == 3)
		return agent_show(words[2]);
	if (!strcmp(words[1], "label-as") && count == 4)
		return agent_label(words[3], atoi(words[2]));
	if (!strcmp(words[1], "policy") && count >= 4)
		return agent_policy(atoi(words[2]), atoi(words[3]));
	if (!strcmp(words[1], "answer") && count >= 3)
		return agent_answer(agent_action(words[2]), agent_scope(words[3]));
	if (!strcmp(words[1], "serve") && count >= 4)
		return printf("%d\n", agent_serve(agent_action(words[2]), words[3], agent_scope(words[4]))) < 0;
	return 2;
}

int main(int count, char **words)
{
	static const char *const labels[] = { "unlabel", "label", "label-other" };
	int failed = 0, category = 0;

	if (count < 2)
		return 2;
	while (category < 3 && strcmp(words[1], labels[category]))
		category++;
	if (category == 3)
		return command(count, words);
	for (int i = 2; i < count; i++)
		failed |= agent_label(words[i], category);
	return failed;
}
