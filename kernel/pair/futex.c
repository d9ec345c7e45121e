// SPDX-License-Identifier: GPL-2.0-only
/*
 * Futex calls of threads that take turns. The doppelganger gets the original's results. Where those
 * depend on words in memory, the words must lead to the same in both halves. The words are read in the
 * turn in which the call is made.
 */
#include <linux/futex.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "base/blob.h"
#include "call/entry.h"
#include "pair/futex.h"

static unsigned int command(const struct tacet_entry *entry)
{
	return entry->args[1] & FUTEX_CMD_MASK;
}

bool tacet_futex_waits(const struct tacet_entry *entry)
{
	switch (entry->number) {
	case __NR_futex:
		return command(entry) == FUTEX_WAIT || command(entry) == FUTEX_WAIT_BITSET;
	case __NR_futex_wake:
	case __NR_futex_requeue:
		return false;
	default:
		return true;
	}
}

bool tacet_futex_lends_priority(const struct tacet_entry *entry)
{
	if (entry->number != __NR_futex)
		return false;
	switch (command(entry)) {
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_TRYLOCK_PI:
	case FUTEX_UNLOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_CMP_REQUEUE_PI:
		return true;
	}
	return false;
}

bool tacet_futex_writes(const struct tacet_entry *entry)
{
	return entry->number == __NR_futex && command(entry) == FUTEX_WAKE_OP;
}

enum match {
	NO_MATCH,
	MATCH,
	UNREADABLE,
};

static int add_match(struct tacet_blob *blob, unsigned long address, u32 expected)
{
	u8 match = UNREADABLE;
	u32 word;

	if (!get_user(word, (u32 __user *)address))
		match = word == expected ? MATCH : NO_MATCH;
	return tacet_blob_append(blob, &match, sizeof(match));
}

/* A wait for several words also compares the words and their expected values. */
static int add_waiters(struct tacet_blob *blob, unsigned long address, unsigned long count)
{
	struct futex_waitv __user *waiters = (struct futex_waitv __user *)address;
	struct futex_waitv waiter;
	int error = 0;

	for (; !error && count; count--, waiters++) {
		if (copy_from_user(&waiter, waiters, sizeof(waiter)))
			return 0;
		error = tacet_blob_append(blob, &waiter, sizeof(waiter)) ?: add_match(blob, waiter.uaddr, waiter.val);
	}
	return error;
}

/* The three arguments are a number, another word's address, and the value for comparing or changing a word. */
static int add_more_arguments(struct tacet_blob *blob, const struct tacet_entry *entry)
{
	return tacet_blob_append(blob, &entry->args[3], 3 * sizeof(*entry->args));
}

static int add_word(struct tacet_blob *blob, unsigned long address)
{
	u32 word;

	return get_user(word, (u32 __user *)address) ? 0 : tacet_blob_append(blob, &word, sizeof(word));
}

int tacet_futex_gather(const struct tacet_entry *entry, struct tacet_blob *blob)
{
	tacet_blob_reset(blob);
	switch (entry->number) {
	case __NR_futex_wait:
		return add_match(blob, entry->args[0], entry->args[1]);
	case __NR_futex_waitv:
		return add_waiters(blob, entry->args[0], min(entry->args[1], (unsigned long)FUTEX_WAITV_MAX));
	case __NR_futex_requeue:
		return add_waiters(blob, entry->args[0], 2);
	case __NR_futex:
		break;
	default:
		return 0;
	}
	switch (command(entry)) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return add_match(blob, entry->args[0], entry->args[2]);
	case FUTEX_REQUEUE:
		return add_more_arguments(blob, entry);
	case FUTEX_CMP_REQUEUE:
		return add_more_arguments(blob, entry) ?: add_match(blob, entry->args[0], entry->args[5]);
	case FUTEX_WAKE_OP:
		return add_more_arguments(blob, entry) ?: add_word(blob, entry->args[4]);
	}
	return 0;
}
