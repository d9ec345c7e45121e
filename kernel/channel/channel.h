/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pipes, sockets and terminals that hold derived data. A channel has their label. It also has the bytes
 * that the writer's doppelganger would have written, for the reader's.
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

/*
 * Returns a reference to the channel that is read from @file if it has derived data, or NULL. It is
 * cheap when there are no channels.
 */
struct tacet_channel *tacet_channel_of_reader(struct file *file);
/*
 * Tells whether the current process could still take derived data from a channel. That is so if it
 * holds the reading end of one, or a listening socket.
 */
bool tacet_channel_held(void);
/* Tells whether the current process holds the reading end of a channel now. */
bool tacet_channel_gives(void);
void tacet_channel_put(struct tacet_channel *channel);
struct tacet_labelset *tacet_channel_label(struct tacet_channel *channel);
/*
 * Returns the origin of the channel's last data, with the current task, its reader, as the end of the
 * chain. Returns a reference or NULL.
 */
struct tacet_origin *tacet_channel_origin(struct tacet_channel *channel);
/* Returns tacet_origin_source() of the channel's last data. */
u64 tacet_channel_source(struct tacet_channel *channel);

/*
 * @length bytes are about to be written to @file. @scrubbed are the bytes that the doppelganger would
 * write. If @scrubbed is NULL or has another length, the bytes are scrubbed generically when they are
 * read. @set is NULL if the data is the same in both halves. Such data counts as soon as the channel
 * has derived data.
 *
 * Makes every reader watched, also readers that are blocked in a read. Returns a reference to the
 * channel for tacet_channel_wrote(). Returns NULL when there is nothing to follow, ERR_PTR when its
 * reader cannot be found or watched.
 */
struct tacet_channel *tacet_channel_write(struct file *file, struct tacet_labelset *set, struct tacet_origin *origin,
					  const u8 *data, const u8 *scrubbed, size_t length);
/* Notes that the doppelganger wrote another length, or that nobody knows what it would have written. */
void tacet_channel_differs_in_length(struct tacet_channel *channel);
/* Notes that @result bytes of @length really went in. Drops the reference. */
void tacet_channel_wrote(struct tacet_channel *channel, size_t length, long result);

/* Tells whether a task that reads @file to its end learns derived data, because the amount of data is derived. */
bool tacet_channel_length_derived(struct file *file);

/* The reader has taken @length bytes. Replaces @data by the bytes that the doppelganger gets. */
void tacet_channel_read(struct tacet_channel *channel, u8 *data, size_t length, bool peek);

#endif
