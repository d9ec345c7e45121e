/* SPDX-License-Identifier: GPL-2.0-only */
/* The beginning and the end of private sessions. */
#ifndef _TACET_SESSION_LIFE_H
#define _TACET_SESSION_LIFE_H

struct cgroup_subsys_state;
struct tacet_private;

/* A session of @css, which gets a reference more; ERR_PTR(-EBUSY, -EUSERS, -ENOMEM, ...). Sleeps. */
struct tacet_private *tacet_session_begin(struct cgroup_subsys_state *css);
/* After this nobody finds it, its key is gone, and no map has its number. Drops the reference. Sleeps. */
void tacet_session_end(struct tacet_private *session);

#endif
