// SPDX-License-Identifier: GPL-2.0-only
/* The hooks at the border of private sessions: they refuse others access, and members a way out or a name. */
#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/fanotify.h>
#include <linux/file.h>
#include <linux/filelock.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/ftrace.h>
#include <linux/futex.h>
#include <linux/kernel.h>
#include <linux/net.h>
#include <linux/oom.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>
#include <linux/stdarg.h>
#include <linux/umh.h>
#include <linux/workqueue.h>

#include "base/symbol.h"
#include "base/work.h"
#include "engine/access.h"
#include "engine/replacement.h"
#include "session/border.h"
#include "session/life.h"
#include "session/name.h"
#include "session/session.h"

/* How long a hook stays after the last session. */
#define REST (60 * HZ)

/* The caller holds the lock of @child. */
REPLACEMENT(tacet_replacement_count, int, ptrace_access, (struct task_struct * child, unsigned int mode), (child, mode))
{
	int error = 0;

	if (tacet_session_any())
		error = tacet_session_check_access(child, mode);
	if (!error)
		error = static_call(tacet_ptrace_access)(child, mode);
	if (!error && mode & PTRACE_MODE_ATTACH)
		error = tacet_access_seen(child);
	return error;
}

/* Like the next function, this runs with a lock of the sockets held. */
REPLACEMENT(tacet_replacement_count, int, unix_connect, (struct sock * sock, struct sock *peer, struct sock *made),
	    (sock, peer, made))
{
	int error = 0;

	if (tacet_session_any())
		error = tacet_session_check_connect(peer);
	return error ?: static_call(tacet_unix_connect)(sock, peer, made);
}

REPLACEMENT(tacet_replacement_count, int, unix_send, (struct socket * socket, struct socket *peer), (socket, peer))
{
	int error = 0;

	if (tacet_session_any())
		error = tacet_session_check_send(socket->sk, peer->sk);
	return error ?: static_call(tacet_unix_send)(socket, peer);
}

/* However the call came, by number or by io_uring. */
REPLACEMENT(tacet_replacement_count, int, socket_create, (int family, int type, int protocol, int kern),
	    (family, type, protocol, kern))
{
	int error = kern ? 0 : tacet_session_check_socket(family, protocol);

	return error ?: static_call(tacet_socket_create)(family, type, protocol, kern);
}

/* The same check stands before all locks, and before leases. */
REPLACEMENT(tacet_replacement_count, int, file_lock, (struct file * file, unsigned int command), (file, command))
{
	return tacet_session_check_lock(file) ?: static_call(tacet_file_lock)(file, command);
}

REPLACEMENT(tacet_replacement_count, int, futex_key,
	    (u32 __user * address, unsigned int flags, union futex_key *key, int access), (address, flags, key, access))
{
	int error = static_call(tacet_futex_key)(address, flags, key, access);

	if (!error)
		tacet_session_separate_futex(key);
	return error;
}

/* With false, the kernel's log does not name a member that crashes. */
REPLACEMENT(tacet_replacement_count, bool, unhandled_signal, (struct task_struct * task, int number), (task, number))
{
	return false;
}

/* The next ones run in place of a kernel function that would tell others of a member. None calls it, so none waits. */

static bool tells_name(struct ftrace_regs *registers)
{
	return tacet_session_any() &&
	       tacet_session_hides_name((struct task_struct *)ftrace_regs_get_argument(registers, 1));
}

/* The kernel's function returns nothing. */
REPLACEMENT(tacet_replacement_count, int, process_name, (struct seq_file * file, struct task_struct *task, bool escape),
	    (file, task, escape))
{
	seq_puts(file, TACET_SESSION_NAME);
	return 0;
}

static bool tells_command_line(struct ftrace_regs *registers)
{
	const struct file *file = (const struct file *)ftrace_regs_get_argument(registers, 0);

	return tacet_session_hides_arguments(file->f_path.dentry->d_parent);
}

REPLACEMENT(tacet_replacement_count, ssize_t, command_line,
	    (struct file * file, char __user *buffer, size_t size, loff_t *position), (file, buffer, size, position))
{
	return 0;
}

/* A program chooses where it mounts, what its interfaces are called, and what its timers tell it. */
static bool tells_choice(struct ftrace_regs *registers)
{
	const struct file *file = (const struct file *)ftrace_regs_get_argument(registers, 1);

	return tacet_session_any() && tacet_session_hides_folder(file->f_path.dentry->d_parent);
}

