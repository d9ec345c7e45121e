// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data that arrives from the network lies in pages of the driver's, and data from another process in pages
 * of that one's. So the pages are marked when their data is copied to a process that is covered. A message that was read
 * may wait to be freed, and a page that was sent from is kept for more. So they are freed a little later.
 */
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <asm/syscall.h>
#include <trace/events/skb.h>

#include "base/symbol.h"
#include "memory/mark.h"
#include "memory/object.h"
#include "memory/owner.h"
#include "memory/socket.h"

/* A message of messages has no more of them, since each takes 4 KiB or is larger, and a message 64 KiB. */
#define PARTS_MAX 64

static bool (*is_owner)(void);
static bool (*frees_for_owner)(enum tacet_memory_layer layer);
static void (*note_copy)(void);

static void mark_range(struct page *page, unsigned long offset, unsigned long size)
{
	unsigned long first = offset >> PAGE_SHIFT, last = (offset + size - 1) >> PAGE_SHIFT;

	if (page && size)
		tacet_page_mark_set_range(page + first, last - first + 1, TACET_OWNER_UNKNOWN);
}

static void mark_message(const struct sk_buff *message)
{
	const struct skb_shared_info *info = skb_shinfo(message);
	unsigned int i;

	/* A large one of netlink. */
	if (is_vmalloc_addr(message->head))
		tacet_page_mark_set_mapped(message->head, skb_end_offset(message), TACET_OWNER_UNKNOWN);
	/* Otherwise it is an object of the kernel's allocator. */
	else if (message->head_frag)
		mark_range(virt_to_page(message->head), offset_in_page(message->head), skb_end_offset(message));
	for (i = 0; i < info->nr_frags; i++)
		mark_range(skb_frag_page(&info->frags[i]), skb_frag_off(&info->frags[i]),
			   skb_frag_size(&info->frags[i]));
}

/* Tells whether an owner allocated it. One page or object of a message tells that of all. */
static bool has_mark(const struct sk_buff *message)
{
	const struct skb_shared_info *info = skb_shinfo(message);

	if (info->nr_frags && skb_frag_page(&info->frags[0]))
		return tacet_page_is_marked(skb_frag_page(&info->frags[0]));
	return message->head_frag ? tacet_page_is_marked(virt_to_page(message->head)) :
				    tacet_object_is_marked(message->head);
}

/* Marks a message with its parts. */
static void mark_whole(const struct sk_buff *message)
{
	struct sk_buff *part;
	unsigned int count = 0;

	mark_message(message);
	skb_walk_frags(message, part) {
		if (count++ == PARTS_MAX)
			break;
		mark_message(part);
	}
}

void tacet_socket_take(const struct sk_buff *message)
{
	if (is_owner()) {
		note_copy();
		mark_whole(message);
	} else if (has_mark(message)) {
		note_copy();
	}
}

static void probe_copy(void *data, const struct sk_buff *message, int length)
{
	tacet_socket_take(message);
}

/* Messages that nobody has read go with their socket, some only later and by the kernel. */
static void probe_drop(void *data, struct sk_buff *message, void *location, enum skb_drop_reason reason,
		       TACET_DROP_SOCKET *socket)
{
	if (!tacet_owner_known_none() && tacet_owner_possible() && frees_for_owner(TACET_LAYER_BUFFERS))
		mark_whole(message);
}

static void receive_soon(void *unused)
{
	static_call(tacet_raise_softirq)(NET_RX_SOFTIRQ);
}

void tacet_socket_complete(void)
{
	on_each_cpu(receive_soon, NULL, false);
}

static void drop_page(struct task_struct *thread)
{
	struct page *page = thread->task_frag.page;

	thread->task_frag.page = NULL;
	if (page)
		put_page(page);
}

void tacet_socket_drop_own_page(void)
{
	drop_page(current);
}

/* Calls in which threads sleep for long, and which send nothing. */
static bool sends_nothing(struct task_struct *thread)
{
	switch (syscall_get_nr(thread, task_pt_regs(thread))) {
	case __NR_accept:
	case __NR_accept4:
	case __NR_clock_nanosleep:
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
	case __NR_epoll_wait:
	case __NR_futex:
	case __NR_nanosleep:
	case __NR_pause:
	case __NR_poll:
	case __NR_ppoll:
	case __NR_pselect6:
	case __NR_read:
	case __NR_recvfrom:
	case __NR_recvmsg:
	case __NR_rt_sigsuspend:
	case __NR_rt_sigtimedwait:
	case __NR_select:
	case __NR_wait4:
	case __NR_waitid:
		return true;
	default:
		return false;
	}
}

void tacet_socket_drop_page_asleep(struct task_struct *thread)
{
	/* It may be in work of its ring, which sends while the call is another. */
	if (tacet_has_io_uring(thread))
		return;
	/* 32-bit calls have other numbers. */
	if (!(READ_ONCE(thread->thread_info.status) & TS_COMPAT) && sends_nothing(thread))
		drop_page(thread);
}

int tacet_socket_mark_start(bool (*reads)(void), bool (*concerns)(enum tacet_memory_layer layer), void (*copied)(void))
{
	int error;

	check_trace_callback_type_skb_copy_datagram_iovec(probe_copy);
	check_trace_callback_type_kfree_skb(probe_drop);
	is_owner = reads;
	frees_for_owner = concerns;
	note_copy = copied;
	error = tracepoint_probe_register(tacet_symbols.message_copy, probe_copy, NULL);
	if (error)
		return error;
	error = tracepoint_probe_register(tacet_symbols.message_drop, probe_drop, NULL);
	if (error) {
		tracepoint_probe_unregister(tacet_symbols.message_copy, probe_copy, NULL);
		tracepoint_synchronize_unregister();
	}
	return error;
}

void tacet_socket_mark_stop(void)
{
	tracepoint_probe_unregister(tacet_symbols.message_drop, probe_drop, NULL);
	tracepoint_probe_unregister(tacet_symbols.message_copy, probe_copy, NULL);
	tracepoint_synchronize_unregister();
}
