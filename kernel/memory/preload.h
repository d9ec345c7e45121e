/* SPDX-License-Identifier: GPL-2.0-only */
/* Lets the dynamic linker load a library into a program that begins. */
#ifndef _TACET_MEMORY_PRELOAD_H
#define _TACET_MEMORY_PRELOAD_H

/*
 * Adds LD_PRELOAD with @library to the environment of the current process, which has executed a program and
 * has not run its first instruction yet. Does nothing for a program that would not or could not load it: one
 * of 32 bits, one without glibc's dynamic linker, one that raises privileges, one that has LD_PRELOAD already,
 * or one that cannot read the library at that path. Sleeps.
 */
void tacet_preload(const char *library);

#endif
