// SPDX-License-Identifier: GPL-2.0-only
/* Calls that are refused, and calls whose effects cannot be followed. */
#include <linux/ptrace.h>
#include <linux/syscalls.h>

#include "base/labelset.h"
#include "call/entry.h"
#include "call/run.h"
#include "engine/access.h"
#include "engine/intake.h"
#include "engine/ops.h"
#include "engine/refuse.h"
#include "engine/repeat.h"
#include "engine/step.h"
#include "event/notice.h"
#include "pair/pair.h"

long tacet_refuse_unlabelled(const struct tacet_entry *entry)
{
	struct tacet_labelset *set = tacet_pair_label(entry->pair, NULL);

	tacet_notice_send(TACET_EVENT_REFUSED, 0, NULL, set, "output-cannot-be-labelled");
	tacet_labelset_put(set);
	return -EPERM;
}

static long original_refuse(struct tacet_entry *entry)
{
	return tacet_step_answer(entry, entry->call->refusal);
}

static long unpaired_refuse(struct tacet_entry *entry)
{
	return entry->call->refusal;
}

const struct tacet_call_ops tacet_refuse_ops = {
	.original = original_refuse,
	.doppelganger = tacet_repeat_nothing,
	.watched = unpaired_refuse,
	.tainted = unpaired_refuse,
};

static long original_taint(struct tacet_entry *entry)
{
	tacet_pair_taint(entry->pair, "call-not-followed");
	return TACET_LOST;
}

/* The segment's number tells nothing, so the memory is looked at once it is there. */
static long attach_memory(struct tacet_entry *entry)
{
	long address = tacet_run(entry);
	int error = IS_ERR_VALUE(address) ? 0 : tacet_intake_attached(entry, address);

	if (error)
		tacet_run_other(__NR_shmdt, address, 0, 0, 0);
	return error ?: address;
}

static long tainted_taint(struct tacet_entry *entry)
{
	unsigned int command = entry->args[0];

	if (command < 64 && entry->call->data_commands & BIT_ULL(command))
		return tacet_refuse_unlabelled(entry);
	if (entry->number == __NR_ptrace && entry->args[0] == PTRACE_TRACEME)
		return tacet_access_by_parent(entry->pair) ?: TACET_PASS;
	if (entry->number == __NR_shmat)
		return attach_memory(entry);
	return TACET_PASS;
}

const struct tacet_call_ops tacet_taint_ops = {
	.original = original_taint,
	.doppelganger = tacet_repeat_nothing,
	.tainted = tainted_taint,
};
