// SPDX-License-Identifier: GPL-2.0-only
/*
 * Some memory never gets to the allocator's probe with a mark. A pool keeps huge pages, and the kernel clears
 * one only before the next process has it. A pipe's pages are the writer's, and the pipe keeps one or two for
 * later. A terminal's buffer is that of whoever opened it first. A thread's stack in the kernel goes to the next
 * thread. Messages and attributes are freed by others than those who made them. Hooks see when their content is given back,
 * or a message is made.
 */
#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/msg.h>
#include <linux/pipe_fs_i.h>
#include <linux/sched/task_stack.h>
#include <linux/sizes.h>
#include <linux/skbuff.h>
#include <linux/splice.h>
#include <linux/tty.h>

#include "base/symbol.h"
#include "memory/content.h"
#include "memory/kernel_stack.h"
#include "memory/layer.h"
#include "memory/mark.h"
#include "memory/object.h"
#include "memory/owner.h"
#include "memory/release.h"
#include "memory/socket.h"
#include "memory/terminal.h"

/* The hooks must not sleep, and pages of 1 GiB take too long to be cleared in one go. */
#define HUGE_PAGES_MAX (PMD_SIZE / PAGE_SIZE)
#define TERMINAL_SIZE_MAX (64 << 10)
/* The largest message of a queue has 16 MiB, in parts of a page. */
#define QUEUE_PARTS_MAX 4112
/* Of a file. A person cannot set more. */
#define ATTRIBUTES_MAX 65536
#define AREA_SIZE_MAX SZ_1G

static bool (*frees_for_owner)(enum tacet_memory_layer layer);
static bool (*is_owner)(void);
static bool (*clears_stack)(struct task_struct *task);
static void (*note_message)(void);

/* Tells whether the current task has an owner whose kernel buffers are cleared. */
static __always_inline bool is_current_owner(void)
{
	return !tacet_owner_known_none() && tacet_owner_possible() && is_owner();
}

/* Tells whether what anybody frees now may have been an owner's. It is for what few programs use. */
static bool was_owners(enum tacet_memory_layer layer)
{
	return tacet_layer_is_on(layer) || (tacet_owner_possible() && frees_for_owner(layer));
}

static void notrace on_huge_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				 struct ftrace_regs *regs)
{
	struct folio *folio = (struct folio *)ftrace_regs_get_argument(regs, 0);

	/* Somebody else may have used it. Only the first page tells of an error in any. */
	if (folio_nr_pages(folio) <= HUGE_PAGES_MAX && !folio_test_hwpoison(folio) && was_owners(TACET_LAYER_PAGES))
		tacet_content_clear(folio);
}

/* Pipes that owners have or had, by a hash. Others with the same are cleared, too. */
#define PIPES_BITS 16
static DECLARE_BITMAP(pipes, 1 << PIPES_BITS);

void tacet_release_note_pipe(const struct pipe_inode_info *pipe)
{
	set_bit(hash_ptr(pipe, PIPES_BITS), pipes);
}

/* An owner has sent a message by a queue, or set an attribute, since the hooks are there. */
static bool has_made_objects;

bool tacet_release_any_left(void)
{
	return has_made_objects || !bitmap_empty(pipes, 1 << PIPES_BITS);
}

static bool is_concerned(const struct pipe_inode_info *pipe)
{
	return test_bit(hash_ptr(pipe, PIPES_BITS), pipes);
}

/* Nobody has it any more, and another may come to its place. Its pages, which nobody has read, are freed next. */
static void notrace on_pipe_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				 struct ftrace_regs *regs)
{
	const struct pipe_inode_info *pipe = (const struct pipe_inode_info *)ftrace_regs_get_argument(regs, 0);
	unsigned int i;

	if (!is_concerned(pipe))
		return;
	for (i = 0; i < pipe->ring_size; i++)
		if (pipe->bufs[i].ops)
			tacet_page_mark_set(pipe->bufs[i].page, TACET_OWNER_UNKNOWN);
	clear_bit(hash_ptr(pipe, PIPES_BITS), pipes);
}

