/* SPDX-License-Identifier: GPL-2.0-only */
/* The table that classifies every x86-64 system call. */
#ifndef _TACET_CALL_H
#define _TACET_CALL_H

#include <linux/build_bug.h>
#include <linux/types.h>

struct pt_regs;

#define TACET_CALL_ARGUMENTS 6

/* The kinds of calls. engine/ops.c has the functions that handle each kind for a hooked process. */
enum tacet_call_kind {
	/*
	 * The original runs it, and the doppelganger gets result and out data. The doppelganger
	 * compares its arguments and in data without stopping the original. A difference is a
	 * divergence. A number without a row, which no kernel has, is also of this kind.
	 */
	TACET_CALL_REPLAY = 0,
	TACET_CALL_READ,   /* as REPLAY; takes payload from the file at fd_argument */
	TACET_CALL_BOTH,   /* each half runs it (memory, signal masks); the results must be equal */
	TACET_CALL_LOCAL,  /* each half runs it, in the order that the scheduler makes; see TURNS */
	TACET_CALL_OUTPUT, /* its in data leaves the process, so it is compared before the original runs it */
	TACET_CALL_REFUSE, /* both halves get tacet_call.refusal */
	TACET_CALL_TAINT,  /* its effects cannot be followed, so the original becomes tainted and runs it */
	TACET_CALL_FORK,   /* fork, vfork, clone, clone3 */
	TACET_CALL_EXEC,   /* execve, execveat */
	TACET_CALL_EXIT,   /* exit, exit_group */
	TACET_CALL_MMAP,
	TACET_CALL_SIGRETURN,
	TACET_CALL_TRANSFER,	    /* sendfile, splice, tee, copy_file_range */
	TACET_CALL_VECTOR_TRANSFER, /* vmsplice */
	TACET_CALL_IOCTL,	    /* the request number tells the out data; FICLONE transfers */
	TACET_CALL_FCNTL,	    /* the command tells the out data */
	TACET_CALL_PRCTL,	    /* the option tells the out data; both halves run some options */
	TACET_CALL_SET_TID_ADDRESS,
	TACET_CALL_KINDS
};

enum tacet_buffer_kind {
	TACET_BUFFER_NONE = 0,
	/* in and out */
	TACET_BUFFER_FIXED,	   /* size bytes at argument */
	TACET_BUFFER_COUNTED,	   /* args[length_argument] * size bytes */
	TACET_BUFFER_IOVEC,	   /* struct iovec[args[length_argument]]; out: result bytes in all */
	TACET_BUFFER_MSGHDR,	   /* struct user_msghdr: name, iovec (out: result bytes), control, flags */
	TACET_BUFFER_MMSGHDR,	   /* struct mmsghdr[args[length_argument]]; out: result messages */
	TACET_BUFFER_SYSV_MESSAGE, /* a long, then args[length_argument] bytes (out: result bytes) */
	/* in only */
	TACET_BUFFER_STRING,  /* at most PATH_MAX */
	TACET_BUFFER_ADDRESS, /* struct sockaddr of (int)args[length_argument] bytes */
	/* A string, args[4] bytes or nothing, as the command in args[length_argument] says (fsconfig). */
	TACET_BUFFER_PARAMETER,
	/* out only */
	TACET_BUFFER_RETURNED,	   /* result * size bytes, at most args[length_argument] * size */
	TACET_BUFFER_VALUE_LENGTH, /* *(u32 *)args[length_argument] bytes; that u32 too (accept, getsockopt) */
	TACET_BUFFER_FD_SET,	   /* bitmap of args[length_argument] bits rounded up to longs (select) */
	TACET_BUFFER_SENT_LENGTHS, /* msg_len of result messages in struct mmsghdr[] (sendmmsg) */
	/* A struct file_handle with handle_bytes of data; on failure without them (name_to_handle_at). */
	TACET_BUFFER_HANDLE,
	/* The number of a mount. The flags in args[length_argument] tell its length (name_to_handle_at). */
	TACET_BUFFER_MOUNT,
};

/* User memory that a call reads or writes. A NULL pointer there means no buffer. */
struct tacet_buffer {
	u8 kind;
	u8 argument;
	u8 length_argument;
	u8 flags;
	u16 size;
};

enum tacet_buffer_flag {
	/* These bytes are read from or sent to the file, and carry a label. */
	TACET_BUFFER_PAYLOAD = 1 << 0,
	/* args[length_argument] is an int, so its upper half may be garbage. */
	TACET_BUFFER_LENGTH32 = 1 << 1,
	/* Out data is there when result >= 0, unless one of these flags says otherwise. */
	TACET_BUFFER_ALWAYS = 1 << 2,	   /* on failure too (select's timeout) */
	TACET_BUFFER_INTERRUPTED = 1 << 3, /* only when a signal interrupted the call (nanosleep's rest) */
	TACET_BUFFER_POSITIVE = 1 << 4,	   /* only when result > 0 (wait4's status) */
	TACET_BUFFER_OVERFLOW = 1 << 5,	   /* also when there was too little room (name_to_handle_at) */
};

enum tacet_call_flag {
	TACET_CALL_WRITES = 1 << 0,	/* OUTPUT: the call only writes, and returns how much */
	TACET_CALL_POSITIONED = 1 << 1, /* at the offset in args[3], not at f_pos */
	TACET_CALL_ORDERED = 1 << 2,	/* changes the address space, in one order for all threads */
	TACET_CALL_CONNECTS = 1 << 3,	/* in data is an address, and a differing one discloses data */
	TACET_CALL_POLLS = 1 << 4,	/* may wait for long, and the doppelganger waits with it */
	TACET_CALL_TURNS = 1 << 5,	/* LOCAL: replayed where threads take turns */
	/*
	 * The call asks the kernel and changes nothing, so either half may leave it out. A buffer, for
	 * example, is made only at the first write.
	 */
	TACET_CALL_ASKS = 1 << 6,
	/* The call asks for the time, which is the same for all processes. So the doppelganger may ask for itself. */
	TACET_CALL_TIME = 1 << 7,
};

#define TACET_NO_FD (-1)
#define TACET_CALL_BUFFERS 4

struct tacet_call {
	const char *name;
	u8 kind;
	u8 flags;
	u8 compared;	   /* mask of scalar arguments that must be equal */
	s8 fd_argument;	   /* an int, so cast it; for TRANSFER the source */
	s16 refusal;	   /* result of TACET_CALL_REFUSE, negative */
	u64 data_commands; /* TAINT: mask of commands in args[0] that hand data to others, and are refused */
	struct tacet_buffer in[TACET_CALL_BUFFERS];
	struct tacet_buffer out[TACET_CALL_BUFFERS];
};

/* Never returns NULL. A number that this kernel lacks is replayed, and one of the x32 ABI taints. */
const struct tacet_call *tacet_call_lookup(unsigned int number);

#endif
