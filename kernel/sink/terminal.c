// SPDX-License-Identifier: GPL-2.0-only
/* Pseudo-terminals that lead to another program than a window on the screen. */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kdev_t.h>
#include <linux/major.h>
#include <linux/net.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "sink/sink.h"
#include "sink/socket.h"
#include "sink/terminal.h"

#define KNOWN_BITS 6

/*
 * A cache of results by the address of the master end. Another terminal may get the same address, so an
 * entry expires soon.
 */
struct known {
	const struct tty_struct *master;
	unsigned long until;
	bool leads_out;
};

static struct known known[1 << KNOWN_BITS];
static DEFINE_SPINLOCK(known_lock);

static struct tty_struct *terminal_of(struct file *file)
{
	unsigned int major = MAJOR(file_inode(file)->i_rdev), minor = MINOR(file_inode(file)->i_rdev);
	struct tty_file_private *private = file->private_data;

	if (!S_ISCHR(file_inode(file)->i_mode) || file->f_mode & FMODE_PATH || !private)
		return NULL;
	/* Only Unix98 terminals, /dev/tty and /dev/ptmx count. */
	if ((major < UNIX98_PTY_MASTER_MAJOR || major >= UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT) &&
	    !(major == TTYAUX_MAJOR && (minor == 0 || minor == 2)))
		return NULL;
	return private->tty;
}

static bool is_end(const struct tty_struct *tty, short subtype)
{
	return tty && tty->driver->type == TTY_DRIVER_TYPE_PTY && tty->driver->subtype == subtype;
}

struct tty_struct *tacet_terminal_of_master(struct file *file)
{
	struct tty_struct *tty = terminal_of(file);

	return is_end(tty, PTY_TYPE_MASTER) ? tty : NULL;
}

struct tty_struct *tacet_terminal_master(struct file *file)
{
	struct tty_struct *tty = terminal_of(file);

	return is_end(tty, PTY_TYPE_SLAVE) ? tty->link : NULL;
}

static int reads_master(const void *master, struct file *file, unsigned int fd)
{
	return tacet_terminal_of_master(file) == master;
}

static int is_connection(const void *unused, struct file *file, unsigned int fd)
{
	struct socket *socket = sock_from_file(file);
	const struct sock *sk = socket ? socket->sk : NULL;
	struct tacet_peer peer;

	if (!sk || (sk->sk_family != AF_INET && sk->sk_family != AF_INET6) || !inet_sk(sk)->inet_num)
		return false;
	if (sk->sk_type == SOCK_STREAM && (1 << READ_ONCE(sk->sk_state)) & (TCPF_LISTEN | TCPF_CLOSE))
		return false;
	memset(&peer, 0, sizeof(peer));
	return tacet_sink_classify_socket(socket, NULL, 0, &peer) == TACET_SINK_OUTSIDE;
}

static int is_display(const void *unused, struct file *file, unsigned int fd)
{
	struct socket *socket = sock_from_file(file);

	return socket && tacet_sink_is_display(socket);
}

/* Tells whether @task reads the terminal @master and is no window on the screen, or has another way out. */
static bool task_leads_out(struct task_struct *task, const struct tty_struct *master)
{
	bool out = false;

	task_lock(task);
	if (task->files && iterate_fd(task->files, 0, reads_master, master))
		out = !iterate_fd(task->files, 0, is_display, NULL) || iterate_fd(task->files, 0, is_connection, NULL);
	task_unlock(task);
	return out;
}

static bool leads_out(const struct tty_struct *master)
{
	struct task_struct *process, *task;
	bool out = false;

	rcu_read_lock();
	/* A thread may have a table of its own, and a leader that has ended has none. */
	for_each_process_thread(process, task) {
		if (out || process->flags & PF_KTHREAD || (task != process && task->files == READ_ONCE(process->files)))
			continue;
		out = task_leads_out(task, master);
	}
	rcu_read_unlock();
	return out;
}

bool tacet_terminal_leads_out(struct file *file)
{
	struct tty_struct *master = tacet_terminal_master(file);
	struct known *slot, copy;

	if (!master)
		return false;
	slot = &known[hash_ptr(master, KNOWN_BITS)];
	spin_lock(&known_lock);
	copy = *slot;
	spin_unlock(&known_lock);
	if (copy.master == master && time_before(jiffies, copy.until))
		return copy.leads_out;
	copy = (struct known){ master, jiffies + HZ, leads_out(master) };
	spin_lock(&known_lock);
	*slot = copy;
	spin_unlock(&known_lock);
	return copy.leads_out;
}