/* Tells whether the pipe keeps the next page that it has alone for a later write. The caller holds its mutex. */
static bool keeps_page(struct pipe_inode_info *pipe)
{
	/* Newer kernels have an array of them. */
	struct page *const *slots = (struct page *const *)&pipe->tmp_page;
	unsigned int i;

	for (i = 0; i < sizeof(pipe->tmp_page) / sizeof(*slots); i++)
		if (!slots[i])
			return true;
	return false;
}

/*
 * All of the page was read, and an owner wrote or read it, or may have: a page that a pipe keeps is used again, whoever
 * allocated it. With another reference a part of it may be in another pipe, or on its way to a file. A page that the
 * pipe does not keep is freed, and then cleared.
 */
static noinline notrace void release_page(struct pipe_inode_info *pipe, struct page *page)
{
	if (page_count(page) == 1 && keeps_page(pipe))
		clear_highpage(page);
	else
		tacet_page_mark_set(page, TACET_OWNER_UNKNOWN);
}

static void notrace on_pipe_release(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				    struct ftrace_regs *regs)
{
	struct pipe_inode_info *pipe = (struct pipe_inode_info *)ftrace_regs_get_argument(regs, 0);
	struct page *page = ((const struct pipe_buffer *)ftrace_regs_get_argument(regs, 1))->page;

	if (tacet_page_is_marked(page) || is_concerned(pipe) || is_current_owner())
		release_page(pipe, page);
}

/* What is read from a file that has no page cache comes in pages that are allocated together, which the probe does not see. */
static void notrace on_file_splice(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				   struct ftrace_regs *regs)
{
	if (is_current_owner())
		tacet_release_note_pipe((const struct pipe_inode_info *)ftrace_regs_get_argument(regs, 2));
}

/* What is read from a socket stays in the pages of the message, which may wait on a processor's list with them. */
static void notrace on_message_splice(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				      struct ftrace_regs *regs)
{
	const struct splice_pipe_desc *parts = (const struct splice_pipe_desc *)ftrace_regs_get_argument(regs, 1);

	if (is_current_owner()) {
		tacet_release_note_pipe((const struct pipe_inode_info *)ftrace_regs_get_argument(regs, 0));
		note_message();
	} else if (parts->nr_pages && tacet_page_is_marked(parts->pages[0])) {
		note_message();
	}
}

/* Marks all of the pages that were allocated with this one. */
static notrace void mark_together(struct page *page)
{
	struct folio *folio = page_folio(page);

	tacet_page_mark_set_range(folio_page(folio, 0), min(folio_nr_pages(folio), HUGE_PAGES_MAX),
				  TACET_OWNER_UNKNOWN);
}

/* The pipe gives back such a page, or a part of several. It does not know any more which part it was. Others may still have it. */
static void notrace on_spliced_release(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				       struct ftrace_regs *regs)
{
	const struct pipe_inode_info *pipe = (const struct pipe_inode_info *)ftrace_regs_get_argument(regs, 0);

	if (is_concerned(pipe))
		mark_together(((const struct pipe_buffer *)ftrace_regs_get_argument(regs, 1))->page);
}

/* The line discipline's data is a vmalloc area, which is freed next. Behind it there is a page that is not mapped. */
static void notrace on_terminal_close(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				      struct ftrace_regs *regs)
{
	struct tty_struct *terminal = (struct tty_struct *)ftrace_regs_get_argument(regs, 0);

	if (tacet_owner_possible() && is_vmalloc_addr(terminal->disc_data))
		tacet_page_mark_set_mapped(terminal->disc_data, TERMINAL_SIZE_MAX, TACET_OWNER_UNKNOWN);
}

static void notrace on_terminal_use(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				    struct ftrace_regs *regs)
{
	if (is_current_owner())
		tacet_terminal_clear_soon((struct tty_struct *)ftrace_regs_get_argument(regs, 0));
}

/* The pages of such an area may have been allocated together. Behind it there is one that is not mapped. */
static void notrace on_area_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				 struct ftrace_regs *regs)
{
	const void *area = (const void *)ftrace_regs_get_argument(regs, 0);

	/* In an interrupt the other hook is next. */
	if (area && tacet_owner_possible() && frees_for_owner(TACET_LAYER_BUFFERS))
		tacet_page_mark_set_mapped(area, AREA_SIZE_MAX, TACET_OWNER_UNKNOWN);
}

