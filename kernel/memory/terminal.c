// SPDX-License-Identifier: GPL-2.0-only
/*
 * A terminal keeps what was typed and what was printed after it was read, until it is overwritten: in the buffer of what was
 * written last, and in two rings of its line discipline. A worker clears them in the moment after an owner has read
 * or written. What nobody has read yet stays, and the worker comes again.
 */
#include <linux/poll.h>
#include <linux/rwsem.h>
#include <linux/tty.h>
#include <linux/tty_ldisc.h>
#include <linux/workqueue.h>

#include "base/layout.h"
#include "base/work.h"
#include "memory/terminal.h"

/* Keys come one after the other, and long texts in small parts. */
#define MOMENT (HZ / 10)
#define AGAIN (HZ / 2)
#define DUE_MAX 64
/* What was written at one end may be on its way to the other at the first visit. */
#define VISITS 2
/* The kernel's N_TTY_BUF_SIZE, which newer headers do not have. */
#define RING_SIZE 4096

/**
 * struct due - a terminal whose buffers are to be cleared. If there are more than DUE_MAX, some stay as they are
 * @terminal: has a reference; NULL: the place is free
 * @visits: so often it is to be found without anything that waits there
 */
static struct due {
	struct tty_struct *terminal;
	unsigned int visits;
} due[DUE_MAX];

static DEFINE_SPINLOCK(due_lock);

/**
 * struct ring - a ring of RING_SIZE bytes in struct n_tty_data
 * @head: offset of the number of bytes that were ever put into it
 * @tail: offset of the number of those that were taken out
 * @bytes: offset of the bytes
 */
struct ring {
	size_t head, tail, bytes;
};

static struct ring typed, echoed;
static bool is_layout_known;

/* Returns the place of a terminal, or of NULL a free one, or NULL. */
static struct due *find_due(const struct tty_struct *terminal)
{
	struct due *place;

	lockdep_assert_held(&due_lock);
	for (place = due; place < due + DUE_MAX; place++)
		if (place->terminal == terminal)
			return place;
	return NULL;
}

static void make_due(struct tty_struct *terminal)
{
	struct due *place;

	spin_lock(&due_lock);
	place = find_due(terminal) ?: find_due(NULL);
	if (place && !place->terminal)
		place->terminal = tty_kref_get(terminal);
	if (place)
		place->visits = VISITS;
	spin_unlock(&due_lock);
}

/* Returns whether nothing waits in it. Nobody uses it meanwhile. */
static bool clear_ring(void *discipline, const struct ring *ring)
{
	size_t tail = *(const size_t *)(discipline + ring->tail);
	size_t waiting = *(const size_t *)(discipline + ring->head) - tail, i;
	u8 *bytes = discipline + ring->bytes;

	for (i = waiting; i < RING_SIZE; i++)
		bytes[(tail + i) % RING_SIZE] = 0;
	return !waiting;
}

/*
 * Both who types and who reads hold the semaphore for reading, while they use the rings. Only the echo of keys that are looked at
 * ahead does not. It takes bytes out of its ring, and waits for none.
 */
static bool clear_rings(struct tty_struct *terminal)
{
	bool done;

	if (!down_write_trylock(&terminal->termios_rwsem))
		return false;
	done = true;
	if (terminal->disc_data) {
		done = clear_ring(terminal->disc_data, &typed);
		done = clear_ring(terminal->disc_data, &echoed) && done;
	}
	up_write(&terminal->termios_rwsem);
	return done;
}

/* The reference keeps the line discipline. It may be changing. A terminal that was closed has none, and its rings are gone. */
static bool clear_discipline(struct tty_struct *terminal)
{
	struct tty_ldisc *discipline = tty_ldisc_ref(terminal);
	bool done;

	if (!discipline)
		return !READ_ONCE(terminal->ldisc);
	done = discipline->ops->num != N_TTY || !is_layout_known || clear_rings(terminal);
	tty_ldisc_deref(discipline);
	return done;
}

/* A writer that does not wait may have found the lock taken. So it is woken. */
static bool clear_written(struct tty_struct *terminal)
{
	if (!mutex_trylock(&terminal->atomic_write_lock))
		return false;
	if (terminal->write_buf)
		memset(terminal->write_buf, 0, terminal->write_cnt);
	mutex_unlock(&terminal->atomic_write_lock);
	wake_up_interruptible_poll(&terminal->write_wait, EPOLLOUT);
	return true;
}

/* Returns whether nothing waits there. */
static bool clear_terminal(struct tty_struct *terminal)
{
	bool done = clear_written(terminal);

	return clear_discipline(terminal) && done;
}

/* Returns whether the terminal is to be visited again. Otherwise its place is free. */
static bool visit(struct due *place)
{
	struct tty_struct *terminal = READ_ONCE(place->terminal), *gone = NULL;
	bool done;

	if (!terminal)
		return false;
	done = clear_terminal(terminal);
	spin_lock(&due_lock);
	if (done && !--place->visits)
		swap(gone, place->terminal);
	spin_unlock(&due_lock);
	tty_kref_put(gone);
	return !gone;
}

/* Returns how many are to be visited again. */
static unsigned int clear_due(void)
{
	unsigned int i, left = 0;

	for (i = 0; i < DUE_MAX; i++)
		left += visit(&due[i]);
	return left;
}

static void work_on(struct work_struct *work);
static DECLARE_DELAYED_WORK(clearing, work_on);

static void work_on(struct work_struct *work)
{
	if (clear_due())
		queue_delayed_work(tacet_workqueue, &clearing, AGAIN);
}

void tacet_terminal_clear_soon(struct tty_struct *terminal)
{
	make_due(terminal);
	/* A pseudoterminal has another end. It is there while this one is open. */
	if (terminal->link)
		make_due(terminal->link);
	queue_delayed_work(tacet_workqueue, &clearing, MOMENT);
}

void tacet_terminal_clear_stop(void)
{
	unsigned int i;

	cancel_delayed_work_sync(&clearing);
	clear_due();
	for (i = 0; i < DUE_MAX; i++) {
		tty_kref_put(due[i].terminal);
		due[i].terminal = NULL;
	}
}

/* Between the two rings there is a bit for each byte that was typed. */
static bool has_expected_size(void)
{
	return round_down(echoed.bytes - typed.bytes, sizeof(long)) == RING_SIZE + RING_SIZE / BITS_PER_BYTE;
}

static int find_ring(struct ring *ring, const char *head, const char *tail, const char *bytes)
{
	int error = tacet_layout_find("n_tty_data", head, &ring->head);

	if (!error)
		error = tacet_layout_find("n_tty_data", tail, &ring->tail);
	return error ?: tacet_layout_find("n_tty_data", bytes, &ring->bytes);
}

void tacet_terminal_init(void)
{
	is_layout_known = !find_ring(&typed, "read_head", "read_tail", "read_buf") &&
			  !find_ring(&echoed, "echo_head", "echo_tail", "echo_buf") && has_expected_size();
	if (!is_layout_known)
		pr_warn("what terminals keep of what was typed is cleared only when they are closed: not found in this "
			"kernel\n");
}
