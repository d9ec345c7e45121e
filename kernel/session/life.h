/* SPDX-License-Identifier: GPL-2.0-only */
/* The beginning and the end of private sessions. */
#ifndef _TACET_SESSION_LIFE_H
#define _TACET_SESSION_LIFE_H

struct cgroup_subsys_state;
struct tacet_private;

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
