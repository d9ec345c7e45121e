/* SPDX-License-Identifier: GPL-2.0-only */
/* Marshals socket messages: struct user_msghdr and struct mmsghdr, addresses, control data. */
#ifndef _TACET_CALL_MESSAGE_H
#define _TACET_CALL_MESSAGE_H

#include "base/section.h"

/* Appends a socket address without the bytes that the kernel ignores. -EINVAL means that it is too long. */
int __must_check tacet_message_append_address(struct tacet_blob *blob, const void __user *address, int length);

/* Does the same without a section around the address, as payload. */
int __must_check tacet_message_take_address(struct tacet_blob *blob, const void __user *address, int length);

/*
 * @user points to one struct user_msghdr, or with @many to @count struct mmsghdr. The first two
 * functions append sections, set payload_offset and append the payload.
 */
int __must_check tacet_message_outgoing(struct tacet_blob *blob, void __user *user, bool many, u32 count);
/* @size is the result of recvmsg, and ignored with @many. */
int __must_check tacet_message_received(struct tacet_blob *blob, void __user *user, bool many, u32 count, size_t size);
int __must_check tacet_message_replay(const struct tacet_blob *blob, struct tacet_cursor *cursor, void __user *user,
				      bool many, u32 count);

/*
 * Returns how many of the first @count messages of sendmmsg go to the destination of the first one. It is
 * 1 where they cannot be read.
 */
u32 tacet_message_same_destination(const void __user *user, u32 count);

#endif
