// SPDX-License-Identifier: GPL-2.0-only
/* Marshals socket messages: struct user_msghdr and struct mmsghdr, addresses, control data. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>
#include <linux/un.h>
#include <linux/unaligned.h>

#include "base/blob.h"
#include "base/section.h"
#include "call/message.h"

/* The fields that the kernel writes back into a received message's header. */
struct received {
	s32 name_length; /* the full length of the address, which may have been cut off */
	u32 flags;
	u32 length; /* msg_len */
};

static struct user_msghdr __user *header_at(void __user *user, bool many, u32 index)
{
	struct mmsghdr __user *messages = user;

	return many ? &messages[index].msg_hdr : user;
}

/* Copies all headers at once, so that each is read only once. @count becomes the number of those that can be read. */
static struct mmsghdr *load_headers(const void __user *user, bool many, u32 *count)
{
	size_t one = many ? sizeof(struct mmsghdr) : sizeof(struct user_msghdr);
	struct mmsghdr *messages = kvmalloc_array(*count, sizeof(*messages), GFP_KERNEL_ACCOUNT);
	u32 wanted = *count;

	if (!messages)
		return ERR_PTR(-ENOMEM);
	*count -= DIV_ROUND_UP(copy_from_user(messages, user, wanted * one), one);
	if (*count || !wanted)
		return messages;
	kvfree(messages);
	return ERR_PTR(-EFAULT);
}

/* Uninitialised bytes that the kernel does not look at must not count as a difference. */
static void clear_ignored(u8 *address, size_t length)
{
	size_t used = length;

	if (length < sizeof(sa_family_t))
		return;
	switch (get_unaligned((sa_family_t *)address)) {
	case AF_INET:
		used = offsetofend(struct sockaddr_in, sin_addr);
		break;
	case AF_INET6:
		used = sizeof(struct sockaddr_in6);
		break;
	case AF_UNIX:
		/* An abstract name, which starts with NUL, counts in full length. */
		used = offsetof(struct sockaddr_un, sun_path);
		if (length > used && address[used])
			used += strnlen(address + used, length - used);
		else
			used = length;
		break;
	}
	if (used < length)
		memset(address + used, 0, length - used);
}

static bool is_address_length(int length)
{
	return length >= 0 && length <= sizeof(struct __kernel_sockaddr_storage);
}

int tacet_message_append_address(struct tacet_blob *blob, const void __user *address, int length)
{
	int error;

	if (address && !is_address_length(length))
		return -EINVAL;
	error = tacet_section_append_user(blob, address, length);
	if (!error && address)
		clear_ignored(tacet_section_last(blob, length), length);
	return error;
}

int tacet_message_take_address(struct tacet_blob *blob, const void __user *address, int length)
{
	int error;

	if (!is_address_length(length))
		return -EINVAL;
	error = tacet_blob_append_user(blob, address, length);
	if (!error)
		clear_ignored(tacet_section_last(blob, length), length);
	return error;
}

static void clear_padding(u8 *control, size_t left)
{
	struct cmsghdr header;
	size_t length;

	while (left >= sizeof(header)) {
		memcpy(&header, control, sizeof(header));
		if (header.cmsg_len < sizeof(header) || header.cmsg_len > left)
			return;
		length = min_t(size_t, CMSG_ALIGN(header.cmsg_len), left);
		memset(control + header.cmsg_len, 0, length - header.cmsg_len);
		control += length;
		left -= length;
	}
}

/* msg_flags is not gathered: the kernel ignores it when sending. */
static int append_outgoing_header(struct tacet_blob *blob, const struct user_msghdr *header)
{
	int length = min_t(int, header->msg_namelen, sizeof(struct __kernel_sockaddr_storage));
	int error = tacet_message_append_address(blob, header->msg_name, length);

	if (error)
		return error;
	error = tacet_section_append_user(blob, header->msg_control, header->msg_controllen);
	if (!error && header->msg_control)
		clear_padding(tacet_section_last(blob, header->msg_controllen), header->msg_controllen);
	return error;
}

