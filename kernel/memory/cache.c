// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of labelled files leave the page cache when memory is short, when the file shrinks or is gone, and
 * with its file system. No probe of the allocator is needed to see it: the page cache has a tracepoint of
 * its own for this.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/pipe_fs_i.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <trace/events/filemap.h>

#include "base/symbol.h"
#include "memory/cache.h"
#include "memory/content.h"
#include "memory/mark.h"
#include "memory/owner.h"

/*
 * A bit of a mapping's flags, of which the kernel uses those up to 25. It clears them when it makes an inode.
 * So the bit stays as long as there may be pages. A label goes before them, when its file is deleted.
 */
#define CONCERNED 62
static_assert(BITS_PER_LONG == 64);

static bool probed;

/**
 * struct detachment - pages that leave the page cache before zeros are written
 * @task: who takes them out
 * @end: the page after the last
 */
struct detachment {
	struct list_head node;
	const struct task_struct *task;
	const struct address_space *mapping;
	pgoff_t first, end;
};

static LIST_HEAD(detachments);
static DEFINE_SPINLOCK(detachments_lock);

static bool takes(const struct detachment *detachment, const struct folio *folio)
{
	return detachment->task == current && detachment->mapping == folio->mapping &&
	       detachment->first <= folio->index && folio->index + folio_nr_pages(folio) <= detachment->end;
}

/* Tells whether the current task detaches all of the folio. Interrupts are off. */
static bool is_detached(const struct folio *folio)
{
	struct detachment *detachment;
	bool found = false;

	/* A task sees its own. */
	if (list_empty(&detachments))
		return false;
	spin_lock(&detachments_lock);
	list_for_each_entry(detachment, &detachments, node)
		found |= takes(detachment, folio);
	spin_unlock(&detachments_lock);
	return found;
}

/*
 * Tells whether the page cache and whoever removes the folio from it are its only users. A folio that is not
 * in the lists of reclaim is on its way there, or was taken out. Who does that is one more user, who does
 * not look at its content. The folio is locked.
 */
static bool is_unused(struct folio *folio)
{
	int users = folio_nr_pages(folio) + folio_test_private(folio) + !folio_test_lru(folio) + 1;

	return !folio_mapped(folio) && !folio_test_writeback(folio) && folio_ref_count(folio) <= users;
}

/*
 * Tells whether no reader can come to the folio any more, or none that must not get zeros: reclaim has taken its last reference, or it
 * lies behind the end of the file, or the file is gone, or is overwritten next. What a direct write or a file system throws
 * out, somebody may find at this moment, and read.
 */
static bool is_out_of_reach(struct folio *folio)
{
	struct address_space *mapping = folio->mapping;

	return !folio_ref_count(folio) || mapping_exiting(mapping) || folio_pos(folio) >= i_size_read(mapping->host) ||
	       is_detached(folio);
}

/* A pipe or a socket may have it still. It is cleared when they free it, if anybody is covered then. */
static void mark_pages(struct folio *folio)
{
	tacet_page_mark_set_range(folio_page(folio, 0), folio_nr_pages(folio), TACET_OWNER_UNKNOWN);
}

/* The page cache is locked, and interrupts are off. */
static void probe_delete(void *data, struct folio *folio)
{
	if (likely(!test_bit(CONCERNED, &folio->mapping->flags)) || folio_test_hugetlb(folio))
		return;
	if (is_unused(folio) && is_out_of_reach(folio))
		tacet_content_clear(folio);
	else
		mark_pages(folio);
}

void tacet_cache_detach(struct address_space *mapping, pgoff_t first, pgoff_t end)
{
	struct detachment detachment = { .task = current, .mapping = mapping, .first = first, .end = end };

	if (first >= end)
		return;
	spin_lock_irq(&detachments_lock);
	list_add(&detachment.node, &detachments);
	spin_unlock_irq(&detachments_lock);
	invalidate_inode_pages2_range(mapping, first, end - 1);
	spin_lock_irq(&detachments_lock);
	list_del(&detachment.node);
	spin_unlock_irq(&detachments_lock);
}

bool tacet_cache_clears(const struct pipe_buffer *buffer)
{
	const struct address_space *mapping = READ_ONCE(page_folio(buffer->page)->mapping);

	return READ_ONCE(probed) && mapping && test_bit(CONCERNED, &mapping->flags);
}

void tacet_cache_note_inode(struct inode *inode)
{
	struct dentry *alias = d_find_any_alias(inode);

	set_bit(CONCERNED, &inode->i_mapping->flags);
	if (alias)
		set_bit(CONCERNED, &d_real_inode(alias)->i_mapping->flags);
	dput(alias);
}

int tacet_cache_policy(bool covers)
{
	int error;

	check_trace_callback_type_mm_filemap_delete_from_page_cache(probe_delete);
	if (covers == probed)
		return 0;
	if (covers) {
		/* From now on no page is stolen. */
		WRITE_ONCE(probed, true);
		error = tracepoint_probe_register(tacet_symbols.cache_delete, probe_delete, NULL);
		if (error)
			WRITE_ONCE(probed, false);
		return error;
	}
	tracepoint_probe_unregister(tacet_symbols.cache_delete, probe_delete, NULL);
	tracepoint_synchronize_unregister();
	probed = false;
	return 0;
}
