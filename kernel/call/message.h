/* SPDX-License-Identifier: GPL-2.0-only */
/* Marshals socket messages: struct user_msghdr and struct mmsghdr, addresses, control data. */
#ifndef _TACET_CALL_MESSAGE_H
#define _TACET_CALL_MESSAGE_H

#include "base/section.h"

/* A socket address without the bytes that the kernel ignores. -EINVAL: too long. */
int __must_check tacet_message_append_address(struct tacet_blob *blob, const void __user *address, int length);

/* The same without a section around it, as payload. */
int __must_check tacet_message_take_address(struct tacet_blob *blob, const void __user *address, int length);

/*
 * @user points to one struct user_msghdr, or when @many to @count struct mmsghdr.
 * Each appends its sections, sets payload_offset and appends the payload.
 */
int __must_check tacet_message_outgoing(struct tacet_blob *blob, void __user *user, bool many, u32 count);
/* @size: the result of recvmsg; ignored when @many. */
int __must_check tacet_message_received(struct tacet_blob *blob, void __user *user, bool many, u32 count, size_t size);
int __must_check tacet_message_replay(const struct tacet_blob *blob, struct tacet_cursor *cursor, void __user *user,
				      bool many, u32 count);

#endif
