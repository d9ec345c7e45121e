// SPDX-License-Identifier: GPL-2.0-only
/* Pipes, sockets and terminals that hold derived data. */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/net.h>
#include <linux/pipe_fs_i.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/tty.h>
#include <net/af_unix.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "base/account.h"
#include "base/counter.h"
#include "base/feature.h"
#include "base/inode.h"
#include "base/labelset.h"
#include "base/work.h"
#include "channel/channel.h"
#include "channel/reader.h"
#include "label/origin.h"
#include "label/shadow.h"
#include "sink/receiver.h"
#include "sink/terminal.h"

#define TABLE_BITS 8
/* For each user. */
#define CHANNELS_MAX 4096
/* Up to this many bytes of the doppelganger's are kept for the reader. Reads beyond are scrubbed generically. */
#define SCRUBBED_MAX (1 << 20)
#define SWEEP_INTERVAL (10 * HZ)

/*
 * The receiving end of a pipe, socket or pseudo-terminal, once derived data went into it. It holds its
 * pipe inode, socket or terminal, so that the address stays unique.
 */
struct tacet_channel {
	refcount_t references;
	struct rcu_head rcu;
	struct hlist_node node;
	struct hlist_node sweep_node;
	const void *key;
	kuid_t user;	     /* who answers for it in the account */
	struct inode *inode; /* the pipe's, which @hold keeps, or NULL */
	struct tacet_inode_hold *hold;
	bool pinned;	   /* @inode is, as @hold went while the pipe was open; table_lock until the channel is freed */
	struct sock *sock; /* a reference, or NULL */
	struct tty_struct *terminal; /* the master end, a reference, or NULL */
	/* The lock guards all fields below. */
	struct mutex lock;
	struct tacet_labelset *set;
	struct tacet_origin *origin;
	/* No task that reads from the channel has been found yet. */
	bool unwatched;
	/* The amount of data is derived as well, not only its content. */
	bool length_derived;
	/*
	 * The channel still has this many bytes from before the first derived ones. The number is known
	 * once @counted is set.
	 */
	size_t clean;
	bool counted;
	/* The order was lost, so all reads are scrubbed generically from now on. */
	bool generic;
	u8 *scrubbed;
	size_t length;
	size_t capacity;
};

/* Both kernels export this function, but 7.2 does not declare it in a public header. */
long unix_inq_len(struct sock *sk);

static struct hlist_head table[1 << TABLE_BITS];
static DEFINE_SPINLOCK(table_lock);
static atomic_t channels = ATOMIC_INIT(0);
static TACET_ACCOUNT(account, CHANNELS_MAX);
/* Channels whose file system was shut down. They left the table, whose reference they have still. */
static HLIST_HEAD(shut_down);
static struct delayed_work sweep_work;

static struct hlist_head *bucket_of(const void *key)
{
	return &table[hash_ptr(key, TABLE_BITS)];
}

void tacet_channel_put(struct tacet_channel *channel)
{
	if (!refcount_dec_and_test(&channel->references))
		return;
	if (channel->hold)
		tacet_inode_release(channel->hold);
	if (channel->pinned)
		tacet_inode_unpin(channel->inode);
	if (channel->sock)
		sock_put(channel->sock);
	tty_kref_put(channel->terminal);
	tacet_account_remove(&account, channel->user);
	tacet_origin_put(channel->origin);
	tacet_labelset_put(channel->set);
	kvfree_sensitive(channel->scrubbed, channel->capacity);
	kfree_rcu(channel, rcu);
}

static struct tacet_channel *find(const void *key)
{
	struct tacet_channel *channel;

	rcu_read_lock();
	hlist_for_each_entry_rcu(channel, bucket_of(key), node)
		if (channel->key == key && refcount_inc_not_zero(&channel->references))
			goto unlock;
	channel = NULL;
unlock:
	rcu_read_unlock();
	return channel;
}

struct tacet_channel *tacet_channel_of_reader(struct file *file)
{
	const void *key = atomic_read(&channels) ? tacet_reader_key(file) : NULL;

	return key ? find(key) : NULL;
}

static bool is_channel(const void *key)
{
	struct tacet_channel *channel;
	bool found = false;

	rcu_read_lock();
	hlist_for_each_entry_rcu(channel, bucket_of(key), node)
		found = found || channel->key == key;
	rcu_read_unlock();
	return found;
}

/* The caller holds the lock of the table of files, so nothing may sleep. */
static int gives_derived_data(const void *unused, struct file *file, unsigned int fd)
{
	const void *key = tacet_reader_key(file);

	return key && is_channel(key);
}

