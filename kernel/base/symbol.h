/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel does not export: found once at load, called through static calls. */
#ifndef _TACET_BASE_SYMBOL_H
#define _TACET_BASE_SYMBOL_H

#include <linux/ptrace.h>
#include <linux/sched/task.h>
#include <linux/static_call.h>

struct cred;
struct dentry;
struct file;
struct inode;
struct path;
struct seccomp_data;
struct sock;
struct socket;
struct tracepoint;

/*
 * Static calls are direct calls: an indirect one would fault on hardware with
 * IBT where the address found lies past the ENDBR.
 */
long tacet_symbol_no_system_call(const struct pt_regs *regs, unsigned int number);
int tacet_symbol_no_secure_computing(TACET_SECURE_COMPUTING_PARAMETERS);
pid_t tacet_symbol_no_clone(struct kernel_clone_args *arguments);
int tacet_symbol_no_wake(struct task_struct *task, unsigned int state);
void tacet_symbol_no_put_stack(struct task_struct *task);
int tacet_symbol_no_mmap_file(struct file *file, unsigned long protection, unsigned long flags);
int tacet_symbol_no_file_receive(struct file *file);
int tacet_symbol_no_fifo_open(struct inode *inode, struct file *file);
int tacet_symbol_no_ptrace_access(struct task_struct *child, unsigned int mode);
int tacet_symbol_no_unix_connect(struct sock *sock, struct sock *peer, struct sock *made);
int tacet_symbol_no_unix_send(struct socket *socket, struct socket *peer);
int tacet_symbol_no_copy_up(struct dentry *dentry, struct cred **new);
int tacet_symbol_no_path_truncate(const struct path *path);
int tacet_symbol_no_path_unlink(const struct path *directory, struct dentry *dentry);
int tacet_symbol_no_path_rename(const struct path *old_directory, struct dentry *old_dentry,
				const struct path *new_directory, struct dentry *new_dentry, unsigned int flags);

DECLARE_STATIC_CALL(tacet_system_call, tacet_symbol_no_system_call);
DECLARE_STATIC_CALL(tacet_secure_computing, tacet_symbol_no_secure_computing);
DECLARE_STATIC_CALL(tacet_kernel_clone, tacet_symbol_no_clone);
DECLARE_STATIC_CALL(tacet_wake_up_state, tacet_symbol_no_wake);
DECLARE_STATIC_CALL(tacet_put_task_stack, tacet_symbol_no_put_stack);
DECLARE_STATIC_CALL(tacet_mmap_file, tacet_symbol_no_mmap_file);
DECLARE_STATIC_CALL(tacet_file_receive, tacet_symbol_no_file_receive);
DECLARE_STATIC_CALL(tacet_fifo_open, tacet_symbol_no_fifo_open);
DECLARE_STATIC_CALL(tacet_ptrace_access, tacet_symbol_no_ptrace_access);
DECLARE_STATIC_CALL(tacet_unix_connect, tacet_symbol_no_unix_connect);
DECLARE_STATIC_CALL(tacet_unix_send, tacet_symbol_no_unix_send);
DECLARE_STATIC_CALL(tacet_copy_up, tacet_symbol_no_copy_up);
DECLARE_STATIC_CALL(tacet_path_truncate, tacet_symbol_no_path_truncate);
DECLARE_STATIC_CALL(tacet_path_unlink, tacet_symbol_no_path_unlink);
DECLARE_STATIC_CALL(tacet_path_rename, tacet_symbol_no_path_rename);

/* Addresses of what is hooked, and data. Set by tacet_symbol_init(). */
struct tacet_symbols {
	unsigned long secure_computing;
	unsigned long mmap_file;
	unsigned long file_receive;
	unsigned long fifo_open;
	unsigned long ptrace_access;
	unsigned long unix_connect;
	unsigned long unix_send;
	unsigned long backing_file_open;
	unsigned long copy_up;
	unsigned long path_truncate;
	unsigned long path_unlink;
	unsigned long path_rename;
	rwlock_t *tasklist_lock;
	struct tracepoint *fork;
	struct tracepoint *exit;
	struct tracepoint *signal_deliver;
	struct tracepoint *page_alloc;
	struct tracepoint *page_free;
};

extern struct tacet_symbols tacet_symbols;

/* -ENOENT, with the name in the log, when this kernel lacks one. */
int tacet_symbol_init(void);

#endif
