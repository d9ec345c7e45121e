// SPDX-License-Identifier: GPL-2.0-only
/* Labelled data comes into a process. The process gets its label, and so do files that the process stores into. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/mm.h>

#include "base/labelset.h"
#include "call/entry.h"
#include "channel/channel.h"
#include "engine/access.h"
#include "engine/intake.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "pair/mapped.h"
#include "pair/mapping.h"
#include "pair/pair.h"
#include "sink/sink.h"

/* Huge pages have a file system of the kernel's own, which has neither names nor attributes. */
static bool can_carry_label(const struct inode *inode)
{
	return S_ISREG(inode->i_mode) && (inode->i_nlink || tacet_mark_is_memory(inode));
}

/*
 * Stores through a shared mapping are not seen, so the file or memory counts as written. What the display and
 * the sound share with programs is left out.
 */
static int label_shared_mapping(struct tacet_pair *pair, struct file *file)
{
	struct inode *inode = file_inode(file);
	struct tacet_labelset *set;
	int error;

	if (!can_carry_label(inode) || (tacet_mark_is_memory(inode) && tacet_sink_serves_desktop(current)))
		return 0;
	set = tacet_pair_label(pair, NULL);
	error = set ? tacet_label_share(file, set) : 0;
	tacet_labelset_put(set);
	/* A file system that cannot carry the label must not get the data unseen. */
	return error;
}

/* Calls tacet_mapped_await() for all of the memory that the process shares. */
static void await_doppelgangers(void)
{
	unsigned long address = 0, deadline = jiffies + TACET_MAPPED_TIMEOUT;
	struct file *file;

	while ((file = tacet_mapping_next_file(&address, tacet_mapping_is_stored_through))) {
		tacet_mapped_await(file, deadline);
		fput(file);
	}
}

static int label_shared_mappings(struct tacet_pair *pair)
{
	unsigned long address = 0;
	struct file *file;
	int error = 0;

	while (!error && (file = tacet_mapping_next_file(&address, tacet_mapping_is_stored_through))) {
		error = label_shared_mapping(pair, file);
		fput(file);
	}
	await_doppelgangers();
	return error;
}

int tacet_intake_label(const struct tacet_entry *entry, struct tacet_labelset *set, struct tacet_origin *origin)
{
	struct tacet_labelset *old = tacet_pair_label(entry->pair, NULL);
	bool grows = !tacet_labelset_contains(old, set);
	int error;

	tacet_labelset_put(old);
	error = tacet_pair_add_label(entry->pair, set, origin, GFP_KERNEL);
	if (!error && current->ptrace)
		error = tacet_access_by_parent(entry->pair);
	if (!error && grows)
		error = tacet_access_grown(entry->pair) ?: label_shared_mappings(entry->pair);
	return error;
}

int tacet_intake_file(const struct tacet_entry *entry, struct tacet_labelset *set, struct file *file)
{
	struct tacet_origin *origin = NULL;
	int error;

	if (!tacet_label_stems_from(file, tacet_pair_source(entry->pair))) {
		origin = tacet_origin_of_file(file, current);
		if (!origin)
			return -ENOMEM;
	}
	error = tacet_intake_label(entry, set, origin);
	tacet_origin_put(origin);
	return error;
}

int tacet_intake_channel(const struct tacet_entry *entry, struct tacet_channel *channel)
{
	struct tacet_labelset *set = tacet_channel_label(channel);
	struct tacet_origin *origin = NULL;
	int error;

	if (tacet_pair_source(entry->pair) != tacet_channel_source(channel))
		origin = tacet_channel_origin(channel);
	error = tacet_intake_label(entry, set, origin);
	tacet_origin_put(origin);
	tacet_labelset_put(set);
	return error;
}

int tacet_intake_reader(const struct tacet_entry *entry, struct file *file)
{
	struct tacet_labelset *set = tacet_mark_label(file);
	struct tacet_channel *channel;
	int error = 0;

	if (set) {
		error = tacet_intake_file(entry, set, file);
		tacet_labelset_put(set);
		return error;
	}
	channel = tacet_channel_of_reader(file);
	if (channel) {
		error = tacet_intake_channel(entry, channel);
		tacet_channel_put(channel);
	}
	return error;
}

bool tacet_intake_without_event(struct tacet_entry *entry)
{
	struct tacet_channel *channel = NULL;
	struct file *file = tacet_entry_file(entry);
	bool comes;

	if (!file)
		return false;
	if (!tacet_mark_is_silent(file))
		channel = tacet_channel_of_reader(file);
	comes = channel || tacet_mark_is_silent(file);
	if (comes && tacet_intake_reader(entry, file))
		tacet_pair_taint(entry->pair, "no-memory");
	if (channel)
		tacet_channel_put(channel);
	fput(file);
	return comes;
}

bool tacet_intake_possible(void)
{
	return tacet_channel_held() || tacet_mark_silent_held();
}

static bool maps_shared_for_writing(const struct tacet_entry *entry)
{
	return (entry->args[3] & MAP_TYPE) != MAP_PRIVATE && entry->args[2] & PROT_WRITE;
}

int tacet_intake_mapping(struct tacet_entry *entry, struct file *file)
{
	struct tacet_labelset *set = tacet_mark_label(file);
	int error = 0;

	if (set)
		error = tacet_intake_file(entry, set, file);
	tacet_labelset_put(set);
	if (!error && maps_shared_for_writing(entry))
		error = label_shared_mapping(entry->pair, file);
	if (!error)
		tacet_mapped_await(file, jiffies + TACET_MAPPED_TIMEOUT);
	return error;
}

static bool is_any(const struct vm_area_struct *area)
{
	return true;
}

int tacet_intake_attached(struct tacet_entry *entry, unsigned long address)
{
	struct file *file = tacet_mapping_next_file(&address, is_any);
	int error = file ? tacet_intake_reader(entry, file) : 0;

	if (file)
		fput(file);
	return error ?: label_shared_mappings(entry->pair);
}
