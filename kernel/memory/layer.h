/* SPDX-License-Identifier: GPL-2.0-only */
/* Which memory of programs that are in no session is cleared. A session's is cleared in all layers. */
#ifndef _TACET_MEMORY_LAYER_H
#define _TACET_MEMORY_LAYER_H

#include <linux/compiler.h>
#include "memory/owner.h"
#include "uapi/tacet.h"

/* Bits of enum tacet_memory_layer. */
extern u32 tacet_memory_layers;

static inline bool tacet_layer_is_on(enum tacet_memory_layer layer)
{
	return READ_ONCE(tacet_memory_layers) & layer;
}

/* Tells whether this memory of an owner is cleared. */
static inline bool tacet_layer_covers(enum tacet_memory_layer layer, u8 owner)
{
	return owner == TACET_OWNER_PROGRAM ? tacet_layer_is_on(layer) : owner != TACET_OWNER_NONE;
}

#endif
