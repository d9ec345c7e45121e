// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool keeps huge pages that a process gave back, and they are never freed to the allocator. The kernel
 * clears one only before the next process has it. So it is cleared on its way back.
 */
#include <linux/ftrace.h>
#include <linux/hugetlb.h>
#include <linux/mm.h>

#include "base/symbol.h"
#include "memory/clear.h"
#include "memory/huge.h"
#include "memory/owner.h"

/* The hook must not sleep, and pages of 1 GiB take too long to be cleared in one go. */
#define PAGES_MAX (PMD_SIZE / PAGE_SIZE)

static bool (*is_owners)(void);

static void notrace clear_folio(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
				struct ftrace_regs *regs)
{
	struct folio *folio = (struct folio *)ftrace_regs_get_argument(regs, 0);

	if (tacet_owner_possible() && is_owners() && folio_nr_pages(folio) <= PAGES_MAX)
		tacet_page_clear_folio(folio);
}

static struct ftrace_ops operations = {
	.func = clear_folio,
	.flags = FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_DYNAMIC | FTRACE_OPS_FL_RECURSION,
};

int tacet_huge_clear_start(bool (*frees_for_owner)(void))
{
	is_owners = frees_for_owner;
	return tacet_symbols.huge_free ? register_ftrace_function(&operations) : 0;
}

void tacet_huge_clear_stop(void)
{
	if (tacet_symbols.huge_free)
		unregister_ftrace_function(&operations);
}

int tacet_huge_clear_init(void)
{
	return tacet_symbols.huge_free ? ftrace_set_filter_ip(&operations, tacet_symbols.huge_free, 0, 1) : 0;
}

void tacet_huge_clear_exit(void)
{
	ftrace_free_filter(&operations);
}
