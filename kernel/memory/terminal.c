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
/* Of each of the two rings. For each byte that was typed there is a bit, too. */
#define RING_SIZE 4096

/* Terminals whose buffers are to be cleared, with a reference to each. If there are more, they stay as they are. */
static struct tty_struct *due[DUE_MAX];

/**
 * struct ring - a ring of RING_SIZE bytes in struct n_tty_data, by offsets there
 * @head: how many bytes were ever put into it
 * @tail: how many were taken out
 */
struct ring {
	size_t head, tail, bytes;
};

static struct ring typed, echoed;
static bool is_layout_known;

static bool is_due(const struct tty_struct *terminal)
{
	unsigned int i;

	for (i = 0; i < DUE_MAX; i++)
		if (READ_ONCE(due[i]) == terminal)
			return true;
	return false;
}

static void make_due(struct tty_struct *terminal)
{
	unsigned int i;

	if (is_due(terminal))
		return;
	tty_kref_get(terminal);
	for (i = 0; i < DUE_MAX; i++)
		if (!cmpxchg(&due[i], NULL, terminal))
			return;
	tty_kref_put(terminal);
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

/* Both who types and who reads hold the semaphore for reading, while they use the rings. */
static bool clear_rings(struct tty_struct *terminal)
{
	bool done;

	if (!down_write_trylock(&terminal->termios_rwsem))
		return false;
	done = !terminal->disc_data || (clear_ring(terminal->disc_data, &typed) & clear_ring(terminal->disc_data, &echoed));
	up_write(&terminal->termios_rwsem);
	return done;
}

/* The reference keeps the line discipline. A terminal that is being closed has none, and its rings are cleared with it. */
static bool clear_discipline(struct tty_struct *terminal)
{
	struct tty_ldisc *discipline = tty_ldisc_ref(terminal);
	bool done;

	if (!discipline)
		return true;
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

/* Returns how many are to be visited again. */
static unsigned int clear_due(void)
{
	struct tty_struct *terminal;
	unsigned int i, left = 0;

	for (i = 0; i < DUE_MAX; i++) {
		terminal = xchg(&due[i], NULL);
		if (!terminal)
			continue;
		if (!(clear_written(terminal) & clear_discipline(terminal))) {
			make_due(terminal);
			left++;
		}
		tty_kref_put(terminal);
	}
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
	for (i = 0; i < DUE_MAX; i++)
		tty_kref_put(xchg(&due[i], NULL));
}

static int find_ring(struct ring *ring, const char *head, const char *tail, const char *bytes)
{
	return tacet_layout_find("n_tty_data", head, &ring->head) ?: tacet_layout_find("n_tty_data", tail, &ring->tail) ?:
	       tacet_layout_find("n_tty_data", bytes, &ring->bytes);
}

void tacet_terminal_init(void)
{
	is_layout_known = !find_ring(&typed, "read_head", "read_tail", "read_buf") &&
			  !find_ring(&echoed, "echo_head", "echo_tail", "echo_buf") &&
			  round_down(echoed.bytes - typed.bytes, sizeof(long)) == RING_SIZE + RING_SIZE / BITS_PER_BYTE;
	if (!is_layout_known)
		pr_warn("what terminals keep of what was typed is cleared only when they are closed: not found in this kernel\n");
}
