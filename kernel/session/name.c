// SPDX-License-Identifier: GPL-2.0-only
/* Who learns the names of private programs: nobody from the kernel's log, and no other user. */
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include "memory/owner.h"
#include "session/name.h"
#include "session/session.h"

void tacet_session_unname(void)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (tacet_session_owner_of_task(thread) == TACET_OWNER_NONE)
			continue;
		task_lock(thread);
		strscpy_pad(thread->comm, TACET_SESSION_NAME, sizeof(thread->comm));
		task_unlock(thread);
	}
	rcu_read_unlock();
}

/* The service manager shows the processes of a unit to everybody who asks. */
static bool tells_everybody(void)
{
	return is_global_init(current) || !ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
}

bool tacet_session_hides_name(struct task_struct *task)
{
	u8 theirs = tacet_session_owner_of_task(task);

	return theirs != TACET_OWNER_NONE && theirs != tacet_session_owner_of_task(current) && tells_everybody();
}

/* The command line overwrites the arguments of `tacet run`, but not before its libraries are there. */
static bool hides_arguments(struct task_struct *task)
{
	return tacet_session_hides_name(task) || (!strcmp(task->comm, "tacet") && tells_everybody());
}

/* The folder's name is the number of the process. */
static bool hides_process(const struct dentry *folder, bool (*is_hidden)(struct task_struct *task))
{
	struct pid_namespace *namespace = proc_pid_ns(folder->d_sb);
	struct task_struct *task;
	bool hides;
	int number;

	if (kstrtoint(folder->d_name.name, 10, &number))
		return false;
	rcu_read_lock();
	task = pid_task(find_pid_ns(number, namespace), PIDTYPE_PID);
	hides = task && is_hidden(task);
	rcu_read_unlock();
	return hides;
}

bool tacet_session_hides_folder(const struct dentry *folder)
{
	return hides_process(folder, tacet_session_hides_name);
}

bool tacet_session_hides_arguments(const struct dentry *folder)
{
	return hides_process(folder, hides_arguments);
}

static bool is_in_word(char letter)
{
	return isalnum(letter) || letter == '_' || letter == '-';
}

static bool ends_path(char letter)
{
	return !letter || isspace(letter) || strchr("'\",()[]", letter);
}

/* Returns where the text goes on behind the replaced part. What does not fit is cut off. */
static char *replace_part(char *text, size_t size, char *from, const char *to)
{
	const size_t length = strlen(TACET_SESSION_NAME);
	size_t room = size - (from - text);

	if (room <= length)
		return text + strlen(text);
	memmove(from + length, to, min(strlen(to) + 1, room - length));
	memcpy(from, TACET_SESSION_NAME, length);
	text[size - 1] = 0;
	return from + length;
}

static bool hide_word(char *text, size_t size, const char *word)
{
	size_t length = strlen(word);
	char *from = text, *to;
	bool hidden = false;

	if (!length || !strcmp(word, TACET_SESSION_NAME))
		return false;
	while ((from = strstr(from, word))) {
		to = from + length;
		if (from > text && from[-1] == '/') {
			while (from > text && !ends_path(from[-1]))
				from--;
			while (!ends_path(*to))
				to++;
		} else if ((from > text && is_in_word(from[-1])) || is_in_word(*to)) {
			from = to;
			continue;
		}
		from = replace_part(text, size, from, to);
		hidden = true;
	}
	return hidden;
}

bool tacet_session_unname_text(char *text, size_t size)
{
	char names[2][TASK_COMM_LEN];
	bool hidden;

	/* Without a lock, as the scheduler may be what logs. Both end with 0, or are cut off here. */
	strscpy(names[0], current->comm, TASK_COMM_LEN);
	strscpy(names[1], current->group_leader->comm, TASK_COMM_LEN);
	hidden = hide_word(text, size, names[0]);
	return hide_word(text, size, names[1]) || hidden;
}