static int may_give_derived_data(const void *unused, struct file *file, unsigned int fd)
{
	struct socket *socket = sock_from_file(file);

	return gives_derived_data(NULL, file, fd) || (socket && socket->sk && socket->sk->sk_state == TCP_LISTEN);
}

bool tacet_channel_held(void)
{
	return atomic_read(&channels) && iterate_fd(current->files, 0, may_give_derived_data, NULL);
}

bool tacet_channel_gives(void)
{
	return atomic_read(&channels) && iterate_fd(current->files, 0, gives_derived_data, NULL);
}

struct tacet_labelset *tacet_channel_label(struct tacet_channel *channel)
{
	struct tacet_labelset *set;

	mutex_lock(&channel->lock);
	set = tacet_labelset_get(channel->set);
	mutex_unlock(&channel->lock);
	return set;
}

u64 tacet_channel_source(struct tacet_channel *channel)
{
	u64 source;

	mutex_lock(&channel->lock);
	source = tacet_origin_source(channel->origin);
	mutex_unlock(&channel->lock);
	return source;
}

struct tacet_origin *tacet_channel_origin(struct tacet_channel *channel)
{
	struct tacet_origin *origin;

	mutex_lock(&channel->lock);
	origin = tacet_origin_passed(channel->origin, current);
	mutex_unlock(&channel->lock);
	return origin;
}

/* Tells whether nobody but the module holds the pipe, terminal or socket any more. */
static bool is_orphan(const struct tacet_channel *channel)
{
	if (channel->inode)
		return !channel->inode->i_pipe;
	if (channel->terminal)
		return !READ_ONCE(channel->terminal->count);
	return sock_flag(channel->sock, SOCK_DEAD);
}

static void leave_table(struct tacet_channel *channel, struct hlist_head *list)
{
	lockdep_assert_held(&table_lock);
	hlist_del_init_rcu(&channel->node);
	hlist_add_head(&channel->sweep_node, list);
	atomic_dec(&channels);
}

/*
 * A FIFO's file system is shut down, when nobody has the FIFO open any more. Or the last of its names is
 * gone: some kernels tell so although it is open by another one, with data in it.
 */
static void pipe_gone(void *owner)
{
	struct tacet_channel *channel = owner;

	spin_lock(&table_lock);
	if (READ_ONCE(channel->inode->i_pipe))
		channel->pinned = tacet_inode_pin(channel->inode);
	if (!channel->pinned && !hlist_unhashed(&channel->node))
		leave_table(channel, &shut_down);
	spin_unlock(&table_lock);
	mod_delayed_work(tacet_workqueue, &sweep_work, 0);
}

static void sweep(struct work_struct *work)
{
	struct tacet_channel *channel;
	struct hlist_node *next;
	HLIST_HEAD(orphans);
	unsigned int i;

	spin_lock(&table_lock);
	hlist_move_list(&shut_down, &orphans);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry_safe(channel, next, &table[i], node)
			if (is_orphan(channel))
				leave_table(channel, &orphans);
	spin_unlock(&table_lock);
	hlist_for_each_entry_safe(channel, next, &orphans, sweep_node)
		tacet_channel_put(channel);
	if (atomic_read(&channels))
		queue_delayed_work(tacet_workqueue, &sweep_work, SWEEP_INTERVAL);
}

/*
 * The receiving end of data that is written to a file. It is a socket or terminal with a reference, or
 * the inode of a pipe, which the file keeps.
 */
struct receiver {
	struct inode *inode;
	struct sock *sock;
	struct tty_struct *terminal;
};

static int find_receiver(struct file *file, struct receiver *receiver)
{
	struct socket *socket;

	*receiver = (struct receiver){};
	if (S_ISFIFO(file_inode(file)->i_mode)) {
		receiver->inode = file_inode(file);
		return 0;
	}
	receiver->terminal = tty_kref_get(tacet_terminal_master(file));
	if (receiver->terminal)
		return 0;
	socket = sock_from_file(file);
	receiver->sock = socket && socket->sk ? tacet_receiver_get(socket->sk) : NULL;
	return receiver->sock ? 0 : -EPERM;
}

static const void *key_of(const struct receiver *receiver)
{
	if (receiver->inode)
		return receiver->inode;
	return receiver->terminal ? (const void *)receiver->terminal : receiver->sock;
}

static void put_receiver(struct receiver *receiver)
{
	if (receiver->sock)
		sock_put(receiver->sock);
	tty_kref_put(receiver->terminal);
}

