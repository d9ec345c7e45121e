// SPDX-License-Identifier: GPL-2.0-only
/* The doppelganger repeats a step of the original. It makes no calls of its own, except on its memory. */
#include <linux/mman.h>
#include <linux/sched/signal.h>

#include "base/blob.h"
#include "base/symbol.h"
#include "base/wait.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "engine/repeat.h"
#include "label/shadow.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"

long tacet_repeat_diverge(struct tacet_entry *entry, const char *reason)
{
	tacet_pair_taint(entry->pair, reason);
	return tacet_task_die();
}

long tacet_repeat_replay(struct tacet_entry *entry, struct tacet_step *step)
{
	if (step->reads_shadow && tacet_shadow_read(step->file, step->out.data + step->out.payload_offset,
						    step->out.payload_length, step->position))
		return tacet_repeat_diverge(entry, "shadow-not-readable");
	if (tacet_marshal_replay(entry->call, entry->args, step->result, &step->out))
		return tacet_repeat_diverge(entry, "buffers-differ");
	return step->result;
}

bool tacet_repeat_equals(struct tacet_entry *entry, const struct tacet_step *step)
{
	struct tacet_blob *in = &entry->context->scratch;

	if (!entry->call->in[0].kind)
		return true;
	tacet_blob_reset(in);
	if (tacet_marshal_in(entry->call, entry->args, in))
		tacet_blob_reset(in);
	return tacet_blob_equal(in, &step->in);
}

long tacet_repeat_compared(struct tacet_entry *entry, struct tacet_step *step)
{
	if (!tacet_repeat_equals(entry, step))
		return tacet_repeat_diverge(entry, "arguments-differ");
	return tacet_repeat_replay(entry, step);
}

/* Asks for the address that the original's kernel chose. */
static void ask_for_same_place(struct tacet_entry *entry, const struct tacet_step *step, struct pt_regs *regs)
{
	if (entry->number == __NR_mremap && !IS_ERR_VALUE(step->result) && step->result != entry->args[0]) {
		regs->r10 |= MREMAP_MAYMOVE | MREMAP_FIXED;
		regs->r8 = step->result;
	}
}

bool tacet_repeat_wait_memory(struct tacet_pair *pair, const struct tacet_step *step)
{
	return !step->memory_ticket ||
	       tacet_wait(pair->wait,
			  atomic64_read(&pair->memory_done) + 1 == step->memory_ticket || !tacet_pair_lives(pair),
			  MAX_SCHEDULE_TIMEOUT) >= 0;
}

void tacet_repeat_pass_memory_on(struct tacet_pair *pair, const struct tacet_step *step)
{
	if (!step->memory_ticket)
		return;
	atomic64_set(&pair->memory_done, step->memory_ticket);
	if (wq_has_sleeper(&pair->wait))
		wake_up_all(&pair->wait);
}

long tacet_repeat_both(struct tacet_entry *entry, struct tacet_step *step)
{
	struct pt_regs regs = *entry->regs;
	long result;

	if (!tacet_repeat_wait_memory(entry->pair, step))
		return tacet_task_die();
	ask_for_same_place(entry, step, &regs);
	result = static_call(tacet_system_call)(&regs, regs.orig_ax);
	tacet_repeat_pass_memory_on(entry->pair, step);
	if (result != step->result)
		return tacet_repeat_diverge(entry, "memory-differs");
	return result;
}

long tacet_repeat_nothing(struct tacet_entry *entry, struct tacet_step *step)
{
	return step->result;
}
