/* SPDX-License-Identifier: GPL-2.0-only */
/* Data leaves the process. */
#ifndef _TACET_ENGINE_OUTPUT_H
#define _TACET_ENGINE_OUTPUT_H

#include <linux/types.h>

struct tacet_entry;

long tacet_output_original(struct tacet_entry *entry);
long tacet_output_tainted(struct tacet_entry *entry);
/* How many bytes a call that only writes is to write; those of another size where memory is not readable. */
size_t tacet_output_length(const struct tacet_entry *entry);

#endif
