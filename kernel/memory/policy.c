// SPDX-License-Identifier: GPL-2.0-only
/* Whose freed memory is cleared, as the person has decided. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>

#include "memory/cache.h"
#include "memory/chosen.h"
#include "memory/clear.h"
#include "memory/layer.h"
#include "memory/owner.h"
#include "memory/policy.h"
#include "memory/round.h"
#include "uapi/tacet.h"

/* Serialises changes, and is taken before the locks of the parts. */
static DEFINE_MUTEX(policy_lock);
static enum tacet_memory_scope scope = TACET_MEMORY_OFF;

static bool clears_cache(enum tacet_memory_scope of_scope, u32 of_layers)
{
	return of_scope != TACET_MEMORY_OFF && of_layers & TACET_LAYER_PAGES;
}

static int change(enum tacet_memory_scope to, u32 layers)
{
	int error = tacet_cache_policy(clears_cache(to, layers));

	lockdep_assert_held(&policy_lock);
	if (!error)
		error = tacet_page_clear_policy(to != TACET_MEMORY_OFF, to == TACET_MEMORY_EVERYTHING);
	if (!error) {
		WRITE_ONCE(scope, to);
		WRITE_ONCE(tacet_memory_layers, layers);
		tacet_owner_changed();
	} else {
		tacet_cache_policy(clears_cache(scope, tacet_memory_layers));
	}
	return error;
}

/* The processes that ran before are as those that will be started, but for the library. */
static void cover_earlier_memory(void)
{
	lockdep_assert_held(&policy_lock);
	if (!atomic_read(&tacet_owner_count))
		return;
	tacet_page_clear_cover();
	tacet_round_adopt();
}

int tacet_memory_policy_set(const struct tacet_memory_policy *request)
{
	enum tacet_memory_scope scope_before;
	u32 layers_before;
	struct tacet_chosen *chosen;
	int error;

	if (request->scope > TACET_MEMORY_EVERYTHING || request->spared & ~TACET_LAYERS_ALL || request->reserved)
		return -EINVAL;
	chosen = tacet_chosen_copy(u64_to_user_ptr(request->programs),
				   request->scope < TACET_MEMORY_CHOSEN ? 0 : request->programs_size,
				   u64_to_user_ptr(request->library));
	if (IS_ERR(chosen))
		return PTR_ERR(chosen);
	if (request->scope == TACET_MEMORY_OFF) {
		tacet_chosen_free(chosen);
		chosen = NULL;
	}
	mutex_lock(&policy_lock);
	scope_before = scope;
	layers_before = tacet_memory_layers;
	error = change(request->scope, TACET_LAYERS_ALL & ~request->spared);
	if (error) {
		tacet_chosen_free(chosen);
	} else {
		error = tacet_chosen_set(chosen);
		if (error)
			change(scope_before, layers_before);
		else
			cover_earlier_memory();
	}
	mutex_unlock(&policy_lock);
	return error;
}

void tacet_memory_policy_exit(void)
{
	mutex_lock(&policy_lock);
	tacet_chosen_set(NULL);
	change(TACET_MEMORY_OFF, TACET_LAYERS_ALL);
	mutex_unlock(&policy_lock);
}

bool tacet_memory_policy_sensitive(void)
{
	return READ_ONCE(scope) >= TACET_MEMORY_SENSITIVE;
}