/* The last reference to the stack of a thread that has ended goes. The kernel keeps the stack for the next one. */
static void notrace on_stack_put(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				 struct ftrace_regs *regs)
{
	struct task_struct *task = (struct task_struct *)ftrace_regs_get_argument(regs, 0);

	if (refcount_read(&task->stack_refcount) == 1 && tacet_owner_possible() && clears_stack(task))
		tacet_kernel_stack_clear_ended(task);
}

static void notrace mark_head(const struct sk_buff *message)
{
	if (!is_current_owner())
		return;
	/* The pages of such an area were allocated together. */
	if (is_vmalloc_addr(message->head))
		tacet_page_mark_set_mapped(message->head, skb_end_offset(message), TACET_OWNER_UNKNOWN);
	/* Otherwise its pages have a mark. */
	else if (!message->head_frag)
		tacet_object_mark(message->head);
}

/* The task has read the message, or throws it away. A datagram may have been copied without an event. */
static void notrace on_datagram_taken(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				      struct ftrace_regs *regs)
{
	tacet_socket_take((const struct sk_buff *)ftrace_regs_get_argument(regs, 1));
}

static void notrace on_message_taken(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				     struct ftrace_regs *regs)
{
	tacet_socket_take((const struct sk_buff *)ftrace_regs_get_argument(regs, 0));
}

static void notrace on_message_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				    struct ftrace_regs *regs)
{
	if (is_current_owner())
		tacet_socket_take((const struct sk_buff *)ftrace_regs_get_argument(regs, 0));
}

static void notrace on_message(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
			       struct ftrace_regs *regs)
{
	mark_head((const struct sk_buff *)ftrace_regs_get_argument(regs, 0));
}

static void notrace on_netlink_message(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				       struct ftrace_regs *regs)
{
	mark_head((const struct sk_buff *)ftrace_regs_get_argument(regs, 1));
}

/* There are few of these, so that nobody needs to know whose they are. Each part begins with the address of the next. */
static void notrace on_queue_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				  struct ftrace_regs *regs)
{
	const struct msg_msg *message = (const struct msg_msg *)ftrace_regs_get_argument(regs, 0);
	const void *part = message->next;
	unsigned int i;

	if (!was_owners(TACET_LAYER_BUFFERS))
		return;
	tacet_object_mark(message);
	for (i = 0; part && i < QUEUE_PARTS_MAX; i++, part = *(const void *const *)part)
		tacet_object_mark(part);
}

/* They are marked when they are freed. Until then, nothing else tells that there are any. */
static void notrace on_object_made(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				   struct ftrace_regs *regs)
{
	if (is_current_owner())
		WRITE_ONCE(has_made_objects, true);
}

static void notrace on_attribute_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				      struct ftrace_regs *regs)
{
	if (was_owners(TACET_LAYER_BUFFERS))
		tacet_object_mark(tacet_freed_attribute((struct rcu_head *)ftrace_regs_get_argument(regs, 0)));
}

/* All of a file that goes. */
static void notrace on_attributes_free(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				       struct ftrace_regs *regs)
{
	const struct simple_xattrs *attributes = (const struct simple_xattrs *)ftrace_regs_get_argument(regs, 0);
	const struct simple_xattr *attribute = NULL;
	unsigned int i;

	if (!was_owners(TACET_LAYER_BUFFERS))
		return;
	for (i = 0; i < ATTRIBUTES_MAX && (attribute = tacet_next_attribute(attributes, attribute)); i++)
		tacet_object_mark(attribute);
}

/* With PERMANENT, ftrace_enabled=0 cannot switch the hooks off. None calls what it hooks, so that ftrace need not guard against that. */
#define OPERATIONS(function) { .func = function, .flags = FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_DYNAMIC }

/**
 * struct hook - a function of the kernel's before which memory is cleared or marked
 * @what: what goes by it
 * @address: of the function; 0: this kernel has no such function
 * @operations: the hook
 */
