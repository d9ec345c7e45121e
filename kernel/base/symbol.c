// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel does not export: found once at load, called through static calls. */
#include <linux/kprobes.h>
#include <linux/tracepoint.h>

#include "base/symbol.h"

struct tacet_symbols tacet_symbols;

long tacet_symbol_no_system_call(const struct pt_regs *regs, unsigned int number)
{
	return -ENOSYS;
}

int tacet_symbol_no_secure_computing(TACET_SECURE_COMPUTING_PARAMETERS)
{
	return 0;
}

pid_t tacet_symbol_no_clone(struct kernel_clone_args *arguments)
{
	return -ENOSYS;
}

int tacet_symbol_no_wake(struct task_struct *task, unsigned int state)
{
	return 0;
}

void tacet_symbol_no_put_stack(struct task_struct *task)
{
}

int tacet_symbol_no_mmap_file(struct file *file, unsigned long protection, unsigned long flags)
{
	return 0;
}

int tacet_symbol_no_file_receive(struct file *file)
{
	return 0;
}

int tacet_symbol_no_fifo_open(struct inode *inode, struct file *file)
{
	return 0;
}

int tacet_symbol_no_ptrace_access(struct task_struct *child, unsigned int mode)
{
	return 0;
}

int tacet_symbol_no_unix_connect(struct sock *sock, struct sock *peer, struct sock *made)
{
	return 0;
}

int tacet_symbol_no_unix_send(struct socket *socket, struct socket *peer)
{
	return 0;
}

int tacet_symbol_no_copy_up(struct dentry *dentry, struct cred **new)
{
	return 0;
}

int tacet_symbol_no_path_truncate(const struct path *path)
{
	return 0;
}

int tacet_symbol_no_path_unlink(const struct path *directory, struct dentry *dentry)
{
	return 0;
}

int tacet_symbol_no_path_rename(const struct path *old_directory, struct dentry *old_dentry,
				const struct path *new_directory, struct dentry *new_dentry, unsigned int flags)
{
	return 0;
}

static unsigned long no_lookup(const char *name)
{
	return 0;
}

DEFINE_STATIC_CALL(tacet_system_call, tacet_symbol_no_system_call);
DEFINE_STATIC_CALL(tacet_secure_computing, tacet_symbol_no_secure_computing);
DEFINE_STATIC_CALL(tacet_kernel_clone, tacet_symbol_no_clone);
DEFINE_STATIC_CALL(tacet_wake_up_state, tacet_symbol_no_wake);
DEFINE_STATIC_CALL(tacet_put_task_stack, tacet_symbol_no_put_stack);
DEFINE_STATIC_CALL(tacet_mmap_file, tacet_symbol_no_mmap_file);
DEFINE_STATIC_CALL(tacet_file_receive, tacet_symbol_no_file_receive);
DEFINE_STATIC_CALL(tacet_fifo_open, tacet_symbol_no_fifo_open);
DEFINE_STATIC_CALL(tacet_ptrace_access, tacet_symbol_no_ptrace_access);
DEFINE_STATIC_CALL(tacet_unix_connect, tacet_symbol_no_unix_connect);
DEFINE_STATIC_CALL(tacet_unix_send, tacet_symbol_no_unix_send);
DEFINE_STATIC_CALL(tacet_copy_up, tacet_symbol_no_copy_up);
DEFINE_STATIC_CALL(tacet_path_truncate, tacet_symbol_no_path_truncate);
DEFINE_STATIC_CALL(tacet_path_unlink, tacet_symbol_no_path_unlink);
DEFINE_STATIC_CALL(tacet_path_rename, tacet_symbol_no_path_rename);
DEFINE_STATIC_CALL(lookup_name, no_lookup);

static int find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	int error = register_kprobe(&probe);

	if (error)
		return error;
	static_call_update(lookup_name, (typeof(&no_lookup))probe.addr);
	unregister_kprobe(&probe);
	return 0;
}

static unsigned long lookup(const char *name, int *error)
{
	unsigned long address = static_call(lookup_name)(name);

	if (!address) {
		pr_err("this kernel has no %s\n", name);
		*error = -ENOENT;
	}
	return address;
}