static int append_received_header(struct tacet_blob *blob, const struct mmsghdr *message)
{
	const struct user_msghdr *header = &message->msg_hdr;
	struct received received = {
		.name_length = header->msg_namelen,
		.flags = header->msg_flags,
		.length = message->msg_len,
	};
	int length = clamp_t(int, header->msg_namelen, 0, sizeof(struct __kernel_sockaddr_storage));
	int error = tacet_section_append(blob, &received, sizeof(received));

	error = error ?: tacet_section_append_readable(blob, header->msg_name, length);
	return error ?: tacet_section_append_user(blob, header->msg_control, header->msg_controllen);
}

static ssize_t append_payload(struct tacet_blob *blob, const struct user_msghdr *header, size_t limit)
{
	if (header->msg_iovlen > UIO_MAXIOV)
		return -EMSGSIZE;
	return tacet_section_take_iovec(blob, header->msg_iov, header->msg_iovlen, limit);
}

/* With many messages the first section holds how much of the payload belongs to each. */
static int reserve_lengths(struct tacet_blob *blob, bool many, u32 count, u32 *lengths_at)
{
	u32 size = count * sizeof(u32);
	u8 *lengths;
	int error;

	if (!many)
		return 0;
	error = tacet_blob_append(blob, &size, sizeof(size));
	if (error)
		return error;
	*lengths_at = blob->length;
	lengths = tacet_blob_extend(blob, size);
	if (!lengths)
		return -ENOMEM;
	memset(lengths, 0, size);
	return 0;
}

static void store_length(struct tacet_blob *blob, u32 lengths_at, u32 index, u32 length)
{
	put_unaligned(length, (u32 *)(blob->data + lengths_at) + index);
}

/* sendmmsg sends the messages before the wrong one, so those must be compared. */
static bool is_cut_short(int error, u32 index)
{
	return index && error != -ENOMEM && error != -E2BIG;
}

static int append_outgoing_headers(struct tacet_blob *blob, const struct mmsghdr *messages, u32 *count)
{
	u32 index, length;
	int error;

	for (index = 0; index < *count; index++) {
		length = blob->length;
		error = append_outgoing_header(blob, &messages[index].msg_hdr);
		if (!error)
			continue;
		if (!is_cut_short(error, index))
			return error;
		blob->length = length;
		*count = index;
	}
	return 0;
}

static int append_outgoing(struct tacet_blob *blob, const struct mmsghdr *messages, bool many, u32 count)
{
	u32 lengths_at = 0, index;
	int error = reserve_lengths(blob, many, count, &lengths_at);

	error = error ?: append_outgoing_headers(blob, messages, &count);
	blob->payload_offset = blob->length;
	for (index = 0; !error && index < count; index++) {
		ssize_t size = append_payload(blob, &messages[index].msg_hdr, SIZE_MAX);

		if (size < 0)
			return is_cut_short(size, index) ? 0 : size;
		if (many)
			store_length(blob, lengths_at, index, size);
	}
	return error;
}

static int append_received(struct tacet_blob *blob, const struct mmsghdr *messages, bool many, u32 count)
{
	u32 lengths_at = 0, index;
	int error = reserve_lengths(blob, many, count, &lengths_at);

	for (index = 0; !error && index < count; index++)
		error = append_received_header(blob, &messages[index]);
	blob->payload_offset = blob->length;
	for (index = 0; !error && index < count; index++) {
		ssize_t size = append_payload(blob, &messages[index].msg_hdr, messages[index].msg_len);

		if (size < 0)
			error = size;
		else if (many)
			store_length(blob, lengths_at, index, size);
	}
	return error;
}

int tacet_message_outgoing(struct tacet_blob *blob, void __user *user, bool many, u32 count)
{
	struct mmsghdr *messages = load_headers(user, many, &count);
	int error;

	if (IS_ERR(messages))
		return PTR_ERR(messages);
	error = append_outgoing(blob, messages, many, count);
	kvfree(messages);
	return error;
}

int tacet_message_received(struct tacet_blob *blob, void __user *user, bool many, u32 count, size_t size)
{
	u32 readable = count;
	struct mmsghdr *messages = load_headers(user, many, &readable);
	int error = -EFAULT;

	if (IS_ERR(messages))
		return PTR_ERR(messages);
	if (!many)
		messages->msg_len = size;
	if (readable == count)
		error = append_received(blob, messages, many, count);
	kvfree(messages);
	return error;
}

