/* SPDX-License-Identifier: GPL-2.0-only */
/* The content of pages that nobody uses any more. */
#ifndef _TACET_MEMORY_CONTENT_H
#define _TACET_MEMORY_CONTENT_H

#include <linux/highmem.h>
#include <linux/mm.h>

/* Works in any context. */
static inline void tacet_content_clear(struct folio *folio)
{
	unsigned long i;

	/* A page with an error is not in the kernel's address space any more. */
	for (i = 0; i < folio_nr_pages(folio); i++)
		if (!PageHWPoison(folio_page(folio, i)))
			clear_highpage(folio_page(folio, i));
}

#endif
