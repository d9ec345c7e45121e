// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the marshalling in a kernel, on the memory of the process that loads this module.
 * Loading fails with -EBUSY when a check failed, with -EAGAIN (so that nothing stays) otherwise.
 */
#include <linux/in.h>
#include <linux/mman.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/time_types.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/un.h>
#include <linux/unistd.h>

#include "call/marshal.h"

#define AREA (64 * 1024)
/* Two processes in one: the same things lie at other addresses, the far half ends at a hole. */
static unsigned long near, far, hole;
static unsigned int checks, failures;
static struct tacet_blob first, second;

#define CHECK(condition)                                                              \
	do {                                                                          \
		checks++;                                                             \
		if (!(condition)) {                                                   \
			failures++;                                                   \
			pr_err("marshal_check: line %d: %s\n", __LINE__, #condition); \
		}                                                                     \
	} while (0)

#define ARGS(...) ((unsigned long[TACET_CALL_ARGUMENTS]){ __VA_ARGS__ })

static void __user *user(unsigned long address)
{
	return (void __user *)address;
}

static void put(unsigned long address, const void *data, size_t size)
{
	CHECK(!copy_to_user(user(address), data, size));
}

static bool holds(unsigned long address, const void *data, size_t size)
{
	static u8 copy[AREA];

	return !copy_from_user(copy, user(address), size) && !memcmp(copy, data, size);
}

static int in(struct tacet_blob *blob, unsigned int number, const unsigned long *args)
{
	tacet_blob_reset(blob);
	return tacet_marshal_in(tacet_call_lookup(number), args, blob);
}

static int out(unsigned int number, const unsigned long *args, long result)
{
	tacet_blob_reset(&first);
	return tacet_marshal_out(tacet_call_lookup(number), args, result, &first);
}

static int replay(unsigned int number, const unsigned long *args, long result)
{
	return tacet_marshal_replay(tacet_call_lookup(number), args, result, &first);
}

static bool payload_is(const struct tacet_blob *blob, const char *expected)
{
	return blob->payload_length == strlen(expected) &&
	       blob->payload_offset + blob->payload_length == blob->length &&
	       !memcmp(blob->data + blob->payload_offset, expected, blob->payload_length);
}

static void check_write(void)
{
	put(near, "equal data", 10);
	put(far, "equal data", 10);
	CHECK(!in(&first, __NR_write, ARGS(1, near, 10)) && payload_is(&first, "equal data"));
	CHECK(!in(&second, __NR_write, ARGS(1, far, 10)) && tacet_blob_equal(&first, &second));
	CHECK(!in(&second, __NR_write, ARGS(1, far, 9)) && !tacet_blob_equal(&first, &second));
	CHECK(!in(&first, __NR_write, ARGS(1, 0, 0)) && payload_is(&first, ""));
	put(hole - 4, "tail", 4);
	CHECK(!in(&first, __NR_write, ARGS(1, hole - 4, 100)) && payload_is(&first, "tail"));
	CHECK(in(&first, __NR_write, ARGS(1, hole, 100)) == -EFAULT && !first.length);
	CHECK(in(&first, __NR_write, ARGS(1, 0, 1)) == -EFAULT);
	CHECK(in(&first, __NR_write, ARGS(1, near, TACET_BLOB_MAX + 1UL)) == -E2BIG);
	CHECK(in(&first, __NR_write, ARGS(1, near, -1UL)) < 0);
	CHECK(in(&first, __NR_write, ARGS(1, TASK_SIZE_MAX + 4096, 10)) == -EFAULT);
}

static void check_blob(void)
{
	u8 *steady;

	CHECK(!in(&first, __NR_write, ARGS(1, near, 4096)));
	steady = first.data;
	CHECK(!in(&first, __NR_write, ARGS(1, near, 4096)) && first.data == steady);
	CHECK(!in(&first, __NR_write, ARGS(1, near, 40000)) && first.length == 40000);
	tacet_blob_reset(&first);
	CHECK(first.data == first.inline_data && first.capacity == TACET_BLOB_INLINE);
}

static void check_read(void)
{
	put(near, "from the file", 13);
	CHECK(!out(__NR_read, ARGS(3, near, 64), 13) && payload_is(&first, "from the file"));
	CHECK(!replay(__NR_read, ARGS(3, far, 64), 13) && holds(far, "from the file", 13));
	CHECK(replay(__NR_read, ARGS(3, far, 5), 13) == -EPROTO);
	CHECK(replay(__NR_read, ARGS(3, hole - 4, 64), 13) == -EFAULT);
	/* The engine puts scrubbed data in the place of the payload. */
	memcpy(first.data + first.payload_offset, "XXXX", 4);
	first.payload_length = 4;
	first.length = first.payload_offset + 4;
	put(far, "________", 8);
	CHECK(!replay(__NR_read, ARGS(3, far, 64), 4) && holds(far, "XXXX____", 8));
	CHECK(!out(__NR_read, ARGS(3, near, 64), 0) && payload_is(&first, ""));
	CHECK(!out(__NR_read, ARGS(3, near, 64), -EIO) && !first.length);
	CHECK(!replay(__NR_read, ARGS(3, far, 64), -EIO));
	CHECK(out(__NR_read, ARGS(3, hole - 4, 64), 13) == -EFAULT);
	/* recv(MSG_TRUNC) tells more than the buffer holds. */
	CHECK(!out(__NR_recvfrom, ARGS(3, near, 4, MSG_TRUNC, 0, 0), 900) && payload_is(&first, "from"));
	CHECK(!out(__NR_recvfrom, ARGS(3, 0, 900, MSG_TRUNC, 0, 0), 900) && payload_is(&first, ""));
	CHECK(!replay(__NR_recvfrom, ARGS(3, 0, 900, MSG_TRUNC, 0, 0), 900));
}

static void put_iovec(unsigned long at, unsigned long base, size_t one, size_t two)
{
	struct iovec vector[] = { { user(base), one }, { user(base + 512), two } };

	put(at, vector, sizeof(vector));
}

static void check_iovec(void)
{
	struct iovec endless = { user(near), -1L };

	put(near, "abc", 3);
	put(near + 512, "defgh", 5);
	put_iovec(near + 2048, near, 3, 5);
	put(far, "abcdef", 6);
	put(far + 512, "gh", 2);
	put_iovec(far + 2048, far, 6, 2);
	CHECK(!in(&first, __NR_writev, ARGS(1, near + 2048, 2)) && payload_is(&first, "abcdefgh"));
	CHECK(!in(&second, __NR_writev, ARGS(1, far + 2048, 2)) && tacet_blob_equal(&first, &second));
	CHECK(in(&first, __NR_writev, ARGS(1, near + 2048, UIO_MAXIOV + 1)) == -EINVAL);
	CHECK(in(&first, __NR_writev, ARGS(1, hole, 2)) == -EFAULT);
	put(near + 3072, &endless, sizeof(endless));
	CHECK(in(&first, __NR_writev, ARGS(1, near + 3072, 1)) < 0);

	CHECK(!out(__NR_readv, ARGS(1, near + 2048, 2), 7) && payload_is(&first, "abcdefg"));
	put_iovec(far + 2048, far, 1, 20);
	CHECK(!replay(__NR_readv, ARGS(1, far + 2048, 2), 7) && holds(far, "a", 1) && holds(far + 512, "bcdefg", 6));
	put_iovec(far + 2048, far, 1, 2);
	CHECK(replay(__NR_readv, ARGS(1, far + 2048, 2), 7) == -EPROTO);
}

static void check_strings(void)
{
	put(near, "/etc/passwd", 12);
	put(hole - 12, "/etc/passwd", 12);
	CHECK(!in(&first, __NR_openat, ARGS(AT_FDCWD, near, 0)));
	CHECK(!in(&second, __NR_openat, ARGS(AT_FDCWD, hole - 12, 0)) && tacet_blob_equal(&first, &second));
	put(hole - 6, "!", 1);
	CHECK(!in(&second, __NR_openat, ARGS(AT_FDCWD, hole - 12, 0)) && !tacet_blob_equal(&first, &second));
	put(hole - 1, "!", 1);
	CHECK(in(&second, __NR_openat, ARGS(AT_FDCWD, hole - 12, 0)) == -EFAULT);
	CHECK(!clear_user(user(near), AREA) && !in(&first, __NR_rename, ARGS(near, 0)));
	CHECK(!in(&second, __NR_rename, ARGS(0, near)) && !tacet_blob_equal(&first, &second));
	for (int i = 0; i < 8192; i++)
		put(near + i, "x", 1);
	CHECK(!in(&first, __NR_unlink, ARGS(near)) && first.length == sizeof(u32) + PATH_MAX);
	/* bind and friends: a bad length is the call's own failure. */
	CHECK(in(&first, __NR_bind, ARGS(3, near, 4000)) == -EINVAL);
}

static void check_handles(void)
{
	struct {
		u32 bytes;
		s32 type;
		u8 handle[8];
	} kept = { 8, 1, "handle!" }, small = { 8, 1 };
	u64 mount = 77;

	put(near, &kept, sizeof(kept));
	put(near + 64, &mount, sizeof(mount));
	put(far, &kept, 4);
	CHECK(!out(__NR_name_to_handle_at, ARGS(3, near + 512, near, near + 64, AT_HANDLE_MNT_ID_UNIQUE), 0));
	CHECK(!replay(__NR_name_to_handle_at, ARGS(3, near + 512, far, far + 64, AT_HANDLE_MNT_ID_UNIQUE), 0) &&
	      holds(far, &kept, sizeof(kept)) && holds(far + 64, &mount, sizeof(mount)));
	/* Who offers less room has come another way. */
	small.bytes = 4;
	put(far, &small, sizeof(small));
	CHECK(replay(__NR_name_to_handle_at, ARGS(3, near + 512, far, far + 64, AT_HANDLE_MNT_ID_UNIQUE), 0) ==
	      -EPROTO);
	/* How much room it takes, and nothing of what lies there. */
	put(far, &small, sizeof(small));
	CHECK(!out(__NR_name_to_handle_at, ARGS(3, near + 512, near, near + 64, 0), -EOVERFLOW));
	CHECK(!replay(__NR_name_to_handle_at, ARGS(3, near + 512, far, far + 64, 0), -EOVERFLOW) &&
	      holds(far, &kept, 8) && holds(far + 8, small.handle, sizeof(small.handle)));
	CHECK(!out(__NR_name_to_handle_at, ARGS(3, near + 512, near, near + 64, 0), -ENOENT) && !first.length);
}

static void check_addresses(void)
{
	struct sockaddr_in internet = { .sin_family = AF_INET, .sin_port = 53 };
	struct sockaddr_un local = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	u32 size;

	put(near, "data", 4);
	put(near + 100, &internet, sizeof(internet));
	memset(internet.__pad, 0xaa, sizeof(internet.__pad));
	put(far + 100, &internet, sizeof(internet));
	put(far, "data", 4);
	CHECK(!in(&first, __NR_sendto, ARGS(3, near, 4, 0, near + 100, 16)) && payload_is(&first, "data"));
	CHECK(!in(&second, __NR_sendto, ARGS(3, far, 4, 0, far + 100, 16)) && tacet_blob_equal(&first, &second));
	CHECK(tacet_marshal_section(&first, 0, &size) && size == 16);
	CHECK(!tacet_marshal_section(&first, 1, &size));
	CHECK(!in(&second, __NR_sendto, ARGS(3, far, 4, 0, 0, 0)) && !tacet_blob_equal(&first, &second) &&
	      payload_is(&second, "data"));

	CHECK(!in(&first, __NR_connect, ARGS(3, near + 100, 16)) && first.payload_length == 16 &&
	      !first.payload_offset);
	CHECK(!in(&second, __NR_connect, ARGS(3, far + 100, 16)) && tacet_blob_equal(&first, &second));
	CHECK(in(&first, __NR_connect, ARGS(3, near, -1UL)) == -EINVAL);
	CHECK(in(&first, __NR_connect, ARGS(3, 0, 16)) == -EFAULT);

	put(near, &local, sizeof(local));
	memset(local.sun_path + 8, 0xbb, 20);
	put(far, &local, sizeof(local));
	CHECK(!in(&first, __NR_connect, ARGS(3, near, sizeof(local))));
	CHECK(!in(&second, __NR_connect, ARGS(3, far, sizeof(local))) && tacet_blob_equal(&first, &second));
	local.sun_path[0] = 0;
	put(far, &local, sizeof(local));
	CHECK(!in(&second, __NR_connect, ARGS(3, far, sizeof(local))) && !tacet_blob_equal(&first, &second));
}

static void put_message(unsigned long at, unsigned long base, u8 padding, int descriptor)
{
	u8 control[CMSG_SPACE(sizeof(int))];
	struct cmsghdr header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
	struct user_msghdr message = {
		.msg_name = user(base + 256),
		.msg_namelen = 16,
		.msg_iov = user(base + 1024),
		.msg_iovlen = 2,
		.msg_control = user(base + 128),
		.msg_controllen = sizeof(control),
		.msg_flags = padding,
	};
	struct sockaddr_in address = { .sin_family = AF_INET };

	memset(control, padding, sizeof(control));
	memcpy(control, &header, sizeof(header));
	memcpy(control + CMSG_LEN(0), &descriptor, sizeof(int));
	put(base + 128, control, sizeof(control));
	put(base + 256, &address, sizeof(address));
	put_iovec(base + 1024, base, 3, 4);
	put(base, "abc", 3);
	put(base + 512, "defg", 4);
	put(at, &message, sizeof(message));
}

static void check_messages_out(void)
{
	put_message(near + 4096, near, 1, 7);
	put_message(far + 4096, far, 2, 7);
	CHECK(!in(&first, __NR_sendmsg, ARGS(3, near + 4096, 0)) && payload_is(&first, "abcdefg"));
	CHECK(!in(&second, __NR_sendmsg, ARGS(3, far + 4096, 0)) && tacet_blob_equal(&first, &second));
	put_message(far + 4096, far, 2, 8);
	CHECK(!in(&second, __NR_sendmsg, ARGS(3, far + 4096, 0)) && !tacet_blob_equal(&first, &second));
	put_message(far + 4096, far, 2, 7);

	put_message(near + 4096 + sizeof(struct mmsghdr), near, 1, 7);
	put_message(far + 4096 + sizeof(struct mmsghdr), far, 2, 7);
	CHECK(!in(&first, __NR_sendmmsg, ARGS(3, near + 4096, 2, 0)) && payload_is(&first, "abcdefgabcdefg"));
	CHECK(!in(&second, __NR_sendmmsg, ARGS(3, far + 4096, 2, 0)) && tacet_blob_equal(&first, &second));
	CHECK(!in(&second, __NR_sendmmsg, ARGS(3, far + 4096, 1, 0)) && !tacet_blob_equal(&first, &second));
	CHECK(in(&second, __NR_sendmmsg, ARGS(3, hole, 1, 0)) == -EFAULT);
	/* The first message is sent although the second cannot be. */
	CHECK(!in(&first, __NR_sendmmsg, ARGS(3, near + 4096, 1, 0)));
	put_message(hole - sizeof(struct mmsghdr), far, 3, 7);
	CHECK(!in(&second, __NR_sendmmsg, ARGS(3, hole - sizeof(struct mmsghdr), 5, 0)) &&
	      tacet_blob_equal(&first, &second));
	for (size_t at = 0; at < sizeof(struct user_msghdr); at += 8) {
		if (at == offsetof(struct user_msghdr, msg_iov) || at == offsetof(struct user_msghdr, msg_control) ||
		    !at) {
			put_message(near + 4096 + sizeof(struct mmsghdr), near, 1, 7);
			put(near + 4096 + sizeof(struct mmsghdr) + at, &hole, sizeof(hole));
			CHECK(!in(&first, __NR_sendmmsg, ARGS(3, near + 4096, 2, 0)) && payload_is(&first, "abcdefg"));
		}
	}
	put_message(near + 4096 + sizeof(struct mmsghdr), near, 1, 7);
	CHECK(in(&second, __NR_sendmsg, ARGS(3, 0, 0)) == -EFAULT);

	put(near + 4096 + offsetof(struct mmsghdr, msg_len), &(u32){ 7 }, 4);
	CHECK(!out(__NR_sendmmsg, ARGS(3, near + 4096, 2, 0), 1));
	CHECK(!replay(__NR_sendmmsg, ARGS(3, far + 4096, 2, 0), 1) &&
	      holds(far + 4096 + offsetof(struct mmsghdr, msg_len), &(u32){ 7 }, 4));
}

static void check_messages_in(void)
{
	unsigned long flags_at = offsetof(struct user_msghdr, msg_flags);
	struct mmsghdr message;

	put_message(near + 4096, near, 1, 7);
	put(near + 4096 + flags_at, &(u32){ MSG_CTRUNC }, 4);
	put_message(far + 4096, far, 2, 0);
	put_iovec(far + 1024, far, 1, 9);
	put(far + 256, "________________", 16);
	put(far + 4096 + offsetof(struct user_msghdr, msg_namelen), &(u32){ 4 }, 4);
	CHECK(!out(__NR_recvmsg, ARGS(3, near + 4096, 0), 6) && payload_is(&first, "abcdef"));
	CHECK(!replay(__NR_recvmsg, ARGS(3, far + 4096, 0), 6));
	CHECK(holds(far, "a", 1) && holds(far + 512, "bcdef", 5));
	CHECK(holds(far + 260, "____", 4) && holds(far + 4096 + flags_at, &(u32){ MSG_CTRUNC }, 4));
	CHECK(!copy_from_user(&message, user(far + 4096), sizeof(message)));
	CHECK(message.msg_hdr.msg_namelen == 16 && message.msg_hdr.msg_controllen == 24);
	put(far + 4096 + offsetof(struct user_msghdr, msg_controllen), &(u64){ 8 }, 8);
	CHECK(replay(__NR_recvmsg, ARGS(3, far + 4096, 0), 6) == -EPROTO);
	/* An empty datagram has a sender too. */
	put_message(far + 4096, far, 2, 0);
	put(far + 256, "________________", 16);
	CHECK(!out(__NR_recvmsg, ARGS(3, near + 4096, 0), 0));
	CHECK(!replay(__NR_recvmsg, ARGS(3, far + 4096, 0), 0) && !holds(far + 256, "__", 2));

	put_message(near + 4096, near, 1, 7);
	put_message(near + 4096 + sizeof(message), near, 1, 7);
	put(near + 4096 + offsetof(struct mmsghdr, msg_len), &(u32){ 2 }, 4);
	put(near + 4096 + sizeof(message) + offsetof(struct mmsghdr, msg_len), &(u32){ 5 }, 4);
	put_message(far + 4096, far, 2, 0);
	put_message(far + 4096 + sizeof(message), far + 8192, 2, 0);
	CHECK(!out(__NR_recvmmsg, ARGS(3, near + 4096, 8, 0, 0), 2) && payload_is(&first, "ababcde"));
	CHECK(!replay(__NR_recvmmsg, ARGS(3, far + 4096, 8, 0, 0), 2));
	CHECK(holds(far, "ab", 2) && holds(far + 8192, "abc", 3) && holds(far + 8192 + 512, "de", 2));
	CHECK(holds(far + 4096 + sizeof(message) + offsetof(struct mmsghdr, msg_len), &(u32){ 5 }, 4));
	CHECK(replay(__NR_recvmmsg, ARGS(3, far + 4096, 8, 0, 0), 1) == -EPROTO);
}

static void check_sizes(void)
{
	struct pollfd files[2] = { { 3, POLLIN, POLLIN }, { 4, POLLIN, 0 } };

	put(near, files, sizeof(files));
	CHECK(!out(__NR_poll, ARGS(near, 2 | 5UL << 32, 0), 1));
	CHECK(!replay(__NR_poll, ARGS(far, 2, 0), 1) && holds(far, files, sizeof(files)));

	/* The kernel looks at no more descriptors than the process has room for. */
	put(hole - 256, "\1\2\3\4\5\6\7\10", 8);
	CHECK(!out(__NR_select, ARGS(1 << 20, hole - 256, 0, 0, 0), 1));
	CHECK(!replay(__NR_select, ARGS(1 << 20, near, 0, 0, 0), 1) && holds(near, "\1\2\3\4\5\6\7\10", 8));

	/* accept: the address was longer than the room for it. */
	put(near, "address beyond", 14);
	put(near + 64, &(u32){ 14 }, 4);
	put(far, "______________", 14);
	put(far + 64, &(u32){ 7 }, 4);
	CHECK(!out(__NR_accept, ARGS(3, near, near + 64), 5));
	CHECK(!replay(__NR_accept, ARGS(3, far, far + 64), 5) && holds(far, "address_______", 14) &&
	      holds(far + 64, &(u32){ 14 }, 4));
	CHECK(!out(__NR_accept, ARGS(3, 0, 0), 5) && !replay(__NR_accept, ARGS(3, 0, 0), 5));
	CHECK(replay(__NR_accept, ARGS(3, 0, 0), -EAGAIN) == 0);

	/* A size of 0 asks how much there would be. */
	CHECK(!out(__NR_getxattr, ARGS(near, near, near, 0), 600));
	CHECK(!replay(__NR_getxattr, ARGS(far, far, far, 0), 600));
	CHECK(replay(__NR_getxattr, ARGS(far, far, 0, 0), 600) == -EPROTO);
}

static void check_results(void)
{
	struct __kernel_timespec rest = { 3, 4 };

	put(near, &rest, sizeof(rest));
	put(far, "________________", 16);
	CHECK(!out(__NR_nanosleep, ARGS(0, near), 0) && !first.length);
	CHECK(!replay(__NR_nanosleep, ARGS(0, far), 0) && holds(far, "________________", 16));
	CHECK(!out(__NR_nanosleep, ARGS(0, near), -ERESTART_RESTARTBLOCK));
	CHECK(!replay(__NR_nanosleep, ARGS(0, far), -ERESTART_RESTARTBLOCK) && holds(far, &rest, sizeof(rest)));
	CHECK(!out(__NR_nanosleep, ARGS(0, near), -EINVAL) && !first.length);
	CHECK(!out(__NR_ppoll, ARGS(hole, 2, near, 0, 0), -EFAULT));
	CHECK(!replay(__NR_ppoll, ARGS(hole, 2, far, 0, 0), -EFAULT));
	CHECK(!out(__NR_wait4, ARGS(-1, near, 0, 0), 0) && !first.length);
	CHECK(!out(__NR_wait4, ARGS(-1, near, 0, 0), 99) && first.length == 12);

	put(near, "\1\0\0\0\0\0\0\0text", 12);
	CHECK(!in(&first, __NR_msgsnd, ARGS(1, near, 4, 0)) && payload_is(&first, "text"));
	CHECK(!out(__NR_msgrcv, ARGS(1, near, 64, 0, 0), 3) && payload_is(&first, "tex"));
	CHECK(!replay(__NR_msgrcv, ARGS(1, far, 64, 0, 0), 3) && holds(far, "\1\0\0\0\0\0\0\0tex", 11));
	CHECK(!in(&first, __NR_setxattr, ARGS(near + 8, near + 9, near + 8, 4, 0)) && payload_is(&first, "text"));
}

static void check_read_only(void)
{
	unsigned long constant = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	struct __kernel_timespec rest = {};

	put(near, &rest, sizeof(rest));
	CHECK(!out(__NR_ppoll, ARGS(0, 0, near, 0, 0), 0));
	CHECK(!replay(__NR_ppoll, ARGS(0, 0, constant, 0, 0), 0));
	rest.tv_sec = 1;
	put(near, &rest, sizeof(rest));
	CHECK(!out(__NR_ppoll, ARGS(0, 0, near, 0, 0), 0));
	CHECK(replay(__NR_ppoll, ARGS(0, 0, constant, 0, 0), 0) == -EFAULT);
	vm_munmap(constant, PAGE_SIZE);
}

static void check_lookup(void)
{
	CHECK(tacet_call_lookup(__NR_write)->kind == TACET_CALL_OUTPUT);
	CHECK(tacet_call_lookup(0x40000001)->kind == TACET_CALL_TAINT);
	CHECK(tacet_call_lookup(400)->kind == TACET_CALL_REPLAY);
	CHECK(tacet_call_lookup(-1)->kind == TACET_CALL_TAINT);
}

/* As the ABI fixes them, whatever a header's name stands for in this kernel. */
static void check_abi_sizes(void)
{
	static const struct {
		u16 number, size;
	} expected[] = {
		{ __NR_stat, 144 },
		{ __NR_statfs, 120 },
		{ __NR_statx, 256 },
		{ __NR_uname, 390 },
		{ __NR_sysinfo, 112 },
		{ __NR_getrusage, 144 },
		{ __NR_times, 32 },
		{ __NR_clock_gettime, 16 },
		{ __NR_gettimeofday, 16 },
		{ __NR_adjtimex, 208 },
		{ __NR_getitimer, 32 },
		{ __NR_timer_create, 4 },
		{ __NR_timerfd_gettime, 32 },
		{ __NR_getrlimit, 16 },
		{ __NR_getresuid, 4 },
		{ __NR_epoll_wait, 12 },
		{ __NR_poll, 8 },
		{ __NR_pipe, 8 },
		{ __NR_rt_sigtimedwait, 128 },
		{ __NR_waitid, 28 },
		{ __NR_mq_getsetattr, 64 },
		{ __NR_cachestat, 40 },
		{ __NR_getgroups, 4 },
		{ __NR_capget, 8 },
		{ __NR_time, 8 },
		{ __NR_sched_getparam, 4 },
		{ __NR_ustat, 32 },
		{ __NR_get_robust_list, 8 },
		{ __NR_sendfile, 8 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct tacet_call *call = tacet_call_lookup(expected[i].number);

		if (call->out[0].size != expected[i].size)
			pr_err("marshal_check: %s writes %u bytes\n", call->name, call->out[0].size);
		CHECK(call->out[0].size == expected[i].size);
	}
	CHECK(tacet_call_lookup(__NR_capget)->out[1].size == 24);
	CHECK(tacet_call_lookup(__NR_semop)->in[0].size == 6);
}

static void measure(void)
{
	u64 start = ktime_get_ns();
	int i;

	for (i = 0; i < 100000; i++)
		if (in(&first, __NR_write, ARGS(1, near, 64)))
			failures++;
	pr_info("marshal_check: write of 64 bytes: %llu ns\n", (ktime_get_ns() - start) / 100000);
}

static int __init marshal_check_init(void)
{
	unsigned long area = vm_mmap(NULL, 0, 3 * AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);

	if (IS_ERR_VALUE(area))
		return area;
	near = area;
	far = area + AREA;
	hole = area + 2 * AREA;
	vm_munmap(hole, AREA);
	tacet_blob_init(&first);
	tacet_blob_init(&second);

	check_write();
	check_blob();
	check_read();
	check_iovec();
	check_strings();
	check_handles();
	check_addresses();
	check_messages_out();
	check_messages_in();
	check_sizes();
	check_results();
	check_read_only();
	check_lookup();
	check_abi_sizes();
	measure();

	tacet_blob_release(&first);
	tacet_blob_release(&second);
	vm_munmap(area, 2 * AREA);
	pr_info("marshal_check: %u checks, %u failures\n", checks, failures);
	return failures ? -EBUSY : -EAGAIN;
}
module_init(marshal_check_init);
MODULE_DESCRIPTION("Checks of Tacet's marshalling");
MODULE_LICENSE("GPL");
