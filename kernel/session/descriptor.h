/* SPDX-License-Identifier: GPL-2.0-only */
/* The descriptor that stands for a private session. */
#ifndef _TACET_SESSION_DESCRIPTOR_H
#define _TACET_SESSION_DESCRIPTOR_H

int tacet_session_descriptor_init(void);
void tacet_session_descriptor_exit(void);

/* Serves TACET_IOC_SESSION: returns a descriptor or -errno. */
int tacet_session_descriptor_create(int cgroup_fd);

#endif
