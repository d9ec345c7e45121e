// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lets the dynamic linker load a library into a program that begins. The kernel has left on its stack: the
 * number of arguments, pointers to them, NULL, pointers to the environment, NULL, and the auxiliary vector.
 * These words move down. One pointer is added to the environment, and its text goes into the gap above.
 */
#include <linux/auxvec.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/pagemap.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <asm/segment.h>

#include "memory/preload.h"

static const char variable[] = "LD_PRELOAD=";
#define VARIABLE_LENGTH (sizeof(variable) - 1)

/**
 * struct words - addresses of what lies on the stack of a program that begins
 * @begin: the first word; the stack pointer
 * @environment: the first pointer to the environment
 * @end: behind the auxiliary vector
 * @linker: where the dynamic linker is in memory; 0: there is none
 * @raises: the program has privileges that its user does not have
 * @preloads: the environment has LD_PRELOAD
 */
struct words {
	unsigned long begin;
	unsigned long environment;
	unsigned long end;
	unsigned long linker;
	bool raises;
	bool preloads;
};

/* Another process may change the stack meanwhile, so that nothing in it bounds a loop. */
static int read_word(unsigned long *at, unsigned long *value)
{
	if (*at >= current->mm->arg_start || fatal_signal_pending(current) ||
	    get_user(*value, (unsigned long __user *)*at))
		return -EFAULT;
	*at += sizeof(*value);
	cond_resched();
	return 0;
}

static bool is_preload(unsigned long text)
{
	char begin[VARIABLE_LENGTH];

	return !copy_from_user(begin, (const char __user *)text, sizeof(begin)) &&
	       !memcmp(begin, variable, sizeof(begin));
}

static int read_environment(struct words *words, unsigned long *at)
{
	unsigned long text;
	int error;

	while (!(error = read_word(at, &text)) && text)
		words->preloads |= is_preload(text);
	return error;
}

static int read_auxiliary_vector(struct words *words, unsigned long *at)
{
	unsigned long type, value;

	do {
		if (read_word(at, &type) || read_word(at, &value))
			return -EFAULT;
		if (type == AT_BASE)
			words->linker = value;
		else if (type == AT_SECURE)
			words->raises = value;
	} while (type != AT_NULL);
	return 0;
}

static int read_words(struct words *words)
{
	unsigned long at = task_pt_regs(current)->sp, count, word;

	*words = (struct words){ .begin = at };
	if (read_word(&at, &count))
		return -EFAULT;
	do {
		if (read_word(&at, &word))
			return -EFAULT;
	} while (word);
	words->environment = at;
	if (read_environment(words, &at) || read_auxiliary_vector(words, &at))
		return -EFAULT;
	words->end = at;
	return 0;
}

static bool is_file_mapped(unsigned long address, const struct inode *inode)
{
	struct vm_area_struct *area;
	bool result;

	mmap_read_lock(current->mm);
	area = find_vma(current->mm, address);
	result = area && area->vm_file && file_inode(area->vm_file) == inode;
	mmap_read_unlock(current->mm);
	return result;
}

/* A program may bring a C library of its own, with its linker. The linker of an older one would end the program. */
static bool is_glibc_linker(unsigned long address)
{
	struct path linker;
	bool result;

	if (kern_path("/lib64/ld-linux-x86-64.so.2", LOOKUP_FOLLOW, &linker))
		return false;
	/* An overlay maps the file that is below it. */
	result = is_file_mapped(address, d_real_inode(linker.dentry));
	path_put(&linker);
	return result;
}

/* The linker would complain on the program's standard error. */
static bool can_load(const char *library)
{
	struct inode *inode;
	struct path path;
	bool result;

	if (kern_path(library, LOOKUP_FOLLOW, &path))
		return false;
	inode = d_inode(path.dentry);
	result = S_ISREG(inode->i_mode) && uid_eq(inode->i_uid, GLOBAL_ROOT_UID) &&
		 !inode_permission(mnt_idmap(path.mnt), inode, MAY_READ);
	path_put(&path);
	return result;
}

/* Copies words to a lower address. The two places may overlap. Returns 0 or -EFAULT. */
static int move_down(unsigned long from, unsigned long end, unsigned long down, char *page)
{
	unsigned long size;

	for (; from < end; from += size) {
		size = min(end - from, PAGE_SIZE);
		if (fatal_signal_pending(current) || copy_from_user(page, (void __user *)from, size) ||
		    copy_to_user((void __user *)(from - down), page, size))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

static int add_variable(const struct words *words, const char *library, char *page)
{
	const unsigned long length = strlen(library) + 1, word = sizeof(word);
	const unsigned long down = ALIGN(word + VARIABLE_LENGTH + length, 16);
	const unsigned long text = words->end - down + word;
	struct pt_regs *registers = task_pt_regs(current);

	if (move_down(words->begin, words->environment, down, page) ||
	    put_user(text, (unsigned long __user *)(words->environment - down)) ||
	    move_down(words->environment, words->end, down - word, page) ||
	    copy_to_user((void __user *)text, variable, VARIABLE_LENGTH) ||
	    copy_to_user((void __user *)(text + VARIABLE_LENGTH), library, length))
		return -EFAULT;
	registers->sp -= down;
	return 0;
}

static bool can_preload(const struct words *words, const char *library)
{
	return !words->raises && !words->preloads && words->linker && is_glibc_linker(words->linker) &&
	       can_load(library);
}

void tacet_preload(const char *library)
{
	struct words words;
	char *page;

	/* The words of other programs are shorter. */
	if (task_pt_regs(current)->cs != __USER_CS || read_words(&words) || !can_preload(&words, library))
		return;
	page = (char *)__get_free_page(GFP_KERNEL);
	if (!page) {
		pr_warn_ratelimited("what process %d frees for itself is not cleared: no memory for it\n",
				    current->pid);
		return;
	}
	/* A stack that was moved in part is of no use. This happens only without memory for it, or when the process is killed anyway. */
	if (add_variable(&words, library, page))
		send_sig(SIGKILL, current, 0);
	free_page((unsigned long)page);
}