static size_t bytes_in_pipe(struct pipe_inode_info *pipe)
{
	size_t bytes = 0;
	unsigned int i;

	mutex_lock(&pipe->mutex);
	for (i = pipe->tail; i != pipe->head; i++)
		bytes += pipe->bufs[i & (pipe->ring_size - 1)].len;
	mutex_unlock(&pipe->mutex);
	return bytes;
}

static size_t bytes_in_datagrams(struct sock *sock)
{
	struct sk_buff *buffer;
	size_t bytes = 0;

	spin_lock_bh(&sock->sk_receive_queue.lock);
	skb_queue_walk(&sock->sk_receive_queue, buffer) bytes += buffer->len;
	spin_unlock_bh(&sock->sk_receive_queue.lock);
	return bytes;
}

/* Counts the unread bytes. A buffer that was read in part counts with its rest. */
static size_t bytes_in_socket(struct sock *sock)
{
	size_t bytes;

	if (sk_is_tcp(sock)) {
		lock_sock(sock);
		bytes = tcp_inq(sock);
		release_sock(sock);
		return bytes;
	}
	if (sock->sk_type == SOCK_DGRAM)
		return bytes_in_datagrams(sock);
	return sock->sk_family == AF_UNIX ? max(unix_inq_len(sock), 0L) : 0;
}

/*
 * Returns the number of unread bytes when the readers begin to be watched. The bytes that they take
 * from then on are counted. The number must never be too large, or that much of the derived data would
 * not be scrubbed.
 */
static size_t bytes_inside(const struct tacet_channel *channel)
{
	if (channel->terminal)
		return 0;
	return channel->inode ? bytes_in_pipe(channel->inode->i_pipe) : bytes_in_socket(channel->sock);
}

static struct tacet_channel *create(struct receiver *receiver)
{
	struct tacet_channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL_ACCOUNT);
	int error;

	if (!channel)
		return ERR_PTR(-ENOMEM);
	channel->user = tacet_account_user();
	error = tacet_account_add(&account, channel->user);
	if (error)
		goto free;
	if (receiver->inode) {
		channel->hold = tacet_inode_hold(receiver->inode, pipe_gone, channel);
		error = PTR_ERR_OR_ZERO(channel->hold);
		if (error)
			goto remove;
	}
	/* One reference is the table's, the other one the caller's. */
	refcount_set(&channel->references, 2);
	mutex_init(&channel->lock);
	channel->key = key_of(receiver);
	channel->inode = receiver->inode;
	channel->sock = receiver->sock;
	channel->terminal = receiver->terminal;
	/* Carriage returns and echoed keys come between the bytes that were written. */
	channel->generic = channel->terminal;
	channel->unwatched = true;
	*receiver = (struct receiver){};
	return channel;

remove:
	tacet_account_remove(&account, channel->user);
free:
	kfree(channel);
	return ERR_PTR(error);
}

/* Finds the channel or puts a new one into the table. Two writers may come at once. */
static struct tacet_channel *find_or_create(struct receiver *receiver)
{
	struct tacet_channel *channel = find(key_of(receiver)), *other;

	if (channel)
		return channel;
	channel = create(receiver);
	if (IS_ERR(channel))
		return channel;
	spin_lock(&table_lock);
	other = find(channel->key);
	if (!other) {
		hlist_add_head_rcu(&channel->node, bucket_of(channel->key));
		atomic_inc(&channels);
	}
	spin_unlock(&table_lock);
	if (other) {
		refcount_dec(&channel->references);
		tacet_channel_put(channel);
		return other;
	}
	tacet_counter_add(TACET_COUNTER_DERIVED_CHANNELS);
	queue_delayed_work(tacet_workqueue, &sweep_work, SWEEP_INTERVAL);
	return channel;
}

static int add_scrubbed(struct tacet_channel *channel, const u8 *scrubbed, size_t length)
{
	size_t capacity = max_t(size_t, 4096, roundup_pow_of_two(channel->length + length));
	u8 *grown;

	if (channel->length + length > SCRUBBED_MAX)
		return -ENOSPC;
	if (capacity > channel->capacity) {
		grown = kvmalloc(capacity, GFP_KERNEL);
		if (!grown)
			return -ENOMEM;
		memcpy(grown, channel->scrubbed, channel->length);
		kvfree_sensitive(channel->scrubbed, channel->capacity);
		channel->scrubbed = grown;
		channel->capacity = capacity;
	}
	memcpy(channel->scrubbed + channel->length, scrubbed, length);
	channel->length += length;
	return 0;
}

