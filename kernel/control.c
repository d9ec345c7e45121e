// SPDX-License-Identifier: GPL-2.0-only
/* /dev/tacet. This file copies and checks the daemon's requests. The folders of their nouns carry them out. */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/counter.h"
#include "base/feature.h"
#include "control.h"
#include "event/event.h"
#include "label/label.h"
#include "label/mark.h"
#include "memory/policy.h"
#include "memory/search.h"
#include "pair/task.h"
#include "question/guard.h"
#include "question/question.h"
#include "session/descriptor.h"
#include "sink/sink.h"

/* These layouts are frozen with TACET_ABI_VERSION. New fields go at the end, or into reserved ones. */
static_assert(sizeof(struct tacet_label) == 136);
static_assert(sizeof(struct tacet_label_xattr) == 8);
static_assert(sizeof(struct tacet_info) == 176);
static_assert(offsetof(struct tacet_info, counters) == 16);
static_assert(sizeof(struct tacet_label_file) == 152);
static_assert(offsetof(struct tacet_label_file, label) == 16);
static_assert(sizeof(struct tacet_verdict) == 32);
static_assert(sizeof(struct tacet_extension) == 24);
static_assert(sizeof(struct tacet_policy) == 16);
static_assert(sizeof(struct tacet_reopen) == 8);
static_assert(sizeof(struct tacet_session) == 16);
static_assert(sizeof(struct tacet_session_key) == 40);
static_assert(sizeof(struct tacet_session_socket) == 8);
static_assert(sizeof(struct tacet_session_info) == 64);
static_assert(sizeof(struct tacet_guard) == 8 + 8 * TACET_GUARD_MAX);
static_assert(sizeof(struct tacet_memory_policy) == 32);
static_assert(sizeof(struct tacet_stamp) == 20);
static_assert(sizeof(struct tacet_stamp_tag) == 8);
static_assert(sizeof(struct tacet_stamp_count) == 24);
static_assert(sizeof(struct tacet_stamp_counts) == 16);
static_assert(sizeof(struct tacet_event) == 16);
static_assert(offsetof(struct tacet_question, label) == 88);
static_assert(offsetof(struct tacet_question, excerpt) == 288);
static_assert(offsetof(struct tacet_question, chain) == 1320);
static_assert(sizeof(struct tacet_question) == 1496 + 3 * TACET_PATH_MAX);
static_assert(offsetof(struct tacet_notice, label) == 48);
static_assert(sizeof(struct tacet_notice) == 264 + TACET_PATH_MAX);
static_assert(sizeof_field(struct tacet_info, counters) == sizeof_field(struct tacet_counters, value));
static_assert(TACET_COUNTER_MERGED < ARRAY_SIZE(((struct tacet_info *)NULL)->counters));

/*
 * Copies the argument of @command. It may be a later and longer version of the structure, as long as
 * the fields that are unknown here are zero.
 */
static int fetch(void *to, size_t size, unsigned int command, const void __user *from)
{
	if (_IOC_SIZE(command) < size)
		return -EINVAL;
	return copy_struct_from_user(to, size, from, _IOC_SIZE(command));
}

static long get_info(void __user *argument)
{
	struct tacet_info info = {
		.abi_version = TACET_ABI_VERSION,
		.features = tacet_feature_all(),
		.armed_files = tacet_mark_count(),
		.watched_tasks = tacet_task_watched_count(),
	};

	tacet_counter_sum(info.counters);
	return copy_to_user(argument, &info, sizeof(info)) ? -EFAULT : 0;
}

static long set_label(unsigned int command, void __user *argument)
{
	struct file *shadow = NULL;
	struct tacet_label_file request;
	struct file *file;
	long error;

	error = fetch(&request, sizeof(request), command, argument);
	if (error)
		return error;
	if (request.reserved)
		return -EINVAL;
	file = fget(request.fd);
	if (!file)
		return -EBADF;
	if (request.shadow_fd != -1)
		shadow = fget(request.shadow_fd);
	if (request.shadow_fd != -1 && !shadow)
		error = -EBADF;
	else
		error = tacet_label_set(file, &request.label, request.flags, shadow);
	if (shadow)
		fput(shadow);
	fput(file);
	return error;
}

static long get_label(unsigned int command, void __user *argument)
{
	struct tacet_label_file request;
	struct file *file;
	long error;

	error = fetch(&request, sizeof(request), command, argument);
	if (error)
		return error;
	file = fget(request.fd);
	if (!file)
		return -EBADF;
	error = tacet_label_get(file, &request.label, &request.flags);
	fput(file);
	if (!error && copy_to_user(argument, &request, sizeof(request)))
		error = -EFAULT;
	return error;
}

static long answer_question(unsigned int command, const void __user *argument)
{
	struct tacet_verdict verdict;
	int error = fetch(&verdict, sizeof(verdict), command, argument);

	return error ?: tacet_question_answer(&verdict);
}

static long extend_question(unsigned int command, void __user *argument)
{
	struct tacet_extension extension;
	int error = fetch(&extension, sizeof(extension), command, argument) ?: tacet_question_extend(&extension);

	if (!error && copy_to_user(argument, &extension, sizeof(extension)))
		error = -EFAULT;
	return error;
}

static long set_policy(unsigned int command, const void __user *argument)
{
	struct tacet_policy policy;
	int error = fetch(&policy, sizeof(policy), command, argument);

	return error ?: tacet_question_set_policy(&policy);
}

