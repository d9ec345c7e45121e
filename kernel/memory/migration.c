// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compaction takes its target pages from the free lists without an event of the allocator. Every way of
 * moving a folio goes through folio_migrate_flags().
 */
#include <linux/ftrace.h>
#include <linux/migrate.h>
#include <linux/mm.h>

#include "memory/mark.h"
#include "memory/migration.h"

static void notrace copy_marks(unsigned long ip, unsigned long parent, struct ftrace_ops *operations,
			       struct ftrace_regs *regs)
{
	struct folio *target = (struct folio *)ftrace_regs_get_argument(regs, 0);
	struct folio *source = (struct folio *)ftrace_regs_get_argument(regs, 1);
	unsigned long count = min(folio_nr_pages(target), folio_nr_pages(source)), i;

	/* The target may have a mark of whoever allocated it. */
	tacet_page_mark_set_range(folio_page(target, 0), count, TACET_OWNER_NONE);
	for (i = 0; i < count; i++)
		tacet_page_mark_set(folio_page(target, i), tacet_page_mark_get(folio_page(source, i)));
}

/* With PERMANENT, ftrace_enabled=0 cannot switch the hook off. */
static struct ftrace_ops operations = {
	.func = copy_marks,
	.flags = FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_DYNAMIC | FTRACE_OPS_FL_RECURSION,
};

int tacet_page_migration_follow(void)
{
	return register_ftrace_function(&operations);
}

/* Waits until nobody is in the function any more. */
void tacet_page_migration_unfollow(void)
{
	unregister_ftrace_function(&operations);
}

int tacet_page_migration_init(void)
{
	return ftrace_set_filter_ip(&operations, (unsigned long)folio_migrate_flags, 0, 1);
}

/* Freeing the filter leaves its address in @operations, so they cannot be registered any more. */
void tacet_page_migration_exit(void)
{
	ftrace_free_filter(&operations);
}