static int add_label(struct tacet_channel *channel, struct tacet_labelset *set, struct tacet_origin *origin)
{
	struct tacet_labelset *merged = tacet_labelset_union(channel->set, set, GFP_KERNEL);

	if (IS_ERR(merged))
		return PTR_ERR(merged);
	tacet_labelset_put(channel->set);
	channel->set = merged;
	if (origin && tacet_origin_source(origin) != tacet_origin_source(channel->origin)) {
		tacet_origin_put(channel->origin);
		channel->origin = tacet_origin_get(origin);
	}
	return 0;
}

/* This happens before the data goes in, as a quick reader must find everything in place. */
static int append(struct tacet_channel *channel, struct tacet_labelset *set, struct tacet_origin *origin,
		  const u8 *data, const u8 *scrubbed, size_t length)
{
	bool found = false;
	int error = 0;

	if (set)
		error = add_label(channel, set, origin);
	if (!error && channel->unwatched) {
		error = tacet_reader_watch(channel->key, channel->sock, channel->set, &found);
		channel->unwatched = !found;
	}
	if (!error && !channel->counted) {
		channel->clean = bytes_inside(channel);
		channel->counted = true;
	}
	if (error)
		return error;
	if (!set)
		scrubbed = data;
	if (!channel->generic && (!scrubbed || add_scrubbed(channel, scrubbed, length)))
		channel->generic = true;
	return 0;
}

struct tacet_channel *tacet_channel_write(struct file *file, struct tacet_labelset *set, struct tacet_origin *origin,
					  const u8 *data, const u8 *scrubbed, size_t length)
{
	struct tacet_channel *channel;
	struct receiver receiver;
	int error;

	if (!set && !atomic_read(&channels))
		return NULL;
	error = find_receiver(file, &receiver);
	if (error)
		return set ? ERR_PTR(error) : NULL;
	channel = set ? find_or_create(&receiver) : find(key_of(&receiver));
	put_receiver(&receiver);
	if (IS_ERR_OR_NULL(channel))
		return channel;
	mutex_lock(&channel->lock);
	error = append(channel, set, origin, data, scrubbed, length);
	mutex_unlock(&channel->lock);
	if (!error)
		return channel;
	tacet_channel_put(channel);
	return ERR_PTR(error);
}

void tacet_channel_differs_in_length(struct tacet_channel *channel)
{
	mutex_lock(&channel->lock);
	channel->length_derived = true;
	mutex_unlock(&channel->lock);
}

bool tacet_channel_length_derived(struct file *file)
{
	struct tacet_channel *channel = tacet_channel_of_reader(file);
	bool derived;

	if (!channel)
		return false;
	mutex_lock(&channel->lock);
	derived = channel->length_derived;
	mutex_unlock(&channel->lock);
	tacet_channel_put(channel);
	return derived;
}

void tacet_channel_wrote(struct tacet_channel *channel, size_t length, long result)
{
	size_t written = max(result, 0L), rest = length - min_t(size_t, written, length);

	mutex_lock(&channel->lock);
	/* The program writes the rest again, or never. */
	if (!channel->generic && rest <= channel->length)
		channel->length -= rest;
	else if (rest)
		channel->generic = true;
	mutex_unlock(&channel->lock);
	tacet_channel_put(channel);
}

void tacet_channel_read(struct tacet_channel *channel, u8 *data, size_t length, bool peek)
{
	size_t clean, known;

	mutex_lock(&channel->lock);
	clean = min(length, channel->clean);
	data += clean;
	length -= clean;
	known = channel->generic ? 0 : min(length, channel->length);
	memcpy(data, channel->scrubbed, known);
	if (!peek) {
		channel->clean -= clean;
		channel->length -= known;
		memmove(channel->scrubbed, channel->scrubbed + known, channel->length);
		if (known < length)
			channel->generic = true;
	}
	mutex_unlock(&channel->lock);
	tacet_shadow_scrub(data + known, length - known);
}

int tacet_channel_init(void)
{
	INIT_DELAYED_WORK(&sweep_work, sweep);
	tacet_feature_set(TACET_FEATURE_CHANNELS, true);
	return 0;
}

void tacet_channel_exit(void)
{
	struct tacet_channel *channel;
	struct hlist_node *next;
	unsigned int i;

	cancel_delayed_work_sync(&sweep_work);
	spin_lock(&table_lock);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry_safe(channel, next, &table[i], node)
			leave_table(channel, &shut_down);
	spin_unlock(&table_lock);
	sweep(&sweep_work.work);
	/* A file system that was shut down meanwhile has queued the work again. */
	cancel_delayed_work_sync(&sweep_work);
}