static struct hook {
	const char *what;
	unsigned long *address;
	struct ftrace_ops operations;
} hooks[] = {
	{ "huge pages", &tacet_symbols.huge_free, OPERATIONS(on_huge_free) },
	{ "pages of pipes", &tacet_symbols.pipe_release, OPERATIONS(on_pipe_release) },
	{ "pages of pipes that nobody has read", &tacet_symbols.pipe_free, OPERATIONS(on_pipe_free) },
	{ "files read into pipes", &tacet_symbols.file_splice, OPERATIONS(on_file_splice) },
	{ "messages read into pipes", &tacet_symbols.message_splice, OPERATIONS(on_message_splice) },
	{ "pages read into pipes", &tacet_symbols.spliced_release, OPERATIONS(on_spliced_release) },
	{ "buffers of terminals", &tacet_symbols.terminal_close, OPERATIONS(on_terminal_close) },
	{ "what was typed", &tacet_symbols.terminal_read, OPERATIONS(on_terminal_use) },
	{ "what was written to terminals", &tacet_symbols.terminal_write, OPERATIONS(on_terminal_use) },
	{ "large areas of memory", &tacet_symbols.area_free, OPERATIONS(on_area_free) },
	{ "large areas that are freed later", &tacet_symbols.area_free_later, OPERATIONS(on_area_free) },
	{ "stacks in the kernel", &tacet_symbols.put_task_stack, OPERATIONS(on_stack_put) },
	{ "messages to other programs", &tacet_symbols.own_message, OPERATIONS(on_message) },
	{ "datagrams that were read", &tacet_symbols.datagram_read, OPERATIONS(on_datagram_taken) },
	{ "messages that wait to be freed", &tacet_symbols.message_defer, OPERATIONS(on_message_taken) },
	{ "messages that were not read", &tacet_symbols.message_free, OPERATIONS(on_message_free) },
	{ "messages by netlink", &tacet_symbols.netlink_send, OPERATIONS(on_netlink_message) },
	{ "messages of queues", &tacet_symbols.queue_free, OPERATIONS(on_queue_free) },
	{ "messages of queues that nobody has read", &tacet_symbols.queue_make, OPERATIONS(on_object_made) },
	{ "attributes of files that stay", &tacet_symbols.attribute_make, OPERATIONS(on_object_made) },
	{ "attributes of files in memory", &tacet_symbols.attribute_free, OPERATIONS(on_attribute_free) },
	{ "attributes of files that are gone", &tacet_symbols.attributes_free, OPERATIONS(on_attributes_free) },
};

static void stop_first(unsigned int count)
{
	while (count-- > 0)
		if (*hooks[count].address)
			unregister_ftrace_function(&hooks[count].operations);
}

int tacet_release_clear_start(bool (*concerns)(enum tacet_memory_layer layer), bool (*reads)(void),
			      bool (*leaves_stack)(struct task_struct *task), void (*passed_message)(void))
{
	unsigned int i;
	int error;

	frees_for_owner = concerns;
	is_owner = reads;
	clears_stack = leaves_stack;
	note_message = passed_message;
	bitmap_zero(pipes, 1 << PIPES_BITS);
	has_made_objects = false;
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		error = *hooks[i].address ? register_ftrace_function(&hooks[i].operations) : 0;
		if (error) {
			stop_first(i);
			tacet_terminal_clear_stop();
			return error;
		}
	}
	return 0;
}

/* Waits until nobody is in a hook any more. */
void tacet_release_clear_stop(void)
{
	stop_first(ARRAY_SIZE(hooks));
	tacet_terminal_clear_stop();
}

/* Freeing a filter leaves its address in the operations, so that they cannot be registered any more. */
void tacet_release_clear_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		ftrace_free_filter(&hooks[i].operations);
}

int tacet_release_clear_init(void)
{
	unsigned int i;
	int error;

	tacet_terminal_init();
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!*hooks[i].address) {
			pr_warn("not cleared on this kernel, which lacks a function: %s\n", hooks[i].what);
			continue;
		}
		error = ftrace_set_filter_ip(&hooks[i].operations, *hooks[i].address, 0, 1);
		if (error) {
			tacet_release_clear_exit();
			return error;
		}
	}
	return 0;
}
