/* SPDX-License-Identifier: GPL-2.0-only */
/* What call.c takes from kernel headers, for a user-space build: names only, sizes do not matter. */
#ifndef _TACET_KERNEL_WORDS_H
#define _TACET_KERNEL_WORDS_H

#include <asm/unistd_64.h>
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef unsigned int uid_t, gid_t;
typedef long long loff_t;
typedef int timer_t;
typedef long __kernel_old_time_t;
typedef struct {
	int si_status;
} siginfo_t;

#define BIT(n) (1U << (n))
#define BIT_ULL(n) (1ULL << (n))
/* The commands that calls.def names. */
enum {
	BPF_MAP_UPDATE_ELEM = 2,
	BPF_PROG_LOAD = 5,
	BPF_PROG_TEST_RUN = 10,
	BPF_BTF_LOAD = 18,
	BPF_MAP_UPDATE_BATCH = 26,
	KEYCTL_UPDATE = 2,
	KEYCTL_INSTANTIATE = 12,
	KEYCTL_INSTANTIATE_IOV = 20,
};
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define array_index_nospec(index, size) (index)
#define offsetofend(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
#define _LINUX_CAPABILITY_U32S_3 2
#define __X32_SYSCALL_BIT 0x40000000

#define STAND_IN(name)   \
	struct name {    \
		u8 byte; \
	}
STAND_IN(__kernel_itimerspec);
STAND_IN(__kernel_old_itimerval);
STAND_IN(__kernel_old_timeval);
STAND_IN(__kernel_timespec);
STAND_IN(__kernel_timex);
STAND_IN(__user_cap_data_struct);
STAND_IN(__user_cap_header_struct);
STAND_IN(cachestat);
STAND_IN(epoll_event);
STAND_IN(mq_attr);
STAND_IN(new_utsname);
STAND_IN(pollfd);
STAND_IN(rlimit);
STAND_IN(rlimit64);
STAND_IN(rusage);
STAND_IN(sched_param);
STAND_IN(sembuf);
STAND_IN(stat);
STAND_IN(statfs);
STAND_IN(statx);
STAND_IN(sysinfo);
STAND_IN(timezone);
STAND_IN(tms);
STAND_IN(ustat);

#endif
