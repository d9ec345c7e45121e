/* SPDX-License-Identifier: GPL-2.0-only */
/* What does not cross the border of a private session. */
#ifndef _TACET_SESSION_BORDER_H
#define _TACET_SESSION_BORDER_H

#include <linux/types.h>

struct file;
struct file_lock_core;
struct fsnotify_group;
struct inode;
struct sock;
struct tacet_private;
struct task_struct;
union futex_key;

/* Returns -EPERM if the current task may not access @child in this way (PTRACE_MODE_*), else 0. Atomic. */
int tacet_session_check_access(struct task_struct *child, unsigned int mode);
/* Returns -EAFNOSUPPORT if a member may not make such a socket, as it would reach others, else 0. */
int tacet_session_check_socket(int family, int protocol);
/* Returns -EACCES if the current task may not open the FIFO @file, as others have it, too, else 0. */
int tacet_session_check_fifo(const struct file *file);
/* Returns -ENOLCK if a member may not lock @file, as others have it, too, and would find it locked, else 0. */
int tacet_session_check_lock(const struct file *file);
/* Makes @key, which the current task has found, one of its session, so that it wakes and waits for no others. */
void tacet_session_separate_futex(union futex_key *key);
/*
 * Tells whether the current task is a member, and these watchers of files are outside: others of the
 * person's. Administrators' see everything.
 */
bool tacet_session_hides_from(const struct fsnotify_group *watchers);
/*
 * These return -EPERM if the current task may not connect to the UNIX socket @peer, or send to it from
 * @sock, as one of them is in a session and the other is not, else 0. Atomic. The caller holds the
 * state lock of @peer.
 */
int tacet_session_check_connect(struct sock *peer);
int tacet_session_check_send(struct sock *sock, struct sock *peer);
/* Tells whether the current task does not see the UNIX socket @sock, as that is in a session. Administrators see all. Atomic. */
bool tacet_session_hides_socket(struct sock *sock);
/* The same for a lock of a file, which is hidden from all but administrators also when it tells of no process that lives. Atomic. */
bool tacet_session_hides_lock(const struct file_lock_core *lock);
/* Lets members reach the UNIX socket whose file @inode is. Returns 0, -ENOTSOCK or -ENOSPC. Sleeps. */
int tacet_session_allow_socket(struct tacet_private *session, const struct inode *inode);

#endif
