/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of D-Bus that do more than tell somebody something. */
#ifndef _TACET_ENGINE_BUS_H
#define _TACET_ENGINE_BUS_H

#include <linux/types.h>

struct file;
struct tacet_entry;

/*
 * Tells whether the call writes a message for systemd to @file. systemd starts programs with what it is told, and is not
 * followed. A message that cannot be read counts as one. Sleeps.
 */
bool tacet_bus_orders_a_program(const struct tacet_entry *entry, struct file *file);

#endif