static void find_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct tacet_symbols *symbols = data;

	if (!strcmp(tracepoint->name, "sched_process_fork"))
		symbols->fork = tracepoint;
	else if (!strcmp(tracepoint->name, "sched_process_exit"))
		symbols->exit = tracepoint;
	else if (!strcmp(tracepoint->name, "signal_deliver"))
		symbols->signal_deliver = tracepoint;
	else if (!strcmp(tracepoint->name, "mm_page_alloc"))
		symbols->page_alloc = tracepoint;
	else if (!strcmp(tracepoint->name, "mm_page_free"))
		symbols->page_free = tracepoint;
}

int tacet_symbol_init(void)
{
	unsigned long system_call, clone, wake, put_stack;
	int error = find_lookup();

	if (error)
		return error;
	system_call = lookup("x64_sys_call", &error);
	clone = lookup("kernel_clone", &error);
	wake = lookup("wake_up_state", &error);
	put_stack = lookup("put_task_stack", &error);
	tacet_symbols.secure_computing = lookup("__secure_computing", &error);
	tacet_symbols.mmap_file = lookup("security_mmap_file", &error);
	tacet_symbols.file_receive = lookup("security_file_receive", &error);
	tacet_symbols.fifo_open = lookup("fifo_open", &error);
	tacet_symbols.ptrace_access = lookup("security_ptrace_access_check", &error);
	tacet_symbols.unix_connect = lookup("security_unix_stream_connect", &error);
	tacet_symbols.unix_send = lookup("security_unix_may_send", &error);
	tacet_symbols.backing_file_open = lookup("backing_file_open", &error);
	tacet_symbols.copy_up = lookup("security_inode_copy_up", &error);
	tacet_symbols.path_truncate = lookup("security_path_truncate", &error);
	tacet_symbols.path_unlink = lookup("security_path_unlink", &error);
	tacet_symbols.path_rename = lookup("security_path_rename", &error);
	tacet_symbols.tasklist_lock = (rwlock_t *)lookup("tasklist_lock", &error);
	for_each_kernel_tracepoint(find_tracepoint, &tacet_symbols);
	if (!tacet_symbols.fork || !tacet_symbols.exit || !tacet_symbols.signal_deliver ||
	    !tacet_symbols.page_alloc || !tacet_symbols.page_free)
		error = -ENOENT;
	if (error)
		return error;
	static_call_update(tacet_system_call, (typeof(&tacet_symbol_no_system_call))system_call);
	static_call_update(tacet_kernel_clone, (typeof(&tacet_symbol_no_clone))clone);
	static_call_update(tacet_wake_up_state, (typeof(&tacet_symbol_no_wake))wake);
	static_call_update(tacet_put_task_stack, (typeof(&tacet_symbol_no_put_stack))put_stack);
	static_call_update(tacet_secure_computing,
			   (typeof(&tacet_symbol_no_secure_computing))tacet_symbols.secure_computing);
	static_call_update(tacet_mmap_file,
			   (typeof(&tacet_symbol_no_mmap_file))tacet_symbols.mmap_file);
	static_call_update(tacet_file_receive,
			   (typeof(&tacet_symbol_no_file_receive))tacet_symbols.file_receive);
	static_call_update(tacet_fifo_open,
			   (typeof(&tacet_symbol_no_fifo_open))tacet_symbols.fifo_open);
	static_call_update(tacet_ptrace_access,
			   (typeof(&tacet_symbol_no_ptrace_access))tacet_symbols.ptrace_access);
	static_call_update(tacet_unix_connect,
			   (typeof(&tacet_symbol_no_unix_connect))tacet_symbols.unix_connect);
	static_call_update(tacet_unix_send,
			   (typeof(&tacet_symbol_no_unix_send))tacet_symbols.unix_send);
	static_call_update(tacet_copy_up, (typeof(&tacet_symbol_no_copy_up))tacet_symbols.copy_up);
	static_call_update(tacet_path_truncate,
			   (typeof(&tacet_symbol_no_path_truncate))tacet_symbols.path_truncate);
	static_call_update(tacet_path_unlink,
			   (typeof(&tacet_symbol_no_path_unlink))tacet_symbols.path_unlink);
	static_call_update(tacet_path_rename,
			   (typeof(&tacet_symbol_no_path_rename))tacet_symbols.path_rename);
	return 0;
}
