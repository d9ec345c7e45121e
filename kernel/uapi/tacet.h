/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The contract between tacet.ko and tacetd: ioctls and events of /dev/tacet. All integers are in host
 * order. All strings end with NUL and may be truncated. All reserved fields must be zero. Times are
 * CLOCK_BOOTTIME in ns.
 */
#ifndef _UAPI_TACET_H
#define _UAPI_TACET_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TACET_ABI_VERSION 1
#define TACET_DEVICE "/dev/tacet"

/*
 * A label is a set of categories. On disk it is this extended attribute: struct tacet_label_xattr, with
 * the categories in ascending order, little endian.
 */
#define TACET_LABEL_XATTR "trusted.tacet.label"
#define TACET_LABEL_XATTR_VERSION 1
#define TACET_LABEL_MAX 16

struct tacet_label_xattr {
	__u32 version;
	__u32 count;
	__u64 categories[];
};

/* The empty label (count == 0) stands for public data. */
struct tacet_label {
	__u32 count;
	__u32 reserved;
	__u64 categories[TACET_LABEL_MAX];
};

/*
 * Opening the device needs CAP_SYS_ADMIN. An open for reading claims the one event stream (EBUSY when
 * it is taken). An open for writing only allows the ioctls. Closing the stream keeps labels and cached
 * verdicts in force. Open questions are delivered again to the next reader.
 */

enum tacet_feature {
	TACET_FEATURE_LABELS = 1 << 0,	      /* reads of labelled files raise events */
	TACET_FEATURE_INTERPOSITION = 1 << 1, /* the system-call hook is in place */
	TACET_FEATURE_DOPPELGANGERS = 1 << 2, /* pairs are made */
	TACET_FEATURE_CHANNELS = 1 << 3,      /* pipes and sockets carry labels */
	TACET_FEATURE_SESSIONS = 1 << 4,      /* private sessions can be made */
	TACET_FEATURE_OBJECTS = 1 << 5,	      /* what the kernel's own allocator frees is cleared, too */
};

struct tacet_info {
	__u32 abi_version;
	__u32 features;	   /* enum tacet_feature: those in force now */
	__u32 armed_files; /* labelled inodes in memory */
	__u32 watched_tasks;
	__u64 counters[16]; /* enum tacet_counter */
	__u64 reserved[4];
};

enum tacet_counter {
	TACET_COUNTER_PAIRS,	     /* doppelgangers made */
	TACET_COUNTER_EVENTS,	     /* system calls replayed */
	TACET_COUNTER_COMPARED,	     /* outputs compared */
	TACET_COUNTER_BREACHES,	     /* questions: outputs that differed, and changes */
	TACET_COUNTER_TAINTED,	     /* pairs lost: divergence, timeout, failure */
	TACET_COUNTER_DERIVED_FILES, /* files labelled because of the data written to them */
	TACET_COUNTER_DERIVED_CHANNELS,
	TACET_COUNTER_BLOCKED,
	TACET_COUNTER_ALLOWED,
	TACET_COUNTER_SCRUBBED,
	TACET_COUNTER_QUIT,
	TACET_COUNTER_EVENTS_LOST,
	TACET_COUNTER_TAKEOVERS,
	TACET_COUNTER_MERGED, /* pairs merged, as both halves had become the same */
};

enum tacet_label_flag {
	/* set: take the label from the extended attribute instead of ->label */
	TACET_LABEL_KEEP = 1 << 0,
	/* get: the inode has its mark in memory, so reads of it raise events */
	TACET_LABEL_ARMED = 1 << 1,
	/* get: a shadow file is registered and current */
	TACET_LABEL_SHADOW = 1 << 2,
};

/*
 * TACET_IOC_LABEL_SET labels the regular file behind @fd, and registers @shadow_fd (or -1) as its
 * shadow. With label->count == 0 it removes label and mark. A shadow is current while size and mtime of
 * the file are those at this call.
 * EINVAL: unknown flag, not a regular file, categories not ascending;
 * EOPNOTSUPP: no extended attributes there; ENODATA: KEEP without a label.
 *
 * TACET_IOC_LABEL_GET fills @label and @flags, and ignores @shadow_fd.
 */
struct tacet_label_file {
	__s32 fd;
	__s32 shadow_fd;
	__u32 flags;
	__u32 reserved;
	struct tacet_label label;
};

enum tacet_action {
	TACET_ACTION_BLOCK = 1, /* the call fails with EPERM */
	TACET_ACTION_ALLOW,	/* the original's bytes go out */
	TACET_ACTION_SCRUB,	/* the doppelganger's bytes go out */
	TACET_ACTION_QUIT,	/* the process is killed */
	/*
	 * The doppelganger takes the original's place, and the process goes on with scrubbed data.
	 * Where that is not possible (see TACET_QUESTION_TAKEOVER), this means SCRUB.
	 */
	TACET_ACTION_TAKEOVER,
};

