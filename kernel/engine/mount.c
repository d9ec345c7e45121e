// SPDX-License-Identifier: GPL-2.0-only
/* Mounts, of which file systems of other machines are told. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/magic.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>
#include <uapi/linux/mount.h>

#include "call/entry.h"
#include "engine/mount.h"

#define TYPE_MAX 64

/* Their mounts are this machine's own. Of FUSE the kernel keeps the options. */
static const char *const local_types[] = {
	"autofs",     "bcachefs", "binfmt_misc", "bpf",	     "btrfs",	 "cgroup",  "cgroup2", "configfs",
	"cramfs",     "debugfs",  "devpts",	 "devtmpfs", "efivarfs", "erofs",   "exfat",   "ext2",
	"ext3",	      "ext4",	  "f2fs",	 "fuse",     "fuseblk",	 "fusectl", "hfs",     "hfsplus",
	"hugetlbfs",  "iso9660",  "jfs",	 "minix",    "mqueue",	 "msdos",   "nfsd",    "nilfs2",
	"nsfs",	      "ntfs3",	  "overlay",	 "proc",     "pstore",	 "ramfs",   "romfs",   "rpc_pipefs",
	"securityfs", "squashfs", "sysfs",	 "tmpfs",    "tracefs",	 "udf",	    "vfat",    "xfs",
};

/* What follows a dot is a subtype, as in fuse.sshfs. */
static bool is_local(char *type)
{
	type[strcspn(type, ".")] = 0;
	return match_string(local_types, ARRAY_SIZE(local_types), type) >= 0;
}

static bool mount_is_local(const struct tacet_entry *entry)
{
	unsigned long flags = entry->args[3];
	char type[TYPE_MAX];
	long length;

	if ((flags & MS_MGC_MSK) == MS_MGC_VAL)
		flags &= ~MS_MGC_MSK;
	/* With MS_BIND, mount flags are changed; without it, the file system gets the options. */
	if (flags & MS_REMOUNT)
		return flags & MS_BIND || !entry->args[4];
	/* These show a mount at another place, or change how it is passed on. */
	if (flags & (MS_BIND | MS_MOVE | MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE))
		return true;
	length = strncpy_from_user(type, (const char __user *)entry->args[2], sizeof(type));
	return length > 0 && length < (long)sizeof(type) && is_local(type);
}

static bool context_is_local(const struct tacet_entry *entry)
{
	struct file *file = fget(entry->args[0]);
	const struct fs_context *context;
	char type[TYPE_MAX];
	bool local = true;

	/* The call itself refuses other files. */
	if (file && file_inode(file)->i_sb->s_magic == ANON_INODE_FS_MAGIC &&
	    !strcmp(file->f_path.dentry->d_name.name, "[fscontext]")) {
		context = file->private_data;
		strscpy(type, context->fs_type->name);
		local = is_local(type);
	}
	if (file)
		fput(file);
	return local;
}

bool tacet_mount_stays_here(const struct tacet_entry *entry)
{
	switch (entry->number) {
	case __NR_mount:
		return mount_is_local(entry);
	case __NR_fsconfig:
		return context_is_local(entry);
	default:
		return false;
	}
}
