// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor that stands for a private session. Its last close ends the session. While a session
 * exists, the machine cannot hibernate.
 */
#include <linux/anon_inodes.h>
#include <linux/cgroup.h>
#include <linux/file.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/suspend.h>
#include <linux/uaccess.h>

#include "base/feature.h"
#include "memory/clear.h"
#include "session/arrival.h"
#include "session/border.h"
#include "session/descriptor.h"
#include "session/key.h"
#include "session/life.h"
#include "session/session.h"
#include "session/swap/map.h"

static long get_info(const struct tacet_private *session, void __user *argument)
{
	struct tacet_session_info info = {
		.id = session->id,
		.pages_swapped = tacet_swap_map_slots(session->owner),
		.pages_written = tacet_swap_map_written(session->owner),
		.pages_cleared = tacet_page_clear_count(session->owner),
	};

	return copy_to_user(argument, &info, sizeof(info)) ? -EFAULT : 0;
}

static long allow_socket(struct tacet_private *session, const void __user *argument)
{
	struct tacet_session_socket request;
	struct file *socket;
	int error;

	if (copy_from_user(&request, argument, sizeof(request)))
		return -EFAULT;
	if (request.reserved)
		return -EINVAL;
	socket = fget_raw(request.fd);
	if (!socket)
		return -EBADF;
	error = tacet_session_allow_socket(session, file_inode(socket));
	fput(socket);
	return error;
}

static long session_ioctl(struct file *file, unsigned int command, unsigned long address)
{
	if (command == TACET_SESSION_KEY)
		return tacet_session_key_make((void __user *)address);
	if (command == TACET_SESSION_SOCKET)
		return allow_socket(file->private_data, (void __user *)address);
	/* The size is left out of the comparison, as it may grow. */
	if ((command & ~IOCSIZE_MASK) != (TACET_SESSION_INFO & ~IOCSIZE_MASK))
		return -ENOTTY;
	if (_IOC_SIZE(command) < sizeof(struct tacet_session_info))
		return -EINVAL;
	return get_info(file->private_data, (void __user *)address);
}

static int session_release(struct inode *inode, struct file *file)
{
	tacet_session_end(file->private_data);
	return 0;
}

static const struct file_operations session_operations = {
	.owner = THIS_MODULE,
	.release = session_release,
	.unlocked_ioctl = session_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/* Returns a reference to the memory cgroup of the directory @fd. An ancestor that stands in for it does not count. */
static struct cgroup_subsys_state *css_from_fd(int fd)
{
	struct cgroup_subsys_state *css;
	struct cgroup *cgroup;

	if (mem_cgroup_disabled())
		return ERR_PTR(-EINVAL);
	cgroup = cgroup_get_from_fd(fd);
	if (IS_ERR(cgroup))
		return ERR_PTR(-EBADF);
	css = cgroup_get_e_css(cgroup, &memory_cgrp_subsys);
	if (css && (css->cgroup != cgroup || !css->parent || css_is_dying(css))) {
		css_put(css);
		css = NULL;
	}
	cgroup_put(cgroup);
	return css ?: ERR_PTR(-EINVAL);
}

static int install(struct tacet_private *session)
{
	struct file *file;
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0)
		return fd;
	file = anon_inode_getfile("[tacet-session]", &session_operations, session, O_RDONLY);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
}

int tacet_session_descriptor_create(int cgroup_fd)
{
	struct cgroup_subsys_state *css = css_from_fd(cgroup_fd);
	struct tacet_private *session;
	int fd;

	if (IS_ERR(css))
		return PTR_ERR(css);
	session = tacet_session_begin(css);
	css_put(css);
	if (IS_ERR(session))
		return PTR_ERR(session);
	/* The first member knows by now what the session is to run. */
	if (tacet_session_is_member())
		tacet_session_adopt(current->mm);
	fd = install(session);
	if (fd < 0)
		tacet_session_end(session);
	return fd;
}

/* The image would hold the sessions' memory and keys in the clear. */
static int veto_hibernation(struct notifier_block *block, unsigned long event, void *data)
{
	if (event != PM_HIBERNATION_PREPARE || !tacet_session_any())
		return NOTIFY_DONE;
	pr_warn("no hibernation while a private session runs\n");
	return NOTIFY_BAD;
}

static struct notifier_block power_notifier = { .notifier_call = veto_hibernation };

int tacet_session_descriptor_init(void)
{
	int error = register_pm_notifier(&power_notifier);

	if (!error)
		tacet_feature_set(TACET_FEATURE_SESSIONS, true);
	return error;
}

/* No session is left, as each descriptor holds the module. */
void tacet_session_descriptor_exit(void)
{
	unregister_pm_notifier(&power_notifier);
}
