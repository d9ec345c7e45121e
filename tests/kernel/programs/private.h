/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of private sessions are made up of. Results are exit statuses. */
#ifndef _TACET_PRIVATE_H
#define _TACET_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

/* A word that only those know who know the number: it stands in no script and on no command line. */
uint64_t stamp_word(unsigned int number);

/* private_swap.c */
/* mkswap */
int swap_format(const char *device);
int swap_on(const char *device, int flags);
int swap_off(const char *device);
/* A device-mapper device of one target over all of @device; prints its path. */
int map_create(const char *name, const char *type, const char *device, const char *parameters);
int map_remove(const char *name);
int map_status(const char *name);
/* Prints how often each of the stamps stands in the device, or in memory for /proc/kcore. */
int stamp_count(const char *path, char **numbers);

/* private_access.c: what another process of the same user can do to the process. */
int access_try(int pid);
/* Waits for ever, with sockets that access_try() tries. Returns only on an error. */
int access_idle(void);

/* private_edges.c: what the kernel itself lets out of a session. */
int edges_sockets(void);
int edges_crash(void);
/* Prints who tells of files that are opened and read in the folder. */
int edges_watch(const char *folder);
/* Does what the kernel complains of in its log, then makes a call that its own filter kills it for. */
int edges_filtered(void);
/* Sockets at the path with .stream and .datagram, and one without a file. Prints what comes. */
int edges_listen(const char *path);
/* Prints how many UNIX sockets have @text in their names: in /proc/net/unix, and as ss(8) asks for them. */
int edges_listed(const char *text);
/* Connects to the datagram socket, goes into the cgroup, and tries all three. */
int edges_reach(const char *path, const char *cgroup);

/* private_key.c: of the session that the process holds there. */
int key_try(int pid, int fd);

/* private_shared.c: what a session has in common with the outside. */
/* Locks what each process can open, and these files, and prints how it went. */
int shared_locks(char **files);
/* Waits, for 20 s at most, for a futex in the first page of a file; prints `waiting`, then `woken` or the error. */
int shared_wait(const char *path);
/* Wakes one that waits so, through a shared or a private mapping; prints how many were woken. */
int shared_wake(const char *path);

#endif
