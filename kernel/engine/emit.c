// SPDX-License-Identifier: GPL-2.0-only
/* Writes bytes of the kernel's own copy, as the call of the current task would. */
#include <linux/fs.h>
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <net/sock.h>

#include "call/entry.h"
#include "engine/emit.h"

/* Fills in flags and destination of the call. Returns false if it carries more than bytes. */
static bool fill_header(const struct tacet_entry *entry, struct msghdr *header, struct sockaddr_storage *address)
{
	const void __user *name = NULL;
	struct user_msghdr user;
	int length = 0;

	if (entry->number == __NR_sendto) {
		header->msg_flags = entry->args[3];
		name = (const void __user *)entry->args[4];
		length = entry->args[5];
	} else if (entry->number == __NR_sendmsg) {
		if (copy_from_user(&user, (void __user *)entry->args[1], sizeof(user)) || user.msg_controllen)
			return false;
		header->msg_flags = entry->args[2];
		name = user.msg_name;
		length = user.msg_namelen;
	} else if (entry->number == __NR_sendmmsg) {
		return false;
	}
	if (!name || length <= 0)
		return true;
	if (length > (int)sizeof(*address) || copy_from_user(address, name, length))
		return false;
	header->msg_name = address;
	header->msg_namelen = length;
	return true;
}

static long emit_socket(struct tacet_entry *entry, struct file *file, struct socket *socket, const u8 *data,
			size_t length)
{
	struct kvec vector = { .iov_base = (void *)data, .iov_len = length };
	struct sockaddr_storage address;
	struct msghdr header = {};

	if (!fill_header(entry, &header, &address))
		return TACET_PASS;
	/* These flags are the kernel's own, and user space cannot pass them. */
	header.msg_flags &= ~(MSG_INTERNAL_SENDMSG_FLAGS | MSG_ZEROCOPY);
	if (file->f_flags & O_NONBLOCK)
		header.msg_flags |= MSG_DONTWAIT;
	return kernel_sendmsg(socket, &header, &vector, 1, length);
}

static long emit_file(struct tacet_entry *entry, struct file *file, const u8 *data, size_t length)
{
	bool positioned = entry->number == __NR_pwrite64 || entry->number == __NR_pwritev ||
			  (entry->number == __NR_pwritev2 && entry->args[3] != -1UL);
	loff_t position = positioned ? (loff_t)entry->args[3] : file->f_pos;
	long written;

	/* The call itself would fail like this, while kernel_write() would warn. */
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (positioned && !(file->f_mode & FMODE_PWRITE))
		return -ESPIPE;
	written = kernel_write(file, data, length, &position);
	if (written > 0 && !positioned && !(file->f_mode & FMODE_STREAM))
		file->f_pos = position;
	return written;
}

long tacet_emit(struct tacet_entry *entry, struct file *file, const u8 *data, size_t length)
{
	struct socket *socket = sock_from_file(file);

	return socket ? emit_socket(entry, file, socket, data, length) : emit_file(entry, file, data, length);
}