static int write_name(const struct user_msghdr *own, struct user_msghdr __user *user, const u8 *name, u32 size,
		      s32 full_size)
{
	if (!name != !own->msg_name)
		return -EPROTO;
	if (!name)
		return 0;
	/* The full size may exceed what was written. This task's own length says how much room there is. */
	size = min_t(u32, size, max(own->msg_namelen, 0));
	if (copy_to_user(own->msg_name, name, size))
		return -EFAULT;
	return put_user(full_size, &user->msg_namelen);
}

static int write_control(const struct user_msghdr *own, struct user_msghdr __user *user, const u8 *control, u32 size)
{
	if (size > own->msg_controllen || (size && !own->msg_control))
		return -EPROTO;
	if (copy_to_user(own->msg_control, control, size))
		return -EFAULT;
	return put_user(size, &user->msg_controllen);
}

static int replay_header(struct tacet_cursor *cursor, const struct user_msghdr *own, struct user_msghdr __user *user,
			 u32 *message_length)
{
	struct received received;
	const u8 *data;
	u32 size;
	int error = tacet_section_cursor_next(cursor, &data, &size);

	if (error)
		return error;
	if (size != sizeof(received))
		return -EPROTO;
	memcpy(&received, data, sizeof(received));
	*message_length = received.length;

	error = tacet_section_cursor_next(cursor, &data, &size);
	error = error ?: write_name(own, user, data, size, received.name_length);
	error = error ?: tacet_section_cursor_next(cursor, &data, &size);
	error = error ?: write_control(own, user, data, size);
	return error ?: put_user(received.flags, &user->msg_flags);
}

static int replay_messages(const struct tacet_blob *blob, struct tacet_cursor *cursor, const struct mmsghdr *own,
			   void __user *user, bool many, u32 count)
{
	const u8 *payload = blob->data + blob->payload_offset, *lengths = NULL;
	struct mmsghdr __user *messages = user;
	u32 left = blob->payload_length, size, length, index;
	int error = many ? tacet_section_cursor_next(cursor, &lengths, &size) : 0;

	if (error)
		return error;
	if (many && (!lengths || size != count * sizeof(u32)))
		return -EPROTO;
	for (index = 0; index < count; index++) {
		const struct user_msghdr *header = &own[index].msg_hdr;

		error = replay_header(cursor, header, header_at(user, many, index), &length);
		if (error)
			return error;
		if (many && put_user(length, &messages[index].msg_len))
			return -EFAULT;
		size = many ? get_unaligned((const u32 *)lengths + index) : left;
		if (size > left || header->msg_iovlen > UIO_MAXIOV)
			return -EPROTO;
		error = tacet_section_give_iovec(payload, size, header->msg_iov, header->msg_iovlen);
		if (error)
			return error;
		payload += size;
		left -= size;
	}
	return left ? -EPROTO : 0;
}

int tacet_message_replay(const struct tacet_blob *blob, struct tacet_cursor *cursor, void __user *user, bool many,
			 u32 count)
{
	u32 readable = count;
	struct mmsghdr *own = load_headers(user, many, &readable);
	int error = -EFAULT;

	if (IS_ERR(own))
		return PTR_ERR(own);
	if (readable == count)
		error = replay_messages(blob, cursor, own, user, many, count);
	kvfree(own);
	return error;
}

static bool same_name(const struct user_msghdr *one, const struct user_msghdr *other)
{
	struct __kernel_sockaddr_storage name, other_name;
	int length = one->msg_name ? one->msg_namelen : 0;

	if (length != (other->msg_name ? other->msg_namelen : 0))
		return false;
	if (!length || one->msg_name == other->msg_name)
		return true;
	return is_address_length(length) && !copy_from_user(&name, one->msg_name, length) &&
	       !copy_from_user(&other_name, other->msg_name, length) && !memcmp(&name, &other_name, length);
}

u32 tacet_message_same_destination(const void __user *user, u32 count)
{
	u32 readable = min_t(u32, count, UIO_MAXIOV), same = 1;
	struct mmsghdr *messages;

	if (readable < 2)
		return readable;
	messages = load_headers(user, true, &readable);
	if (IS_ERR(messages))
		return 1;
	while (same < readable && same_name(&messages[0].msg_hdr, &messages[same].msg_hdr))
		same++;
	kvfree(messages);
	return same;
}