REPLACEMENT(tacet_replacement_count, int, mounts_page, (void), ())
{
	return -EACCES;
}

REPLACEMENT(tacet_replacement_count, int, timers_page, (void), ())
{
	return -EACCES;
}

REPLACEMENT(tacet_replacement_count, int, offsets_page, (void), ())
{
	return -EACCES;
}

static bool tells_network(struct ftrace_regs *registers)
{
	const struct dentry *page = (const struct dentry *)ftrace_regs_get_argument(registers, 1);

	return tacet_session_any() && tacet_session_hides_folder(page->d_parent->d_parent);
}

REPLACEMENT(tacet_replacement_count, struct dentry *, network_page, (void), ())
{
	return ERR_PTR(-EACCES);
}

static bool tells_of_first(struct ftrace_regs *registers)
{
	return tacet_session_any() &&
	       tacet_session_hides_name((struct task_struct *)ftrace_regs_get_argument(registers, 0));
}

/* This returns nothing, and the next one leads to a failed read. */
REPLACEMENT(tacet_replacement_count, int, schedule_page, (void), ())
{
	return 0;
}

REPLACEMENT(tacet_replacement_count, int, profile, (void), ())
{
	return -EACCES;
}

static bool tells_inotify(struct ftrace_regs *registers)
{
	return tacet_session_any() &&
	       tacet_session_hides_from(((struct fsnotify_mark *)ftrace_regs_get_argument(registers, 0))->group);
}

REPLACEMENT(tacet_replacement_count, int, inotify_event, (void), ())
{
	return 0;
}

/* A scanner may refuse, so an administrator's is asked. */
static bool tells_fanotify(struct ftrace_regs *registers)
{
	const struct fsnotify_group *group = (struct fsnotify_group *)ftrace_regs_get_argument(registers, 0);

	return tacet_session_any() && group->fanotify_data.flags & FANOTIFY_UNPRIV && tacet_session_hides_from(group);
}

REPLACEMENT(tacet_replacement_count, int, fanotify_event, (void), ())
{
	return 0;
}

REPLACEMENT(tacet_replacement_count, int, dnotify_event, (void), ())
{
	return 0;
}

/* The program of a session chose the names of its sockets. */
static bool tells_listed_socket(struct ftrace_regs *registers)
{
	void *listed = (void *)ftrace_regs_get_argument(registers, 1);

	return tacet_session_any() && listed != SEQ_START_TOKEN && tacet_session_hides_socket(listed);
}

static bool tells_asked_socket(struct ftrace_regs *registers)
{
	return tacet_session_any() && tacet_session_hides_socket((struct sock *)ftrace_regs_get_argument(registers, 0));
}

static bool tells_lock(struct ftrace_regs *registers)
{
	const struct hlist_node *listed = (const struct hlist_node *)ftrace_regs_get_argument(registers, 1);

	return tacet_session_any() && tacet_session_hides_lock(hlist_entry(listed, struct file_lock_core, flc_link));
}

REPLACEMENT(tacet_replacement_count, int, lock_line, (void), ())
{
	return 0;
}

REPLACEMENT(tacet_replacement_count, int, socket_line, (void), ())
{
	return 0;
}

REPLACEMENT(tacet_replacement_count, int, socket_answer, (void), ())
{
	return 0;
}

/* These return nothing. */
REPLACEMENT(tacet_replacement_count, int, seccomp_report, (void), ())
{
	return 0;
}

REPLACEMENT(tacet_replacement_count, int, security_report, (void), ())
{
	return 0;
}

REPLACEMENT(tacet_replacement_count, int, ptrace_report, (void), ())
{
	return 0;
}

/* Each processor's, as only a task that is not interrupted writes there. */
static DEFINE_PER_CPU(char[1024], log_text);

/* A kernel that breaks logs what it can, with no help from a module. */
static bool logs_line(void)
{
	return tacet_session_any() && in_task() && !oops_in_progress && tacet_session_is_member();
}

static int log_text_line(int facility, int level, const struct dev_printk_info *device, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = static_call(tacet_log_line)(facility, level, device, format, arguments);
	va_end(arguments);
	return length;
}

