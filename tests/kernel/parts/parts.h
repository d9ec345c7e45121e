/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/tacet-parts: calls into the module's parts, for tests without the engine. */
#ifndef _TACET_PARTS_H
#define _TACET_PARTS_H

#include <linux/types.h>
#include "uapi/tacet.h"

struct parts_reads {
	__u64 count;  /* out: events that asked the engine since the last call */
	__s32 answer; /* in: what the engine answers from now on */
	__u32 mapped; /* out: calls of tacet_task_label_mapped() */
};

struct parts_label {
	__s32 fd;
	__u32 armed;		  /* out: tacet_mark_is_on() */
	struct tacet_label label; /* derive: in; of: out */
};

struct parts_shadow {
	__s32 fd;
	__u32 size;
	__u64 position;
	__u64 data; /* user pointer */
};

struct parts_sink {
	__s32 fd;
	__u32 address_length;
	__u8 address[128];
	__u32 class; /* out */
	__u32 sink;
	__u16 family;
	__u16 protocol;
	__u8 peer[16];
	__u16 port;
	__u16 reserved16;
	__u32 reserved32;
	__u64 flow;
};

struct parts_ask {
	__s32 fd;	 /* the peer is what the sink classifies to */
	__s32 origin_fd; /* or -1 */
	struct tacet_label label;
	__u32 length;
	__u32 scrubbed_length; /* ~0: no doppelganger */
	__u32 flags;
	__u32 action; /* out */
	__u8 data[1024];
	__u8 scrubbed[1024];
};

#define PARTS_READS _IOWR('P', 1, struct parts_reads)
#define PARTS_LABEL_OF _IOWR('P', 2, struct parts_label)
#define PARTS_LABEL_DERIVE _IOW('P', 3, struct parts_label)
#define PARTS_SHADOW_READ _IOW('P', 4, struct parts_shadow)
#define PARTS_SHADOW_OPEN _IO('P', 5) /* argument: fd; result: fd */
#define PARTS_SINK _IOWR('P', 6, struct parts_sink)
#define PARTS_ASK _IOWR('P', 7, struct parts_ask)
#define PARTS_FORGET _IO('P', 8) /* what the current process was allowed */

#endif
