// SPDX-License-Identifier: GPL-2.0-only
/* The module without its engine: labels, shadow files, sinks, questions, and a device to call them. Tests only. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "control.h"
#include "base/credential.h"
#include "base/inode.h"
#include "base/work.h"
#include "event/event.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "label/overlay.h"
#include "label/shadow.h"
#include "pair/task.h"
#include "parts.h"
#include "question/guard.h"
#include "question/question.h"
#include "session/descriptor.h"
#include "sink/sink.h"

static atomic64_t reads, mapped;
static int reads_answer;

static int count_read(struct file *file)
{
	might_sleep();
	WARN_ON(!file->f_path.dentry || !tacet_mark_is_on(file));
	atomic64_inc(&reads);
	return READ_ONCE(reads_answer);
}

static void take_read(struct file *file)
{
	might_sleep();
	WARN_ON(!file->f_path.dentry);
}

static int count_mapped(struct file *file, struct tacet_labelset *set)
{
	might_sleep();
	atomic64_inc(&mapped);
	return 0;
}

unsigned int tacet_task_watched_count(void)
{
	return 0;
}

int tacet_session_descriptor_create(int cgroup_fd)
{
	return -EOPNOTSUPP;
}

static const struct tacet_label_hooks label_hooks = {
	.mark = { .reads = count_read, .has_read = take_read, .opens = tacet_guard_opens },
	.mapped = count_mapped,
};

static long label_of(struct parts_label *request, struct file *file)
{
	struct tacet_labelset *set = tacet_mark_label(file);

	memset(&request->label, 0, sizeof(request->label));
	if (set)
		request->label = set->label;
	tacet_labelset_put(set);
	request->armed = tacet_mark_is_on(file);
	return 0;
}

static long label_derive(struct parts_label *request, struct file *file)
{
	struct tacet_labelset *set = tacet_labelset_intern(&request->label, GFP_KERNEL);
	long error;

	if (IS_ERR(set))
		return PTR_ERR(set);
	error = tacet_label_derive(file, set, 0);
	tacet_labelset_put(set);
	return error;
}

static long shadow_read(struct parts_shadow *request, struct file *file)
{
	u8 *data = kvmalloc(request->size, GFP_KERNEL);
	long error;

	if (!data)
		return -ENOMEM;
	memset(data, '?', request->size);
	error = tacet_shadow_read(file, data, request->size, request->position);
	if (!error && copy_to_user(u64_to_user_ptr(request->data), data, request->size))
		error = -EFAULT;
	kvfree(data);
	return error;
}

static long shadow_open(int number)
{
	struct file *file = fget(number), *shadow;
	int result;

	if (!file)
		return -EBADF;
	shadow = tacet_shadow_open(file);
	fput(file);
	if (IS_ERR(shadow))
		return PTR_ERR(shadow);
	result = get_unused_fd_flags(O_CLOEXEC);
	if (result < 0)
		fput(shadow);
	else
		fd_install(result, shadow);
	return result;
}

static long classify(struct parts_sink *request, struct file *file)
{
	struct tacet_peer peer;

	if (request->address_length > sizeof(request->address))
		return -EINVAL;
	request->class = tacet_sink_classify(file, request->address_length ? (void *)request->address : NULL,
					     request->address_length, &peer);
	request->sink = peer.sink;
	request->family = peer.family;
	request->protocol = peer.protocol;
	memcpy(request->peer, peer.address, sizeof(peer.address));
	request->port = peer.port;
	request->flow = tacet_sink_flow(file);
	return 0;
}

static long ask(struct parts_ask *request, struct file *file)
{
	struct file *origin;
	struct tacet_breach breach = {
		.file = file,
		.data = request->data,
		.length = min_t(u32, request->length, sizeof(request->data)),
		.flags = request->flags,
		.calls_equal = 7,
		.calls_total = 9,
	};

	if (request->scrubbed_length != ~0U) {
		breach.scrubbed = request->scrubbed;
		breach.scrubbed_length = min_t(u32, request->scrubbed_length, sizeof(request->scrubbed));
	}
	breach.set = tacet_labelset_intern(&request->label, GFP_KERNEL);
	if (IS_ERR(breach.set))
		return PTR_ERR(breach.set);
	origin = request->origin_fd >= 0 ? fget(request->origin_fd) : NULL;
	if (origin)
		breach.origin = tacet_origin_of_file(origin, current);
	tacet_sink_classify(file, NULL, 0, &breach.peer);
	request->action = tacet_question_ask(&breach);
	tacet_origin_put(breach.origin);
	if (origin)
		fput(origin);
	tacet_labelset_put(breach.set);
	return 0;
}

static long with_file(unsigned int command, void *request)
{
	struct file *file = fget(*(__s32 *)request);
	long result = -ENOTTY;

	if (!file)
		return -EBADF;
	switch (command) {
	case PARTS_LABEL_OF:
		result = label_of(request, file);
		break;
	case PARTS_LABEL_DERIVE:
		result = label_derive(request, file);
		break;
	case PARTS_SHADOW_READ:
		result = shadow_read(request, file);
		break;
	case PARTS_SINK:
		result = classify(request, file);
		break;
	case PARTS_ASK:
		result = ask(request, file);
		break;
	}
	fput(file);
	return result;
}

static long parts_ioctl(struct file *file, unsigned int command, unsigned long address)
{
	void __user *argument = (void __user *)address;
	struct parts_reads *counts;
	void *request;
	long result;

	if (command == PARTS_SHADOW_OPEN)
		return shadow_open(address);
	if (command == PARTS_FORGET) {
		preempt_disable();
		tacet_question_forget(current->group_leader);
		preempt_enable();
		return 0;
	}
	request = memdup_user(argument, _IOC_SIZE(command));
	if (IS_ERR(request))
		return PTR_ERR(request);
	if (command == PARTS_READS) {
		counts = request;
		WRITE_ONCE(reads_answer, counts->answer);
		counts->count = atomic64_xchg(&reads, 0);
		counts->mapped = atomic64_xchg(&mapped, 0);
		result = 0;
	} else {
		result = with_file(command, request);
	}
	if (!result && (command & IOC_OUT) && copy_to_user(argument, request, _IOC_SIZE(command)))
		result = -EFAULT;
	kfree(request);
	return result;
}

static const struct file_operations parts_operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = parts_ioctl,
};

static struct miscdevice parts_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tacet-parts",
	.fops = &parts_operations,
	.mode = 0666,
};

static int __init parts_init(void)
{
	int error;

	error = tacet_credential_init();
	if (error)
		return error;
	error = tacet_work_init();
	if (error)
		goto exit_credential;
	error = tacet_inode_init();
	if (error)
		goto exit_work;
	error = tacet_event_init();
	if (error)
		goto exit_inode;
	error = tacet_question_init();
	if (error)
		goto exit_event;
	error = tacet_label_init(&label_hooks);
	if (error)
		goto exit_question;
	error = tacet_overlay_init();
	if (error)
		goto exit_label;
	error = tacet_control_init();
	if (error)
		goto exit_overlay;
	error = misc_register(&parts_device);
	if (error)
		goto exit_control;
	return 0;

exit_control:
	tacet_control_exit();
exit_overlay:
	tacet_overlay_exit();
exit_label:
	tacet_label_exit();
exit_question:
	tacet_question_exit();
exit_event:
	tacet_event_exit();
exit_inode:
	tacet_inode_exit();
exit_work:
	tacet_work_exit();
exit_credential:
	tacet_credential_exit();
	return error;
}

static void __exit parts_exit(void)
{
	misc_deregister(&parts_device);
	tacet_control_exit();
	tacet_overlay_exit();
	tacet_label_exit();
	tacet_question_exit();
	tacet_event_exit();
	tacet_inode_exit();
	tacet_work_exit();
	tacet_credential_exit();
}

module_init(parts_init);
module_exit(parts_exit);
MODULE_DESCRIPTION("Parts of Tacet under test");
MODULE_LICENSE("GPL");