/* Whatever the kernel logs for a member, it does not name it. */
REPLACEMENT(tacet_replacement_count, int, log_line,
	    (int facility, int level, const struct dev_printk_info *device, const char *format, va_list arguments),
	    (facility, level, device, format, arguments))
{
	char *text = get_cpu_var(log_text), *words;
	va_list copy;
	int length;

	va_copy(copy, arguments);
	vscnprintf(text, sizeof(log_text), format, copy);
	va_end(copy);
	/* The line's level stands at its beginning as if it were a part of the first word. */
	words = (char *)printk_skip_level(text);
	if (tacet_session_unname_text(words, sizeof(log_text) - (words - text)))
		length = log_text_line(facility, level, device, "%s", text);
	else
		length = static_call(tacet_log_line)(facility, level, device, format, arguments);
	put_cpu_var(log_text);
	return length;
}

/* The session's own parts, which are root's, mount file systems whose modules are to come. */
static bool runs_outside(void)
{
	return tacet_session_is_member() && !ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/* A private program makes the kernel run no program outside, whose arguments it would choose. */
REPLACEMENT(tacet_replacement_count, struct subprocess_info *, outside_program, (void), ())
{
	return NULL;
}

REPLACEMENT(tacet_replacement_count, int, accounting, (void), ())
{
	return 0;
}

/* The kernel's log then names who asked for memory, who dies for it, and all others. */
REPLACEMENT(tacet_replacement_count, bool, out_of_memory, (struct oom_control * control), (control))
{
	tacet_session_unname();
	return static_call(tacet_out_of_memory)(control);
}

static struct tacet_hook hooks[] = {
	HOOK(ptrace_access),
	HOOK(unix_connect),
	HOOK(unix_send),
	HOOK_IF(tacet_session_is_member, socket_create),
	HOOK_IF(tacet_session_is_member, file_lock),
	HOOK_IF(tacet_session_is_member, unhandled_signal),
	HOOK_FOR(tells_name, process_name),
	HOOK_FOR(tells_command_line, command_line),
	HOOK_FOR(tells_choice, mounts_page),
	HOOK_FOR(tells_choice, timers_page),
	HOOK_FOR(tells_choice, offsets_page),
	HOOK_FOR(tells_network, network_page),
	HOOK_FOR(tells_of_first, schedule_page),
	HOOK_FOR(tells_of_first, profile),
	HOOK_FOR(tells_inotify, inotify_event),
	HOOK_FOR(tells_fanotify, fanotify_event),
	HOOK_IF(tacet_session_is_member, dnotify_event),
	HOOK_FOR(tells_listed_socket, socket_line),
	HOOK_FOR(tells_lock, lock_line),
	HOOK_IF(tacet_session_is_member, seccomp_report),
	HOOK_IF(tacet_session_is_member, security_report),
	HOOK_IF(tacet_session_is_member, ptrace_report),
	HOOK_IF(logs_line, log_line),
	HOOK_IF(runs_outside, outside_program),
	HOOK_IF(tacet_session_is_member, accounting),
	HOOK_IF(tacet_session_any, out_of_memory),
};

struct tacet_hook_list tacet_border_hooks = HOOK_LIST(hooks);

/*
 * Each program waits and wakes often, so that this hook is there only while there are sessions, and for a
 * while after them, as the kernel's text is patched when it comes and goes.
 */
static struct tacet_hook futex_hooks[] = {
	HOOK_IF(tacet_session_is_member, futex_key),
};

static struct tacet_hook_list futex_list = HOOK_LIST(futex_hooks);
static bool futex_hooked;

static void unhook_futex(struct work_struct *unused)
{
	if (futex_hooked)
		tacet_replacement_remove(&futex_list);
	futex_hooked = false;
}

static DECLARE_DELAYED_WORK(futex_rest, unhook_futex);

static int hook_futex(void)
{
	int error = 0;

	cancel_delayed_work_sync(&futex_rest);
	if (!futex_hooked)
		error = tacet_replacement_install(&futex_list);
	futex_hooked = !error;
	return error;
}

static void rest_futex(void)
{
	queue_delayed_work(tacet_workqueue, &futex_rest, REST);
}

const struct tacet_session_hooks tacet_border_session_hooks = { .install = hook_futex, .remove = rest_futex };

void tacet_border_exit(void)
{
	cancel_delayed_work_sync(&futex_rest);
	unhook_futex(NULL);
}

static struct tacet_hook socket_hooks[] = {
	HOOK_FOR(tells_asked_socket, socket_answer),
};

struct tacet_hook_list tacet_border_socket_hooks = HOOK_LIST(socket_hooks);
