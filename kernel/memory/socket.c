// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data that arrives from the network lies in pages of the driver's, and data from another process in pages
 * of that one's. So the pages are marked when their data is copied to a process that is covered.
 */
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/tracepoint.h>
#include <trace/events/skb.h>

#include "base/symbol.h"
#include "memory/mark.h"
#include "memory/owner.h"
#include "memory/socket.h"

/* A message of messages has no more of them, since each takes 4 KiB or is larger, and a message 64 KiB. */
#define PARTS_MAX 64

static bool (*is_owners)(void);

static void mark_range(struct page *page, unsigned long offset, unsigned long size)
{
	unsigned long i;

	if (!page || !size)
		return;
	for (i = offset >> PAGE_SHIFT; i <= (offset + size - 1) >> PAGE_SHIFT; i++)
		tacet_page_mark_set(page + i, TACET_OWNER_UNKNOWN);
}

static void mark_message(const struct sk_buff *message)
{
	const struct skb_shared_info *info = skb_shinfo(message);
	unsigned int i;

	/* Otherwise it is an object of the kernel's allocator. */
	if (message->head_frag)
		mark_range(virt_to_page(message->head), offset_in_page(message->head), skb_end_offset(message));
	for (i = 0; i < info->nr_frags; i++)
		mark_range(skb_frag_page(&info->frags[i]), skb_frag_off(&info->frags[i]),
			   skb_frag_size(&info->frags[i]));
}

static void probe_copy(void *data, const struct sk_buff *message, int length)
{
	struct sk_buff *part;
	unsigned int count = 0;

	if (!is_owners())
		return;
	mark_message(message);
	skb_walk_frags(message, part)
	{
		if (count++ == PARTS_MAX)
			break;
		mark_message(part);
	}
}

int tacet_socket_mark_start(bool (*concerns)(void))
{
	check_trace_callback_type_skb_copy_datagram_iovec(probe_copy);
	is_owners = concerns;
	return tracepoint_probe_register(tacet_symbols.message_copy, probe_copy, NULL);
}

void tacet_socket_mark_stop(void)
{
	tracepoint_probe_unregister(tacet_symbols.message_copy, probe_copy, NULL);
	tracepoint_synchronize_unregister();
}