enum tacet_verdict_scope {
	TACET_SCOPE_FLOW = 1,  /* this socket; or this process with this file or device */
	TACET_SCOPE_PROCESS,   /* this process, this peer and this label */
	TACET_SCOPE_FILE,      /* as PROCESS, if the data is of the same labelled file */
	TACET_SCOPE_FLOW_FILE, /* as FLOW, if the data is of the same labelled file */
};

/* ENOENT means that the question is no longer open, EOPNOTSUPP that the action is unknown. */
struct tacet_verdict {
	__u64 question;
	__u32 action; /* enum tacet_action */
	__u32 scope;  /* enum tacet_verdict_scope */
	__u64 until;  /* the end of the cached verdict; 0: it ends with its scope */
	__u64 reserved;
};

/*
 * TACET_IOC_EXTEND moves the deadline of an open question, while a person reads it. @deadline is the wanted
 * one, and then the one that is in force. It never moves back, and no request moves it to more than
 * TACET_EXTENDED_MAX_MS after the question was asked. ENOENT means that the question is no longer open.
 */
#define TACET_EXTENDED_MAX_MS 600000

struct tacet_extension {
	__u64 question;
	__u64 deadline;
	__u64 reserved;
};

struct tacet_policy {
	__u32 question_timeout_ms; /* then it is blocked. 100 to 3600000, default 60000 */
	__u32 barrier_timeout_ms;  /* the original's wait for the doppelganger. 10 to 60000, default 3000 */
	__u64 reserved;
};

/*
 * TACET_IOC_REOPEN opens the regular file behind @fd again, read-only, for making shadow files. @fd may
 * be of O_PATH. Reading and mapping the new file raises no event and yields no label, whoever does it.
 * The call's result is the new descriptor (O_CLOEXEC).
 */
struct tacet_reopen {
	__s32 fd;
	__u32 reserved;
};

/*
 * The result of TACET_IOC_SESSION is a descriptor (O_CLOEXEC) that stands for a new private session.
 * @cgroup_fd is the directory of a cgroup (cgroup2). The session's members are the tasks and the memory
 * of that cgroup and of all cgroups below it. Their pages on swap are encrypted with a key that exists
 * in kernel memory only. The memory that they free is cleared. The last close of the descriptor ends
 * the session. Then the key is gone, and pages that were swapped out with it read as an I/O error.
 * EBADF: no cgroup2 directory; EINVAL: unknown flag, or a cgroup without a memory controller of its
 * own;
 * EBUSY: it is in a session, or a session is in it; EUSERS: TACET_SESSION_MAX exist.
 */
#define TACET_SESSION_MAX 64

struct tacet_session {
	__s32 cgroup_fd;
	__u32 flags;
	__u64 reserved;
};

/* TACET_SESSION_INFO on the session's descriptor fills this. */
struct tacet_session_info {
	__u64 id;	     /* never used again while the module is loaded */
	__u64 pages_swapped; /* those on swap under the session's key, until overwritten or discarded */
	__u64 pages_written; /* those written to swap since the session began */
	__u64 pages_cleared; /* those cleared when they were freed */
	__u64 reserved[4];
};

/*
 * TACET_SESSION_KEY on the session's descriptor makes a new random key of 64 bytes, of type logon. It
 * goes into the caller's process keyring, which must exist (ENOKEY). dm-crypt takes it by its name, for
 * a store on disk. The key cannot be read. It can be revoked once the table is loaded.
 */
struct tacet_session_key {
	__s32 serial;
	__u32 reserved;
	char name[32]; /* "tacet:" and 16 hexadecimal digits */
};

/*
 * Members reach no UNIX socket that was made outside of their session, but by a connection that exists
 * when they come in. TACET_SESSION_SOCKET on the session's descriptor makes an exception: @fd is a
 * descriptor (O_PATH will do) of the socket's file.
 * EBADF; ENOTSOCK: another file; EINVAL: @reserved is not 0; ENOSPC: TACET_SESSION_SOCKETS_MAX are there.
 */
#define TACET_SESSION_SOCKETS_MAX 8

struct tacet_session_socket {
	__s32 fd;
	__u32 reserved;
};

/*
 * After TACET_IOC_GUARD the daemon is asked before a file changes whose label has one of these
 * categories. The question has TACET_SINK_MARKED. Opening for writing, truncation, and removal and
 * replacement by name count as changes. A process that already has the file open for writing is not
 * asked. The call replaces the categories that were set before. With @count == 0 nothing is guarded.
 * EINVAL: too many, or not ascending.
 */
#define TACET_GUARD_MAX 60

struct tacet_guard {
	__u32 count;
	__u32 reserved;
	__u64 categories[TACET_GUARD_MAX];
};

