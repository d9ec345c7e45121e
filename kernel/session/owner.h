/* SPDX-License-Identifier: GPL-2.0-only */
/* Owner numbers: whose data a page of memory or a slot of swap holds, in a byte. */
#ifndef _TACET_SESSION_OWNER_H
#define _TACET_SESSION_OWNER_H

#include <linux/types.h>
#include "uapi/tacet.h"

enum tacet_owner {
	TACET_OWNER_NONE = 0,	   /* public memory; on swap: as it was before */
	TACET_OWNER_PUBLIC = 1,	   /* on swap: with the key made at load */
	TACET_OWNER_SESSION = 2,   /* and the TACET_SESSION_MAX - 1 after it */
	TACET_OWNER_UNKNOWN = 254, /* memory that may be a session's: cleared, no more */
	TACET_OWNER_ENDED = 255,   /* of a session that has ended */
};

static inline bool tacet_owner_is_session(u8 owner)
{
	return owner >= TACET_OWNER_SESSION && owner < TACET_OWNER_SESSION + TACET_SESSION_MAX;
}

#endif
