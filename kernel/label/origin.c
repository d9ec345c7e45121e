// SPDX-License-Identifier: GPL-2.0-only
/* Origins: the way by which labelled data came to a process. */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "base/identity.h"
#include "event/notice.h"
#include "label/origin.h"

static void fill_hop(struct tacet_hop *hop, struct task_struct *process)
{
	hop->pid = task_tgid_nr(process);
	tacet_identity_comm(hop->comm, process);
}

static struct tacet_origin *create(const char *path, struct task_struct *process)
{
	struct tacet_origin *origin = kzalloc(struct_size(origin, path, strlen(path) + 1), GFP_KERNEL_ACCOUNT);

	if (!origin)
		return NULL;
	refcount_set(&origin->references, 1);
	origin->length = 1;
	fill_hop(&origin->hop, process);
	strcpy(origin->path, path);
	return origin;
}

struct tacet_origin *tacet_origin_of_file(struct file *file, struct task_struct *reader)
{
	char *path = kmalloc(TACET_PATH_MAX, GFP_KERNEL);
	struct tacet_origin *origin;

	if (!path)
		return NULL;
	tacet_identity_path(&file->f_path, path, TACET_PATH_MAX);
	origin = create(path, reader);
	kfree(path);
	if (!origin)
		return NULL;
	tacet_identity_numbers(&file->f_path, &origin->device, &origin->inode);
	origin->source = tacet_origin_source_of_file(file);
	return origin;
}

struct tacet_origin *tacet_origin_passed(struct tacet_origin *from, struct task_struct *receiver)
{
	struct tacet_origin *origin = NULL;

	if (from && from->length < TACET_CHAIN_MAX && from->hop.pid != task_tgid_nr(receiver))
		origin = create("", receiver);
	if (!origin)
		return tacet_origin_get(from);
	origin->from = tacet_origin_get(from);
	origin->length = from->length + 1;
	return origin;
}

struct tacet_origin *tacet_origin_get(struct tacet_origin *origin)
{
	if (origin)
		refcount_inc(&origin->references);
	return origin;
}

void tacet_origin_put(struct tacet_origin *origin)
{
	struct tacet_origin *from;

	while (origin && refcount_dec_and_test(&origin->references)) {
		from = origin->from;
		kfree(origin);
		origin = from;
	}
}

const struct tacet_origin *tacet_origin_first(const struct tacet_origin *origin)
{
	while (origin->from)
		origin = origin->from;
	return origin;
}

/*
 * The hash of the name includes the parent folder. During a rename the result is that of the old or of
 * the new name.
 */
u64 tacet_origin_source_of_file(const struct file *file)
{
	u64 name = READ_ONCE(file->f_path.dentry->d_name.hash_len);

	return (tacet_identity_of_inode(file_inode(file)) ^ name * GOLDEN_RATIO_64) ?: 1;
}

u64 tacet_origin_source(const struct tacet_origin *origin)
{
	return origin ? tacet_origin_first(origin)->source : 0;
}

u32 tacet_origin_chain(const struct tacet_origin *origin, struct tacet_hop chain[TACET_CHAIN_MAX])
{
	u32 count = origin->length;

	for (; origin; origin = origin->from)
		chain[origin->length - 1] = origin->hop;
	return count;
}

void tacet_origin_notice(const struct tacet_origin *origin, u32 type, struct tacet_labelset *set, const char *reason)
{
	if (origin)
		origin = tacet_origin_first(origin);
	tacet_notice_send_named(type, origin ? origin->device : 0, origin ? origin->inode : 0,
				origin ? origin->path : NULL, set, reason);
}
