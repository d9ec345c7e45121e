// SPDX-License-Identifier: GPL-2.0-only
/* ioctl, fcntl and prctl. An argument tells which data they read and write. */
#include <asm/termios.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/prctl.h>
#include <linux/sockios.h>

#include "call/call.h"
#include "call/entry.h"
#include "engine/by_argument.h"
#include "engine/device.h"
#include "engine/ops.h"
#include "engine/refuse.h"
#include "engine/repeat.h"
#include "engine/replay.h"
#include "engine/transfer.h"
#include "pair/pair.h"

static bool ioctl_transfers(const struct tacet_entry *entry)
{
	unsigned int request = entry->args[1];

	return request == FICLONE || request == FICLONERANGE;
}

/* These requests are from before their number said what they write. */
static unsigned int ioctl_output_size(unsigned int request)
{
	switch (request) {
	case TCGETS:
		return sizeof(struct termios);
	case TIOCGWINSZ:
		return sizeof(struct winsize);
	case FIONREAD:
	case TIOCOUTQ:
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCGETD:
	case TIOCMGET:
		return sizeof(int);
	case FIOASYNC:
	case FIONBIO:
		return 0;
	}
	if (request >= SIOCGIFNAME && request <= SIOCGIFMAP)
		return sizeof(struct ifreq);
	return _IOC_DIR(request) & _IOC_READ ? _IOC_SIZE(request) : 0;
}

static unsigned int fcntl_output_size(unsigned int command)
{
	switch (command) {
	case F_GETLK:
	case F_OFD_GETLK:
		return sizeof(struct flock);
	case F_GETOWN_EX:
		return sizeof(struct f_owner_ex);
	case F_GET_RW_HINT:
	case F_GET_FILE_RW_HINT:
		return sizeof(u64);
	default:
		return 0;
	}
}

static unsigned int prctl_output_size(unsigned int option)
{
	switch (option) {
	case PR_GET_NAME:
		return TASK_COMM_LEN;
	case PR_GET_PDEATHSIG:
	case PR_GET_CHILD_SUBREAPER:
	case PR_GET_TSC:
		return sizeof(int);
	case PR_GET_TID_ADDRESS:
		return sizeof(void *);
	default:
		return 0;
	}
}

/* Both halves run only the options for the process's own memory and name. */
static bool prctl_runs_twice(const struct tacet_entry *entry)
{
	return entry->number == __NR_prctl && (entry->args[0] == PR_SET_NAME || entry->args[0] == PR_SET_VMA);
}

/* Makes the row of this very call, as an argument tells which data it reads and writes. */
static void row_of_call(const struct tacet_entry *entry, struct tacet_call *row)
{
	unsigned int size = 0, argument = 2;

	*row = *entry->call;
	if (row->kind == TACET_CALL_IOCTL) {
		size = ioctl_output_size(entry->args[1]);
	} else if (row->kind == TACET_CALL_FCNTL) {
		size = fcntl_output_size(entry->args[1]);
	} else if (row->kind == TACET_CALL_PRCTL) {
		size = prctl_output_size(entry->args[0]);
		argument = 1;
		/* A name can be read back, and the doppelganger would get the original's. So names are compared. */
		if (prctl_runs_twice(entry))
			row->in[0] = (struct tacet_buffer){
				.kind = TACET_BUFFER_STRING,
				.argument = entry->args[0] == PR_SET_NAME ? 1 : 4,
			};
	}
	if (!size)
		return;
	memset(row->out, 0, sizeof(row->out));
	row->out[0] = (struct tacet_buffer){
		.kind = TACET_BUFFER_FIXED,
		.argument = argument,
		.size = size,
	};
}

static long replay_by_argument(struct tacet_entry *entry)
{
	const struct tacet_call *call = entry->call;
	struct tacet_call row;
	long result;

	row_of_call(entry, &row);
	entry->call = &row;
	result = tacet_replay_original(entry);
	entry->call = call;
	return result;
}

static long follow_by_argument(struct tacet_entry *entry, struct tacet_step *step)
{
	const struct tacet_call *call = entry->call;
	struct tacet_call row;
	long result;

	row_of_call(entry, &row);
	entry->call = &row;
	if (!prctl_runs_twice(entry))
		result = tacet_repeat_replay(entry, step);
	else if (tacet_repeat_equals(entry, step))
		result = tacet_repeat_both(entry, step);
	else
		result = tacet_repeat_diverge(entry, "arguments-differ");
	entry->call = call;
	return result;
}

static long original_ioctl(struct tacet_entry *entry)
{
	if (tacet_device_gets_data(entry)) {
		tacet_pair_taint(entry->pair, "output-cannot-be-labelled");
		return TACET_LOST;
	}
	return ioctl_transfers(entry) ? tacet_transfer(entry) : replay_by_argument(entry);
}

static long tainted_ioctl(struct tacet_entry *entry)
{
	if (tacet_device_gets_data(entry))
		return tacet_refuse_unlabelled(entry);
	return ioctl_transfers(entry) ? tacet_transfer(entry) : TACET_PASS;
}

const struct tacet_call_ops tacet_by_argument_ioctl_ops = {
	.original = original_ioctl,
	.doppelganger = follow_by_argument,
	.tainted = tainted_ioctl,
};

const struct tacet_call_ops tacet_by_argument_fcntl_ops = {
	.original = replay_by_argument,
	.doppelganger = follow_by_argument,
};

const struct tacet_call_ops tacet_by_argument_prctl_ops = {
	.original = replay_by_argument,
	.doppelganger = follow_by_argument,
};
