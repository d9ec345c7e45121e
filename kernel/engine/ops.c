// SPDX-License-Identifier: GPL-2.0-only
/* The table of ops. */
#include "call/call.h"
#include "engine/by_argument.h"
#include "engine/exec.h"
#include "engine/fork.h"
#include "engine/local.h"
#include "engine/mmap.h"
#include "engine/ops.h"
#include "engine/output.h"
#include "engine/process.h"
#include "engine/refuse.h"
#include "engine/replay.h"
#include "engine/transfer.h"

static const struct tacet_call_ops *const ops[] = {
	[TACET_CALL_REPLAY] = &tacet_replay_ops,
	[TACET_CALL_READ] = &tacet_read_ops,
	[TACET_CALL_BOTH] = &tacet_both_ops,
	[TACET_CALL_LOCAL] = &tacet_local_ops,
	[TACET_CALL_OUTPUT] = &tacet_output_ops,
	[TACET_CALL_REFUSE] = &tacet_refuse_ops,
	[TACET_CALL_TAINT] = &tacet_taint_ops,
	[TACET_CALL_FORK] = &tacet_fork_ops,
	[TACET_CALL_EXEC] = &tacet_exec_ops,
	[TACET_CALL_EXIT] = &tacet_process_exit_ops,
	[TACET_CALL_MMAP] = &tacet_mmap_ops,
	[TACET_CALL_SIGRETURN] = &tacet_process_sigreturn_ops,
	[TACET_CALL_TRANSFER] = &tacet_transfer_ops,
	[TACET_CALL_VECTOR_TRANSFER] = &tacet_transfer_vector_ops,
	[TACET_CALL_IOCTL] = &tacet_by_argument_ioctl_ops,
	[TACET_CALL_FCNTL] = &tacet_by_argument_fcntl_ops,
	[TACET_CALL_PRCTL] = &tacet_by_argument_prctl_ops,
	[TACET_CALL_SET_TID_ADDRESS] = &tacet_process_tid_address_ops,
};

/* A kind that is added last and has no row here fails to build. */
static_assert(ARRAY_SIZE(ops) == TACET_CALL_KINDS);

const struct tacet_call_ops *tacet_ops_of(const struct tacet_call *call)
{
	return ops[call->kind];
}
