/* SPDX-License-Identifier: GPL-2.0-only */
/* The key of a private session's store on disk. */
#ifndef _TACET_SESSION_KEY_H
#define _TACET_SESSION_KEY_H

/* Serves TACET_SESSION_KEY: makes the key and returns its name in @argument. Returns 0 or -errno. Sleeps. */
int tacet_session_key_make(void __user *argument);

#endif
