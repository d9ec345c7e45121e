// SPDX-License-Identifier: GPL-2.0-only
/* Builds notices about the current task. */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/sched.h>

#include "base/identity.h"
#include "base/labelset.h"
#include "event/event.h"
#include "event/notice.h"
#include "memory/owner.h"
#include "session/session.h"

/* Returns NULL if there is no memory, or the current task is private. */
static struct tacet_record *create(u32 type, u64 id, struct tacet_labelset *set, const char *reason)
{
	struct tacet_record *record;
	struct tacet_notice *notice;

	if (type != TACET_EVENT_WITHDRAWN && tacet_session_owner_of_task(current) != TACET_OWNER_NONE)
		return NULL;
	record = tacet_event_record_alloc(type);
	if (!record)
		return NULL;
	notice = &record->notice;
	notice->id = id;
	notice->pid = task_tgid_nr(current);
	notice->uid = from_kuid_munged(&init_user_ns, current_uid());
	tacet_identity_comm(notice->comm, current);
	if (set)
		notice->label = set->label;
	if (reason)
		strscpy(notice->reason, reason, sizeof(notice->reason));
	return record;
}

void tacet_notice_send(u32 type, u64 id, struct file *file, struct tacet_labelset *set, const char *reason)
{
	struct tacet_record *record = create(type, id, set, reason);

	if (!record)
		return;
	if (file) {
		tacet_identity_numbers(&file->f_path, &record->notice.device, &record->notice.inode);
		tacet_identity_path(&file->f_path, record->notice.path, sizeof(record->notice.path));
	}
	tacet_event_record_queue(record);
	tacet_event_record_put(record);
}

void tacet_notice_send_named(u32 type, u64 device, u64 inode, const char *path, struct tacet_labelset *set,
			     const char *reason)
{
	struct tacet_record *record = create(type, 0, set, reason);

	if (!record)
		return;
	if (path) {
		record->notice.device = device;
		record->notice.inode = inode;
		strscpy(record->notice.path, path, sizeof(record->notice.path));
	}
	tacet_event_record_queue(record);
	tacet_event_record_put(record);
}
