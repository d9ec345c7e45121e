// SPDX-License-Identifier: GPL-2.0-only
/* Finds messages for systemd among those of D-Bus. */
#include <linux/string.h>

#include "base/blob.h"
#include "call/entry.h"
#include "call/marshal.h"
#include "engine/bus.h"
#include "sink/sink.h"

/* The header field DESTINATION (6), a variant of type string, as D-Bus writes it on x86: its length and the name. */
static const char destination[] = "\6\1s\0\30\0\0\0org.freedesktop.systemd1";

static bool contains(const u8 *data, size_t length, const char *wanted, size_t size)
{
	const u8 *at;

	while (length >= size && (at = memchr(data, wanted[0], length - size + 1))) {
		if (!memcmp(at, wanted, size))
			return true;
		length -= at + 1 - data;
		data = at + 1;
	}
	return false;
}

bool tacet_bus_orders_a_program(const struct tacet_entry *entry, struct file *file)
{
	struct tacet_blob blob;
	bool orders;

	if (!tacet_sink_is_bus(file))
		return false;
	tacet_blob_init(&blob);
	orders = tacet_marshal_in(entry->call, entry->args, &blob) ||
		 contains(blob.data + blob.payload_offset, blob.payload_length, destination, sizeof(destination) - 1);
	tacet_blob_release(&blob);
	return orders;
}
