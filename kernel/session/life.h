/* SPDX-License-Identifier: GPL-2.0-only */
/* The beginning and the end of private sessions. */
#ifndef _TACET_SESSION_LIFE_H
#define _TACET_SESSION_LIFE_H

struct cgroup_subsys_state;
struct tacet_private;

/**
 * struct tacet_session_hooks - what is in place only while there are sessions, as others pay for it
 * @install: before the first session begins; returns 0 or what ftrace says; sleeps
 * @remove: after the last one has ended; sleeps
 */
struct tacet_session_hooks {
	int (*install)(void);
	void (*remove)(void);
};

/* Comes before the first session. */
void tacet_session_set_hooks(const struct tacet_session_hooks *hooks);
/*
 * Makes a session of @css and takes a reference on it. Returns ERR_PTR(-EBUSY, -EUSERS, -ENOMEM, ...)
 * on failure. Sleeps.
 */
struct tacet_private *tacet_session_begin(struct cgroup_subsys_state *css);
/*
 * After this nobody finds the session, its key is gone, and no map has its number. Drops the
 * descriptor's reference. Sleeps.
 */
void tacet_session_end(struct tacet_private *session);

#endif
