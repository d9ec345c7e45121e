// SPDX-License-Identifier: GPL-2.0-only
/* Classifies open files as sinks. A sink that is not known to be harmless or followed is outside. */
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/major.h>
#include <linux/net.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/sock_diag.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

#include "base/identity.h"
#include "label/xattr.h"
#include "sink/sink.h"
#include "sink/socket.h"
#include "sink/terminal.h"

/* linux/major.h and linux/magic.h do not know these. */
#define SND_CHARACTER_MAJOR 116
#define DRM_CHARACTER_MAJOR 226
#define CONFIGFS_SUPER_MAGIC 0x62656570
#define MQUEUE_SUPER_MAGIC 0x19800202

static const struct file_operations *own_device;

void tacet_sink_set_own_device(const struct file_operations *operations)
{
	own_device = operations;
}

/* These are file systems whose files are the kernel's own state. */
static bool pseudo_file_system(unsigned long magic)
{
	switch (magic) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case CGROUP_SUPER_MAGIC:
	case CGROUP2_SUPER_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
	case SECURITYFS_MAGIC:
	case SELINUX_MAGIC:
	case SMACK_MAGIC:
	case BPF_FS_MAGIC:
	case CONFIGFS_SUPER_MAGIC:
	case BINFMTFS_MAGIC:
		return true;
	default:
		return false;
	}
}

/* Tells whether this is /proc/PID/mem of another process. Data that is written there leaves this process. */
static bool other_memory(const struct file *file)
{
	const struct dentry *dentry = file->f_path.dentry;
	struct super_block *sb = file_inode(file)->i_sb;
	bool other = false;
	pid_t pid;

	if (sb->s_magic != PROC_SUPER_MAGIC || strcmp(dentry->d_name.name, "mem"))
		return false;
	rcu_read_lock();
	if (!kstrtoint(READ_ONCE(dentry->d_parent)->d_name.name, 10, &pid))
		other = pid != task_tgid_nr_ns(current, proc_pid_ns(sb)) &&
			pid != task_pid_nr_ns(current, proc_pid_ns(sb));
	rcu_read_unlock();
	return other;
}

/* These are counters and kernel objects. A write tells others no more than a number. */
static const char *const kernel_objects[] = {
	"[eventfd]", "[timerfd]",  "[signalfd]",    "[eventpoll]",  "inotify",	      "[fanotify]",
	"[pidfd]",   "[io_uring]", "[userfaultfd]", "[perf_event]", "[tacet-shadow]",
};

static bool is_kernel_object(const struct file *file)
{
	return match_string(kernel_objects, ARRAY_SIZE(kernel_objects), file->f_path.dentry->d_name.name) >= 0;
}

static bool own_terminal(dev_t device)
{
	struct tty_struct *tty = get_current_tty();
	bool own;

	if (!tty)
		return false;
	own = device == MKDEV(tty->driver->major, tty->driver->minor_start + tty->index);
	tty_kref_put(tty);
	return own;
}

static bool character_device_exempt(const struct file *file)
{
	dev_t device = file_inode(file)->i_rdev;
	unsigned int minor = MINOR(device);

	switch (MAJOR(device)) {
	case MEM_MAJOR:
		/*
		 * These are null, zero, full, random, urandom and kmsg. Nobody but root reads what is
		 * written there.
		 */
		return minor == 3 || minor == 5 || (minor >= 7 && minor <= 9) || minor == 11;
	case TTYAUX_MAJOR:
		/* These are tty, console and ptmx. */
		return minor <= 2;
	case TTY_MAJOR:
		/* Virtual consoles are below 64, and serial lines from 64 on. */
		return minor < 64 || own_terminal(device);
	case PTY_MASTER_MAJOR:
	case PTY_SLAVE_MAJOR:
	case UNIX98_PTY_MASTER_MAJOR ... UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT - 1:
		return true;
	case SOUND_MAJOR:
	case SND_CHARACTER_MAJOR:
	case DRM_CHARACTER_MAJOR:
		/*
		 * Without a server in between, programs use sound and display of the person's own
		 * session directly.
		 */
		return true;
	default:
		return own_terminal(device) || file->f_op == own_device;
	}
}

static enum tacet_sink_class outside(struct tacet_peer *peer, u32 sink)
{
	peer->sink = sink;
	return TACET_SINK_OUTSIDE;
}

/* Partitions of an image have another major number than the loop device itself. */
static bool is_in_image(const struct super_block *sb)
{
	return sb->s_bdev && sb->s_bdev->bd_disk->major == LOOP_MAJOR;
}

static enum tacet_sink_class classify_regular(const struct file *file, struct tacet_peer *peer)
{
	const struct inode *inode = file_inode(file);

	if (other_memory(file))
		return outside(peer, TACET_SINK_OTHER);
	if (pseudo_file_system(inode->i_sb->s_magic))
		return TACET_SINK_KERNEL;
	/* Who reads the file that backs a loop device reads this one, and no label says so. */
	if (tacet_xattr_possible(inode))
		return is_in_image(inode->i_sb) ? outside(peer, TACET_SINK_DEVICE) : TACET_SINK_LABELLED;
	return outside(peer, inode->i_sb->s_magic == MQUEUE_SUPER_MAGIC ? TACET_SINK_OTHER : TACET_SINK_FILE);
}

enum tacet_sink_class tacet_sink_classify(struct file *file, const struct sockaddr *address, int address_length,
					  struct tacet_peer *peer)
{
	const struct inode *inode = file_inode(file);
	struct socket *socket = sock_from_file(file);

	memset(peer, 0, sizeof(*peer));
	if (socket)
		return tacet_sink_classify_socket(socket, address, address_length, peer);
	/*
	 * This check comes before the one for the type, as it depends on the kernel whether such an
	 * inode has a type.
	 */
	if (inode->i_sb->s_magic == ANON_INODE_FS_MAGIC)
		return is_kernel_object(file) ? TACET_SINK_KERNEL : outside(peer, TACET_SINK_DEVICE);

	switch (inode->i_mode & S_IFMT) {
	case S_IFREG:
		return classify_regular(file, peer);
	case S_IFIFO:
		return TACET_SINK_CHANNEL;
	case S_IFCHR:
		if (tacet_terminal_leads_out(file))
			return TACET_SINK_CHANNEL;
		return character_device_exempt(file) ? TACET_SINK_EXEMPT : outside(peer, TACET_SINK_DEVICE);
	case S_IFBLK:
		return outside(peer, TACET_SINK_DEVICE);
	default:
		return outside(peer, TACET_SINK_OTHER);
	}
}

u64 tacet_sink_flow(struct file *file)
{
	struct socket *socket = sock_from_file(file);
	__u32 cookie[2];

	if (!socket || !socket->sk)
		return tacet_identity_of_inode(file_inode(file));
	sock_diag_save_cookie(socket->sk, cookie);
	return (u64)cookie[1] << 32 | cookie[0];
}
