// SPDX-License-Identifier: GPL-2.0-only
/* The table that classifies every x86-64 system call; its rows are in calls.def. */
#include <linux/nospec.h>
#include <linux/resource.h>
#include <linux/sem.h>
#include <linux/signal.h>
#include <linux/stat.h>
#include <linux/statfs.h>
#include <linux/stddef.h>
#include <linux/sysinfo.h>
#include <linux/time_types.h>
#include <linux/times.h>
#include <linux/types.h>
#include <linux/utsname.h>
#include <uapi/linux/bpf.h>
#include <uapi/linux/capability.h>
#include <uapi/linux/eventpoll.h>
#include <uapi/linux/keyctl.h>
#include <uapi/linux/mman.h>
#include <uapi/linux/mqueue.h>
#include <uapi/linux/poll.h>
#include <uapi/linux/sched/types.h>
#include <uapi/linux/time.h>
#include <uapi/linux/timex.h>

#include "call/call.h"
#include "compat/syscall_numbers.h"

/* calls.def is written in these words. */
enum {
	A0 = BIT(0),
	A1 = BIT(1),
	A2 = BIT(2),
	A3 = BIT(3),
	A4 = BIT(4),
	A5 = BIT(5),
	NO_FD = TACET_NO_FD,
};

#define FLAGS(flag_set) .flags = flag_set
#define POSITIONED TACET_CALL_POSITIONED
#define ORDERED TACET_CALL_ORDERED
#define CONNECTS TACET_CALL_CONNECTS
#define POLLS TACET_CALL_POLLS
#define TURNS TACET_CALL_TURNS
#define WRITES TACET_CALL_WRITES
#define ASKS TACET_CALL_ASKS
#define TIME TACET_CALL_TIME

#define ALWAYS TACET_BUFFER_ALWAYS
#define INTERRUPTED TACET_BUFFER_INTERRUPTED
#define POSITIVE TACET_BUFFER_POSITIVE
#define OVERFLOW TACET_BUFFER_OVERFLOW

#define IN(...) .in = { __VA_ARGS__ }
#define OUT(...) .out = { __VA_ARGS__ }
#define BUFFER(kind, pointer, length, flag_set, size) { TACET_BUFFER_##kind, pointer, length, flag_set, size }
#define STRING(pointer) BUFFER(STRING, pointer, 0, 0, 0)
#define FIXED(pointer, type) BUFFER(FIXED, pointer, 0, 0, sizeof(type))
#define FIXED_IF(pointer, type, when) BUFFER(FIXED, pointer, 0, when, sizeof(type))
#define COUNTED(pointer, length, type) BUFFER(COUNTED, pointer, length, 0, sizeof(type))
#define COUNTED32(pointer, length, type) BUFFER(COUNTED, pointer, length, TACET_BUFFER_LENGTH32, sizeof(type))
#define COUNTED32_IF(pointer, length, type, when) \
	BUFFER(COUNTED, pointer, length, TACET_BUFFER_LENGTH32 | (when), sizeof(type))
#define RETURNED(pointer, length, type) BUFFER(RETURNED, pointer, length, 0, sizeof(type))
#define VALUE_LENGTH(pointer, length) BUFFER(VALUE_LENGTH, pointer, length, 0, 0)
#define FD_SET(pointer, length) BUFFER(FD_SET, pointer, length, 0, 0)
#define SENT_LENGTHS(pointer) BUFFER(SENT_LENGTHS, pointer, 0, 0, 0)
#define HANDLE(pointer) BUFFER(HANDLE, pointer, 0, OVERFLOW, 0)
#define MOUNT(pointer, at_flags) BUFFER(MOUNT, pointer, at_flags, OVERFLOW, 0)
#define ADDRESS(pointer, length) BUFFER(ADDRESS, pointer, length, 0, 0)
#define PARAMETER(pointer, command) BUFFER(PARAMETER, pointer, command, 0, 0)
/* These are the payload, by the form in which it is passed. */
#define DATA(pointer, length) BUFFER(COUNTED, pointer, length, TACET_BUFFER_PAYLOAD, 1)
#define DATA_RETURNED(pointer, length) BUFFER(RETURNED, pointer, length, TACET_BUFFER_PAYLOAD, 1)
#define DATA_IOVEC(pointer, length) BUFFER(IOVEC, pointer, length, TACET_BUFFER_PAYLOAD, 0)
#define DATA_MSGHDR(pointer) BUFFER(MSGHDR, pointer, 0, TACET_BUFFER_PAYLOAD, 0)
#define DATA_MMSGHDR(pointer, length) BUFFER(MMSGHDR, pointer, length, TACET_BUFFER_PAYLOAD, 0)
#define DATA_SYSV(pointer, length) BUFFER(SYSV_MESSAGE, pointer, length, TACET_BUFFER_PAYLOAD, 0)
#define DATA_ADDRESS(pointer, length) BUFFER(ADDRESS, pointer, length, TACET_BUFFER_PAYLOAD, 0)

/* sizeof() wants one type for a pair of file descriptors and for an array. */
typedef int fd_pair[2];
typedef struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
/* waitid() writes no more of a siginfo_t than this. */
typedef u8 wait_info[offsetofend(siginfo_t, si_status)];

#define CALL(call, call_kind, fd, arguments, ...)                                                                    \
	[__NR_##call] = {                                                                                            \
		.name = #call, .kind = TACET_CALL_##call_kind, .fd_argument = fd, .compared = arguments, __VA_ARGS__ \
	},
#define REFUSE_CALL(call, error) CALL(call, REFUSE, NO_FD, 0, .refusal = -(error))
#define TAINT_CALL(call) CALL(call, TAINT, NO_FD, 0)
#define COMMAND_CALL(call, commands) CALL(call, TAINT, NO_FD, 0, .data_commands = commands)
#define LOCAL_CALL(call) CALL(call, LOCAL, NO_FD, 0)

static const struct tacet_call calls[] = {
#include "call/calls.def"
};

#undef CALL
#undef REFUSE_CALL
#undef TAINT_CALL
#undef COMMAND_CALL
#undef LOCAL_CALL
#define CALL(call, ...) tacet_has_##call,
#define REFUSE_CALL(call, error) tacet_has_##call,
#define TAINT_CALL(call) tacet_has_##call,
#define COMMAND_CALL(call, commands) tacet_has_##call,
#define LOCAL_CALL(call) tacet_has_##call,

/* Each row becomes one constant. A number of this kernel that has no row fails to build here. */
enum {
#include "call/calls.def"
};
#include "call/call_check.h"

static const struct tacet_call x32 = {
	.name = "x32",
	.kind = TACET_CALL_TAINT,
	.fd_argument = TACET_NO_FD,
};

/* The build makes sure that every call of this kernel has a row. Programs only try other numbers. */
static const struct tacet_call missing = {
	.name = "missing",
	.kind = TACET_CALL_REPLAY,
	.fd_argument = TACET_NO_FD,
};

const struct tacet_call *tacet_call_lookup(unsigned int number)
{
	const struct tacet_call *call;

	if (number & __X32_SYSCALL_BIT)
		return &x32;
	if (number >= ARRAY_SIZE(calls))
		return &missing;
	call = &calls[array_index_nospec(number, ARRAY_SIZE(calls))];
	return !call->name ? &missing : call;
}
