// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and writes trusted.tacet.label with the kernel's own credentials. The task that wrote the data writes
 * the derived label. It may not see trusted.* attributes, and may be over quota.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/xattr.h>

#include "base/credential.h"
#include "base/labelset.h"
#include "label/xattr.h"

/* On the root of a file system that holds labels, or has held some. */
#define HOLDS_XATTR XATTR_TRUSTED_PREFIX "tacet.holds"

/**
 * struct disk_label - struct tacet_label_xattr with room for the longest label
 * @version: TACET_LABEL_XATTR_VERSION
 * @count: 1 to TACET_LABEL_MAX
 * @categories: ascending
 */
struct disk_label {
	__le32 version;
	__le32 count;
	__le64 categories[TACET_LABEL_MAX];
};

static_assert(offsetof(struct disk_label, categories) == sizeof(struct tacet_label_xattr));

static bool has_trusted_handler(const struct super_block *sb)
{
	const struct xattr_handler *const *handler;

	for (handler = sb->s_xattr; handler && *handler; handler++)
		if ((*handler)->prefix && !strcmp((*handler)->prefix, XATTR_TRUSTED_PREFIX))
			return true;
	return false;
}

bool tacet_xattr_possible(const struct inode *inode)
{
	return S_ISREG(inode->i_mode) && inode->i_opflags & IOP_XATTR && tacet_xattr_possible_in(inode->i_sb);
}

bool tacet_xattr_possible_in(const struct super_block *sb)
{
	switch (sb->s_magic) {
	case OVERLAYFS_SUPER_MAGIC:
		/* An overlay has one handler for all names. Only a try shows whether the layer below keeps them. */
		return true;
	case V9FS_MAGIC:
		/* The server would keep the attribute. */
		return false;
	default:
		return has_trusted_handler(sb);
	}
}

static struct tacet_labelset *corrupt_label(const struct dentry *dentry)
{
	pr_warn_once("the label of %pd4 is corrupt; label the file again\n", dentry);
	return ERR_PTR(-EUCLEAN);
}

static struct tacet_labelset *parse_label(const struct dentry *dentry, const struct disk_label *disk, ssize_t size)
{
	struct tacet_label label = {};
	struct tacet_labelset *set;
	u32 i;

	if (size < (ssize_t)offsetof(struct disk_label, categories) ||
	    le32_to_cpu(disk->version) != TACET_LABEL_XATTR_VERSION)
		return corrupt_label(dentry);
	label.count = le32_to_cpu(disk->count);
	if (!label.count || label.count > TACET_LABEL_MAX ||
	    size != offsetof(struct disk_label, categories[label.count]))
		return corrupt_label(dentry);
	for (i = 0; i < label.count; i++)
		label.categories[i] = le64_to_cpu(disk->categories[i]);
	set = tacet_labelset_intern(&label, GFP_KERNEL);
	return set == ERR_PTR(-EINVAL) ? corrupt_label(dentry) : set;
}

struct tacet_labelset *tacet_xattr_read(struct dentry *dentry)
{
	const struct cred *caller;
	struct disk_label disk;
	ssize_t size;

	caller = override_creds(tacet_credential);
	size = __vfs_getxattr(dentry, d_inode(dentry), TACET_LABEL_XATTR, &disk, sizeof(disk));
	revert_creds(caller);
	if (size == -ENODATA)
		return NULL;
	if (size == -ERANGE)
		return corrupt_label(dentry);
	if (size < 0)
		return ERR_PTR(size);
	return parse_label(dentry, &disk, size);
}

int tacet_xattr_write(struct file *file, const struct tacet_labelset *set)
{
	struct dentry *dentry = file->f_path.dentry;
	struct inode *inode = file_inode(file);
	struct disk_label disk = {};
	const struct cred *caller;
	int error;
	u32 i;

	lockdep_assert_held_write(&inode->i_rwsem);
	caller = override_creds(tacet_credential);
	if (set) {
		disk.version = cpu_to_le32(TACET_LABEL_XATTR_VERSION);
		disk.count = cpu_to_le32(set->label.count);
		for (i = 0; i < set->label.count; i++)
			disk.categories[i] = cpu_to_le64(set->label.categories[i]);
		error = __vfs_setxattr(file_mnt_idmap(file), dentry, inode, TACET_LABEL_XATTR, &disk,
				       offsetof(struct disk_label, categories[set->label.count]), 0);
	} else {
		error = __vfs_removexattr(file_mnt_idmap(file), dentry, TACET_LABEL_XATTR);
		if (error == -ENODATA)
			error = 0;
	}
	revert_creds(caller);
	return error;
}

bool tacet_xattr_holds(struct dentry *root)
{
	const struct cred *caller = override_creds(tacet_credential);
	ssize_t size = __vfs_getxattr(root, d_inode(root), HOLDS_XATTR, NULL, 0);

	revert_creds(caller);
	return size >= 0;
}

int tacet_xattr_write_holds(struct dentry *root)
{
	struct super_block *sb = root->d_sb;
	const struct cred *caller;
	int error = -EROFS;

	if (tacet_xattr_holds(root))
		return 0;
	sb_start_write(sb);
	inode_lock(d_inode(root));
	caller = override_creds(tacet_credential);
	if (!sb_rdonly(sb))
		error = __vfs_setxattr(&nop_mnt_idmap, root, d_inode(root), HOLDS_XATTR, "1", 1, 0);
	revert_creds(caller);
	inode_unlock(d_inode(root));
	sb_end_write(sb);
	return error;
}