/*
 * TACET_IOC_MEMORY sets whose freed memory is cleared. Each scope includes those before it. Memory of
 * private sessions is cleared in every scope. It holds at once, also for programs that run already, but the
 * library is loaded only into chosen programs that are executed from now on.
 *
 * @programs points to @programs_size bytes of absolute paths, each ended by NUL. They count from
 * TACET_MEMORY_CHOSEN on, and are those of executables, not of scripts.
 * @library points to the absolute path of a library that the dynamic linker is to load into these programs,
 * ended by NUL, without colons and spaces. It is loaded only if it is root's and the program can read it.
 * 0: none is.
 * @spared says which memory is not cleared of programs that are in no session.
 * EINVAL: unknown scope or layer, a path that is not absolute or too long, too many bytes.
 */
enum tacet_memory_scope {
	TACET_MEMORY_OFF,
	TACET_MEMORY_SENSITIVE, /* programs that hold data of labelled files */
	TACET_MEMORY_CHOSEN,	/* the programs at @programs, too */
	TACET_MEMORY_EVERYTHING,
};

enum tacet_memory_layer {
	TACET_LAYER_PAGES = 1,	 /* pages, when they are given back */
	TACET_LAYER_BUFFERS = 2, /* what the kernel held for a program: objects, messages, pipes, terminals */
	TACET_LAYER_STACK = 4,	 /* below the stack pointer, every few seconds */
	TACET_LAYER_HEAP = 8,	 /* what a program frees for itself, by @library */
};

#define TACET_LAYERS_ALL 15

#define TACET_MEMORY_PROGRAMS_MAX (64 << 10)
#define TACET_MEMORY_LIBRARY_MAX 128 /* with the NUL */

struct tacet_memory_policy {
	__u32 scope; /* enum tacet_memory_scope */
	__u32 programs_size;
	__u64 programs;
	__u64 library;
	__u32 spared;	/* bits of enum tacet_memory_layer */
	__u32 reserved; /* 0 */
};

/*
 * TACET_IOC_STAMP makes a random @tag. TACET_IOC_STAMPS counts the stamps with some tags in physical memory,
 * at any address. @counts points to @count structures, whose tags are set. Only the last
 * TACET_STAMP_TAGS_MAX tags that were made are looked for, so that nobody can find out by it what memory
 * holds. A stamp that lies in two pages is not found.
 * ENOENT: not such a tag; EINVAL: @count is 0 or too large; ENOMEM; EINTR: a fatal signal came.
 */
#define TACET_STAMP_TAGS_MAX 64

struct tacet_stamp {
	__u64 tag;
	__u32 serial;
	__u64 checksum; /* FNV-1a, 64 bits, of the twelve bytes before it */
} __attribute__((packed));

struct tacet_stamp_tag {
	__u64 tag;
};

struct tacet_stamp_count {
	__u64 tag;
	__u64 whole;   /* stamps whose checksum is right */
	__u64 damaged; /* tags with something else behind them, also the caller's own copies of the tag */
};

struct tacet_stamp_counts {
	__u64 counts; /* struct tacet_stamp_count */
	__u32 count;
	__u32 reserved;
};

#define TACET_IOC_INFO _IOR('T', 1, struct tacet_info)
#define TACET_IOC_LABEL_SET _IOW('T', 2, struct tacet_label_file)
#define TACET_IOC_LABEL_GET _IOWR('T', 3, struct tacet_label_file)
#define TACET_IOC_VERDICT _IOW('T', 4, struct tacet_verdict)
#define TACET_IOC_POLICY _IOW('T', 5, struct tacet_policy)
/* Forgets all cached verdicts, as rules have changed. */
#define TACET_IOC_FLUSH _IO('T', 6)
#define TACET_IOC_REOPEN _IOW('T', 7, struct tacet_reopen)
#define TACET_IOC_SESSION _IOW('T', 8, struct tacet_session)
#define TACET_IOC_GUARD _IOW('T', 9, struct tacet_guard)
#define TACET_IOC_EXTEND _IOWR('T', 10, struct tacet_extension)

#define TACET_IOC_MEMORY _IOW('T', 11, struct tacet_memory_policy)
#define TACET_IOC_STAMP _IOR('T', 12, struct tacet_stamp_tag)
#define TACET_IOC_STAMPS _IOW('T', 13, struct tacet_stamp_counts)

#define TACET_SESSION_INFO _IOR('T', 32, struct tacet_session_info)
#define TACET_SESSION_KEY _IOR('T', 33, struct tacet_session_key)
#define TACET_SESSION_SOCKET _IOW('T', 34, struct tacet_session_socket)

