// SPDX-License-Identifier: GPL-2.0-only
/* Who learns the names of private programs: nobody from the kernel's log, and no other user. */
#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "session/name.h"
#include "session/owner.h"
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

bool tacet_session_hides_name(struct task_struct *task)
{
	u8 theirs = tacet_session_owner_of_task(task);

	if (theirs == TACET_OWNER_NONE || theirs == tacet_session_owner_of_task(current))
		return false;
	/* The service manager shows the processes of a unit to everybody who asks. */
	return is_global_init(current) || !ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
}

/* The file is in a folder whose name is the number of the process. */
bool tacet_session_hides_command_line(const struct file *file)
{
	const struct dentry *folder = file->f_path.dentry->d_parent;
	struct pid_namespace *namespace = proc_pid_ns(file_inode(file)->i_sb);
	struct task_struct *task;
	bool hides;
	int number;

	if (kstrtoint(folder->d_name.name, 10, &number))
		return false;
	rcu_read_lock();
	task = pid_task(find_pid_ns(number, namespace), PIDTYPE_PID);
	hides = task && tacet_session_hides_name(task);
	rcu_read_unlock();
	return hides;
}
