/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that the kernel does not export. They are found once at load and called through static calls. */
#ifndef _TACET_BASE_SYMBOL_H
#define _TACET_BASE_SYMBOL_H

#include <linux/blkdev.h>
#include <linux/ptrace.h>
#include <linux/sched/task.h>
#include <linux/static_call.h>
#include <linux/stdarg.h>
#include <linux/wait.h>

struct btf;
struct btf_type;
struct cred;
struct dentry;
struct dev_printk_info;
struct file;
struct inode;
struct loop_config;
struct mm_struct;
struct mm_walk_ops;
struct mnt_idmap;
struct oom_control;
struct loop_device;
struct page;
struct path;
struct seccomp_data;
struct sock;
struct socket;
struct super_block;
struct tracepoint;
struct vfsmount;
union futex_key;

/*
 * Static calls are direct calls. An indirect call would fault on hardware with IBT if the address found
 * lies past the ENDBR.
 */
#define FUNCTION(name, symbol, type, result, ...) \
	type tacet_symbol_no_##name(__VA_ARGS__); \
	DECLARE_STATIC_CALL(tacet_##name, tacet_symbol_no_##name);
#define OPTIONAL_FUNCTION FUNCTION
#define DRIVER_FUNCTION FUNCTION
#define ADDRESS(name, symbol)
#define OPTIONAL_ADDRESS(name, symbol)
#define DRIVER_ADDRESS(name, symbol)
#define TRACEPOINT(name, symbol)
#include "base/symbols.def"

/* tacet_symbol_init() sets them, and nothing changes them after it. */
struct tacet_symbols {
#define FUNCTION(name, symbol, type, result, ...) unsigned long name;
#define OPTIONAL_FUNCTION FUNCTION
#define DRIVER_FUNCTION FUNCTION
#define ADDRESS(name, symbol) unsigned long name;
#define OPTIONAL_ADDRESS ADDRESS
#define DRIVER_ADDRESS ADDRESS
#define TRACEPOINT(name, symbol) struct tracepoint *name;
#include "base/symbols.def"
};

extern struct tacet_symbols tacet_symbols;

static inline rwlock_t *tacet_symbol_tasklist_lock(void)
{
	return (rwlock_t *)tacet_symbols.tasklist_lock;
}

/* Returns -ENOENT, with the name in the log, when this kernel lacks one. */
int tacet_symbol_init(void);
/* Looks for the functions of drivers. Those that are not there are 0. Sleeps. */
void tacet_symbol_find_driver(void);

#endif