static long reopen_file(unsigned int command, const void __user *argument)
{
	struct tacet_reopen request;
	struct file *file, *again;
	long result;

	result = fetch(&request, sizeof(request), command, argument);
	if (result)
		return result;
	if (request.reserved)
		return -EINVAL;
	/* The daemon names files by descriptors of O_PATH, which open nothing. */
	file = fget_raw(request.fd);
	if (!file)
		return -EBADF;
	again = tacet_label_reopen(file);
	fput(file);
	if (IS_ERR(again))
		return PTR_ERR(again);
	result = get_unused_fd_flags(O_CLOEXEC);
	if (result < 0)
		fput(again);
	else
		fd_install(result, again);
	return result;
}

static long make_session(unsigned int command, const void __user *argument)
{
	struct tacet_session request;
	int error = fetch(&request, sizeof(request), command, argument);

	if (error)
		return error;
	if (request.flags || request.reserved)
		return -EINVAL;
	return tacet_session_descriptor_create(request.cgroup_fd);
}

static long set_guard(unsigned int command, const void __user *argument)
{
	struct tacet_guard *guard = kmalloc(sizeof(*guard), GFP_KERNEL);
	int error;

	if (!guard)
		return -ENOMEM;
	error = fetch(guard, sizeof(*guard), command, argument) ?: tacet_guard_set(guard);
	kfree(guard);
	return error;
}

static long set_memory_policy(unsigned int command, const void __user *argument)
{
	struct tacet_memory_policy policy;
	int error = fetch(&policy, sizeof(policy), command, argument);

	return error ?: tacet_memory_policy_set(&policy);
}

static long make_stamp_tag(void __user *argument)
{
	struct tacet_stamp_tag tag;

	tag.tag = tacet_search_make_tag();
	return copy_to_user(argument, &tag, sizeof(tag)) ? -EFAULT : 0;
}

static long count_stamps(unsigned int command, const void __user *argument)
{
	struct tacet_stamp_counts request;
	struct tacet_stamp_count *counts;
	int error = fetch(&request, sizeof(request), command, argument);
	size_t size;

	if (error)
		return error;
	if (request.reserved || !request.count || request.count > TACET_STAMP_TAGS_MAX)
		return -EINVAL;
	size = request.count * sizeof(*counts);
	counts = memdup_user(u64_to_user_ptr(request.counts), size);
	if (IS_ERR(counts))
		return PTR_ERR(counts);
	error = tacet_search_count(counts, request.count);
	if (!error && copy_to_user(u64_to_user_ptr(request.counts), counts, size))
		error = -EFAULT;
	kfree(counts);
	return error;
}

static long control_ioctl(struct file *file, unsigned int command, unsigned long address)
{
	void __user *argument = (void __user *)address;

	/* The size is left out of the comparison, as it may grow. */
	switch (command & ~IOCSIZE_MASK) {
	case TACET_IOC_INFO & ~IOCSIZE_MASK:
		return _IOC_SIZE(command) < sizeof(struct tacet_info) ? -EINVAL : get_info(argument);
	case TACET_IOC_LABEL_SET & ~IOCSIZE_MASK:
		return set_label(command, argument);
	case TACET_IOC_LABEL_GET & ~IOCSIZE_MASK:
		return get_label(command, argument);
	case TACET_IOC_VERDICT & ~IOCSIZE_MASK:
		return answer_question(command, argument);
	case TACET_IOC_EXTEND & ~IOCSIZE_MASK:
		return extend_question(command, argument);
	case TACET_IOC_POLICY & ~IOCSIZE_MASK:
		return set_policy(command, argument);
	case TACET_IOC_FLUSH:
		tacet_question_flush();
		return 0;
	case TACET_IOC_REOPEN & ~IOCSIZE_MASK:
		return reopen_file(command, argument);
	case TACET_IOC_SESSION & ~IOCSIZE_MASK:
		return make_session(command, argument);
	case TACET_IOC_GUARD & ~IOCSIZE_MASK:
		return set_guard(command, argument);
	case TACET_IOC_MEMORY & ~IOCSIZE_MASK:
		return set_memory_policy(command, argument);
	case TACET_IOC_STAMP & ~IOCSIZE_MASK:
		return _IOC_SIZE(command) < sizeof(struct tacet_stamp_tag) ? -EINVAL : make_stamp_tag(argument);
	case TACET_IOC_STAMPS & ~IOCSIZE_MASK:
		return count_stamps(command, argument);
	default:
		return -ENOTTY;
	}
}

static ssize_t control_read(struct file *file, char __user *buffer, size_t size, loff_t *position)
{
	return tacet_event_read(buffer, size, file->f_flags & O_NONBLOCK);
}

static __poll_t control_poll(struct file *file, poll_table *wait)
{
	return file->f_mode & FMODE_READ ? tacet_event_poll(file, wait) : 0;
}

static int control_open(struct inode *inode, struct file *file)
{
	int error;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (file->f_mode & FMODE_READ) {
		error = tacet_event_claim();
		if (error)
			return error;
		tacet_question_requeue();
	}
	return stream_open(inode, file);
}

static int control_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_READ)
		tacet_event_release();
	return 0;
}

static const struct file_operations control_operations = {
	.owner = THIS_MODULE,
	.open = control_open,
	.release = control_release,
	.read = control_read,
	.poll = control_poll,
	.unlocked_ioctl = control_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice control_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tacet",
	.fops = &control_operations,
	.mode = 0600,
};

int tacet_control_init(void)
{
	tacet_sink_set_own_device(&control_operations);
	return misc_register(&control_device);
}

void tacet_control_exit(void)
{
	misc_deregister(&control_device);
}
