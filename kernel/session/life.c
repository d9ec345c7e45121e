// SPDX-License-Identifier: GPL-2.0-only
/* The beginning and the end of a session: its number, its key, and the maps that know its number. */
#include <linux/cgroup.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "base/cipher.h"
#include "memory/clear.h"
#include "session/life.h"
#include "session/session.h"
#include "session/swap/map.h"

/* Serialises beginning and ending. It is taken before every lock of the maps. */
static DEFINE_MUTEX(life_lock);

static const struct tacet_session_hooks *hooks;

void tacet_session_set_hooks(const struct tacet_session_hooks *theirs)
{
	hooks = theirs;
}

static int prepare_first(void)
{
	int error = tacet_page_clear_start();

	if (error)
		return error;
	error = hooks->install();
	if (error)
		tacet_page_clear_stop();
	return error;
}

static void leave_last(void)
{
	hooks->remove();
	tacet_page_clear_stop();
}

static int begin(struct tacet_private *session)
{
	bool is_first = !tacet_session_any();
	int error = is_first ? prepare_first() : 0;

	lockdep_assert_held(&life_lock);
	if (error)
		return error;
	error = tacet_session_number(session);
	if (error) {
		if (is_first)
			leave_last();
		return error;
	}
	tacet_page_clear_reset(session->owner);
	tacet_swap_map_reset(session->owner);
	tacet_session_publish(session);
	return 0;
}

struct tacet_private *tacet_session_begin(struct cgroup_subsys_state *css)
{
	struct tacet_private *session = kzalloc(sizeof(*session), GFP_KERNEL);
	int error;

	if (!session)
		return ERR_PTR(-ENOMEM);
	refcount_set(&session->references, 1);
	init_rwsem(&session->key_lock);
	session->css = css;
	session->cipher = tacet_cipher_create();
	if (IS_ERR(session->cipher)) {
		error = PTR_ERR(session->cipher);
		goto free_session;
	}
	mutex_lock(&life_lock);
	error = begin(session);
	mutex_unlock(&life_lock);
	if (!error) {
		css_get(css);
		return session;
	}
	tacet_cipher_destroy(session->cipher);
free_session:
	kfree(session);
	return ERR_PTR(error);
}

/*
 * The order matters. First nothing more can be encrypted or entered in a map of slots. Then nobody
 * finds the session, and last the maps are swept. Its number stays taken until the last reference is
 * gone.
 */
void tacet_session_end(struct tacet_private *session)
{
	struct tacet_cipher *cipher;

	mutex_lock(&life_lock);
	down_write(&session->key_lock);
	cipher = session->cipher;
	WRITE_ONCE(session->cipher, NULL);
	up_write(&session->key_lock);
	tacet_cipher_destroy(cipher);
	tacet_page_clear_expect_survivors();
	tacet_session_hide(session);
	tacet_swap_map_forget(session->owner);
	tacet_page_clear_forget(session->owner);
	if (tacet_session_count_down())
		leave_last();
	mutex_unlock(&life_lock);
	tacet_session_put(session);
}