enum tacet_event_type {
	TACET_EVENT_QUESTION = 1, /* struct tacet_question: answer by TACET_IOC_VERDICT */
	TACET_EVENT_WITHDRAWN,	  /* struct tacet_notice, id of a question that is over */
	TACET_EVENT_MISSED,	  /* struct tacet_question: blocked unasked, or nobody answered in time */
	TACET_EVENT_LABELLED,	  /* struct tacet_notice: a file received a label by the data written to it */
	TACET_EVENT_STALE,	  /* struct tacet_notice: a labelled file's content changed; make a new shadow */
	TACET_EVENT_TAINTED,	  /* struct tacet_notice: a process lost its doppelganger for @reason */
	TACET_EVENT_REFUSED,	  /* struct tacet_notice: an operation that cannot be followed was refused */
	TACET_EVENT_LOST,	  /* struct tacet_notice, id: how many events were dropped */
};

/*
 * Every record of a read() starts like this, and a read returns whole records only. For private
 * sessions only questions and their withdrawals are reported.
 */
struct tacet_event {
	__u32 size; /* that of the record with this header */
	__u32 type; /* enum tacet_event_type */
	__u64 time;
};

#define TACET_PATH_MAX 4096
#define TACET_COMM_MAX 16
#define TACET_EXCERPT_MAX 512
#define TACET_REASON_MAX 64

enum tacet_sink {
	TACET_SINK_NETWORK = 1, /* address, port, protocol are set */
	TACET_SINK_FILE,	/* a file system that cannot carry a label; target is set */
	TACET_SINK_DEVICE,	/* a device node; target is set */
	TACET_SINK_OTHER,	/* a socket family that cannot be followed */
	/* Nothing is sent. The guarded file, which is origin and target, would be changed. */
	TACET_SINK_MARKED,
};

enum tacet_question_flag {
	TACET_QUESTION_TAINTED = 1 << 0,  /* no doppelganger: the data may or may not be derived */
	TACET_QUESTION_CONNECT = 1 << 1,  /* the differing data is the address connected to */
	TACET_QUESTION_TAKEOVER = 1 << 2, /* the doppelganger could take the original's place */
	TACET_QUESTION_PRIVATE = 1 << 3,  /* of a private session: must not be written down */
	TACET_QUESTION_REMOVES =
		1 << 4, /* for TACET_SINK_MARKED: the file would be removed, or another would get its name */
};

/* A process on the way of the data. */
struct tacet_hop {
	__u32 pid; /* thread group id in the initial namespace, when the data came to it */
	char comm[TACET_COMM_MAX];
};

#define TACET_CHAIN_MAX 8

struct tacet_question {
	struct tacet_event event;
	__u64 id;
	__u64 deadline; /* after this time it is blocked */
	__u32 pid;	/* thread group id in the initial namespace */
	__u32 tid;
	__u32 uid;
	__u32 flags;	  /* enum tacet_question_flag */
	__u64 start_time; /* of the process, boottime ns */
	__u32 sink;	  /* enum tacet_sink */
	__u16 family;	  /* AF_INET, AF_INET6 */
	__u16 protocol;	  /* IPPROTO_TCP, IPPROTO_UDP, ... */
	__u8 address[16]; /* network order; IPv4 in the first four */
	/* Host order. It is 0 for a client that connected to this machine, as a client has another port each time. */
	__u16 port;
	__u16 reserved16;
	__u32 reserved32;
	struct tacet_label label;
	__u64 origin_device; /* st_dev and st_ino of the labelled file that the data came from */
	__u64 origin_inode;
	__u64 length;	       /* bytes the original would send */
	__u64 scrubbed_length; /* bytes the doppelganger would send */
	__u64 calls_equal;     /* how many calls the halves made alike */
	__u64 calls_total;
	__u64 calls_realigned; /* of them, those that only one of the halves made */
	__u32 excerpt_length;
	__u32 scrubbed_excerpt_length;
	__u8 excerpt[TACET_EXCERPT_MAX];
	__u8 scrubbed_excerpt[TACET_EXCERPT_MAX];
	/*
	 * The chain leads from the reader of the file, by pipes and sockets, towards the process that
	 * asks. Later ones are missing if there were too many.
	 */
	__u32 chain_length;
	__u32 chain_reserved;
	struct tacet_hop chain[TACET_CHAIN_MAX];
	char comm[TACET_COMM_MAX];
	char executable[TACET_PATH_MAX];
	char origin[TACET_PATH_MAX]; /* path of the labelled file that the data came from */
	char target[TACET_PATH_MAX]; /* file or device that is written to, if that is the sink */
};

struct tacet_notice {
	struct tacet_event event;
	__u64 id;
	__u32 pid;
	__u32 uid;
	__u64 device; /* st_dev and st_ino of the file concerned */
	__u64 inode;
	struct tacet_label label;
	char comm[TACET_COMM_MAX];
	char reason[TACET_REASON_MAX];
	char path[TACET_PATH_MAX];
};

#endif
