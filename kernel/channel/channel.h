/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pipes, sockets and terminals that hold derived data: their label, and the bytes that
 * the writer's doppelganger would have written, for the reader's.
 */
#ifndef _TACET_CHANNEL_H
#define _TACET_CHANNEL_H

#include <linux/types.h>

struct file;
struct tacet_channel;
struct tacet_labelset;
struct tacet_origin;

int tacet_channel_init(void);
void tacet_channel_exit(void);

/* The channel that is read from @file when it has derived data; a reference or NULL. Cheap when there are none. */
struct tacet_channel *tacet_channel_of_reader(struct file *file);
/*
 * Tells whether the current process could still take derived data from a channel: it
 * holds the reading end of one, or a listening socket.
 */
bool tacet_channel_held(void);
/* Tells whether it holds the reading end of one now. */
bool tacet_channel_gives(void);
void tacet_channel_put(struct tacet_channel *channel);
struct tacet_labelset *tacet_channel_label(struct tacet_channel *channel);
/* Returns the origin of the channel's last data with the current task, its reader, as the end of the chain; a reference or NULL. */
struct tacet_origin *tacet_channel_origin(struct tacet_channel *channel);
/* tacet_origin_source() of that. */
u64 tacet_channel_source(struct tacet_channel *channel);

/*
 * @length bytes are about to be written to @file; @scrubbed is what the doppelganger
 * would write (NULL or another length: unknown, scrubbed generically when read).
 * @set NULL: the data is the same in both; needed as soon as the channel has derived
 * data. Makes every reader watched, also those blocked in a read. Returns the
 * channel (a reference) for tacet_channel_wrote(), NULL when there is nothing to
 * follow, ERR_PTR when its reader cannot be found or watched.
 */
struct tacet_channel *tacet_channel_write(struct file *file, struct tacet_labelset *set, struct tacet_origin *origin,
					  const u8 *data, const u8 *scrubbed, size_t length);
/* The doppelganger wrote another length, or nobody knows what it would have written. */
void tacet_channel_differs_in_length(struct tacet_channel *channel);
/* @result bytes of @length really went in. Drops the reference. */
void tacet_channel_wrote(struct tacet_channel *channel, size_t length, long result);

/* Tells whether a task that reads @file to its end learns something derived: how much data there was. */
bool tacet_channel_length_derived(struct file *file);

/* The reader has taken @length bytes: replaces @data by what the doppelganger gets. */
void tacet_channel_read(struct tacet_channel *channel, u8 *data, size_t length, bool peek);

#endif
