// SPDX-License-Identifier: GPL-2.0-only
/*
 * Labels, shadow files, sinks and questions without the engine, through
 * /dev/tacet-parts of tacet_parts.ko. Runs as root, on any file system with
 * trusted attributes. usage: test_parts [DIRECTORY]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include "parts.h"
#include "tap.h"

enum { EXEMPT, LABELLED, CHANNEL, OUTSIDE, KERNEL };

static int control, parts, stream = -1;
static const char *directory = "/tmp";
static const char secret[] = "name salary\nanna\t1234\n";
static const char scrubbed[] = "xxxx xxxxxx\nxxxx\txxxx\n";

static int make_file(const char *name, const char *content)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, content, strlen(content)) != (ssize_t)strlen(content) || lseek(fd, 0, SEEK_SET))
		tap_bail(path);
	return fd;
}

static void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	unlink(path);
}

static int set_label(int fd, unsigned int category, int shadow)
{
	struct tacet_label_file request = {
		.fd = fd, .shadow_fd = shadow, .label = { .count = !!category, .categories = { category } },
	};

	return ioctl(control, TACET_IOC_LABEL_SET, &request);
}

static struct parts_label label_of(int fd)
{
	struct parts_label request = { .fd = fd };

	if (ioctl(parts, PARTS_LABEL_OF, &request))
		tap_bail("PARTS_LABEL_OF");
	return request;
}

static int derive(int fd, unsigned int category)
{
	struct parts_label request = { .fd = fd, .label = { .count = 1, .categories = { category } } };

	return ioctl(parts, PARTS_LABEL_DERIVE, &request);
}

/* How many reads have asked the engine since the last call; @answer from now on. */
static long reads(int answer)
{
	struct parts_reads request = { .answer = answer };

	if (ioctl(parts, PARTS_READS, &request))
		tap_bail("PARTS_READS");
	return request.count;
}

static void test_reads(void)
{
	int fd = make_file("read", secret), before = dup(fd), other, sink = open("/dev/null", O_WRONLY), pipes[2];
	char data[64], path[64];
	struct iovec vector = { data, sizeof(data) };
	loff_t offset = 0;
	void *mapping;

	reads(0);
	pread(fd, data, sizeof(data), 0);
	tap_equal(reads(0), 0, "a file without a label raises nothing");
	other = open("/dev/null", O_RDONLY);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	close(other);
	other = open(path, O_RDONLY);
	tap_equal(set_label(fd, 5, -1), 0, "label a file that is open");
	pread(fd, data, sizeof(data), 0);
	tap_equal(reads(0), 1, "pread on the descriptor that labelled it");
	read(before, data, 1);
	tap_equal(reads(0), 1, "read on a duplicate");
	read(other, data, 1);
	tap_equal(reads(0), 1, "read on a file that was open before");
	readv(other, &vector, 1);
	preadv(other, &vector, 1, 0);
	preadv2(other, &vector, 1, 0, 0);
	tap_equal(reads(0), 3, "readv, preadv, preadv2");
	close(other);
	other = open(path, O_RDONLY);
	sendfile(sink, other, NULL, 4);
	tap_equal(reads(0), 1, "sendfile");
	if (pipe(pipes))
		tap_bail("pipe");
	splice(other, NULL, pipes[1], NULL, 4, 0);
	tap_equal(reads(0), 1, "splice");
	sink = make_file("copy", "");
	copy_file_range(other, &offset, sink, NULL, 4, 0);
	tap_ok(reads(0) >= 1, "copy_file_range");
	mapping = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, other, 0);
	tap_ok(*(volatile char *)mapping == secret[0] && !reads(0), "a mapping raises nothing, that is another hook's");
	munmap(mapping, 4096);
	reads(-EPERM);
	tap_errno(pread(other, data, 4, 0), EPERM, "what the engine answers is what the call returns");
	reads(0);
	close(sink);
	close(pipes[0]);
	close(pipes[1]);
	set_label(fd, 0, -1);
	pread(other, data, 4, 0);
	tap_equal(reads(0), 0, "without its label it raises nothing again");
	close(fd);
	close(other);
	close(before);
	remove_file("read");
	remove_file("copy");
}

/* A file that another process has open, with descriptors of its own, as it is labelled. */
static void test_open_elsewhere(void)
{
	int fd = make_file("elsewhere", secret), ready[2], go[2], status;
	char path[256], byte = 0;
	pid_t child;

	snprintf(path, sizeof(path), "%s/elsewhere", directory);
	if (pipe(ready) || pipe(go))
		tap_bail("pipe");
	child = fork();
	if (!child) {
		int own = open(path, O_RDONLY);

		if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1)
			_exit(2);
		_exit(pread(own, path, 4, 0) == 4 ? 0 : 1);
	}
	read(ready[0], &byte, 1);
	set_label(fd, 5, -1);
	reads(0);
	write(go[1], &byte, 1);
	waitpid(child, &status, 0);
	tap_equal(status, 0, "another process reads a file that it had open");
	tap_equal(reads(0), 1, "and that raises the event");
	set_label(fd, 0, -1);
	close(fd);
	remove_file("elsewhere");
	close(ready[0]), close(ready[1]), close(go[0]), close(go[1]);
}

static int spinning = 1;

static void *open_and_close(void *path)
{
	while (__atomic_load_n(&spinning, __ATOMIC_RELAXED)) {
		int fd = open(path, O_RDONLY);

		close(fd);
	}
	return NULL;
}

static void *keep_opening(void *path)
{
	static int fds[200];
	int i;

	for (i = 0; i < 200; i++)
		fds[i] = open(path, O_RDONLY | O_CLOEXEC);
	return fds;
}

/* Opens race with the labelling: after the second look all of them raise the event. */
static void test_open_race(void)
{
	pthread_t thread, noise;
	char path[256], byte;
	int fd, i, round, missed = 0, *fds;

	snprintf(path, sizeof(path), "%s/race", directory);
	for (round = 0; round < 10; round++) {
		fd = make_file("race", secret);
		__atomic_store_n(&spinning, 1, __ATOMIC_RELAXED);
		pthread_create(&noise, NULL, open_and_close, path);
		pthread_create(&thread, NULL, keep_opening, path);
		usleep(100 * round);
		set_label(fd, 5, -1);
		pthread_join(thread, (void **)&fds);
		__atomic_store_n(&spinning, 0, __ATOMIC_RELAXED);
		pthread_join(noise, NULL);
		usleep(600000);
		reads(0);
		for (i = 0; i < 200; i++)
			pread(fds[i], &byte, 1, 0);
		missed += reads(0) != 200;
		for (i = 0; i < 200; i++)
			close(fds[i]);
		set_label(fd, 0, -1);
		close(fd);
	}
	tap_equal(missed, 0, "files that are opened during labelling raise the event");
	remove_file("race");
}

/* Labelling what runs must not upset the count that says so. */
static void test_executable(void)
{
	char path[256], command[600];
	int fd, status;
	pid_t child;

	snprintf(path, sizeof(path), "%s/program", directory);
	snprintf(command, sizeof(command), "cp /usr/bin/sleep %s && chmod 755 %s", path, path);
	if (system(command))
		tap_bail(command);
	child = fork();
	if (!child) {
		execl(path, "sleep", "30", NULL);
		_exit(2);
	}
	usleep(300000);
	fd = open(path, O_RDONLY);
	tap_errno(open(path, O_WRONLY), ETXTBSY, "a running program cannot be written");
	tap_equal(set_label(fd, 5, -1), 0, "it can be labelled");
	usleep(500000);
	tap_errno(open(path, O_WRONLY), ETXTBSY, "it still cannot be written");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	usleep(100000);
	close(open(path, O_WRONLY));
	status = open(path, O_WRONLY);
	tap_ok(status >= 0, "it can when it has ended");
	close(status);
	set_label(fd, 0, -1);
	close(fd);
	unlink(path);
}

static void test_label_of(void)
{
	int fd = make_file("of", secret), plain = make_file("plain", secret);
	struct tacet_reopen request = { .fd = fd };
	struct parts_label label;
	int again;

	set_label(fd, 7, -1);
	label = label_of(fd);
	tap_ok(label.armed && label.label.count == 1 && label.label.categories[0] == 7, "the label of a labelled file");
	label = label_of(plain);
	tap_ok(!label.armed && !label.label.count, "of another one");
	again = ioctl(control, TACET_IOC_REOPEN, &request);
	label = label_of(again);
	tap_ok(!label.armed && !label.label.count, "of a reopened one");
	reads(0);
	pread(again, &label, 4, 0);
	tap_equal(reads(0), 0, "which raises nothing when it is read");
	set_label(fd, 0, -1);
	close(again);
	close(fd);
	close(plain);
	remove_file("of");
	remove_file("plain");
}

static struct tacet_notice next_notice(int reader)
{
	static union {
		struct tacet_event event;
		struct tacet_notice notice;
		char bytes[sizeof(struct tacet_question)];
	} record;

	memset(&record, 0, sizeof(record));
	if (read(reader, &record, sizeof(record)) <= 0)
		record.event.type = 0;
	return record.notice;
}

static void test_derive(void)
{
	int reader = open(TACET_DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int fd = make_file("derived", secret), status;
	unsigned char disk[64];
	struct tacet_notice notice;
	struct stat stat;
	char path[256];
	pid_t child;

	snprintf(path, sizeof(path), "%s/derived", directory);
	while (next_notice(reader).event.type)
		;
	tap_equal(derive(fd, 9), 0, "a derived label");
	tap_equal(label_of(fd).label.categories[0], 9, "is there");
	tap_equal(fgetxattr(fd, TACET_LABEL_XATTR, disk, sizeof(disk)), 16, "and on disk");
	notice = next_notice(reader);
	tap_equal(notice.event.type, TACET_EVENT_LABELLED, "the daemon is told");
	fstat(fd, &stat);
	tap_ok(notice.device == stat.st_dev && notice.inode == stat.st_ino, "which file");
	tap_ok(!strcmp(notice.path, path), "its path");
	tap_ok(notice.label.count == 1 && notice.label.categories[0] == 9 && notice.pid == (unsigned)getpid(), "and more");
	tap_equal(derive(fd, 9), 0, "the same again");
	tap_equal(next_notice(reader).event.type, 0, "is nothing new");
	tap_equal(derive(fd, 3), 0, "another category");
	tap_ok(label_of(fd).label.count == 2 && label_of(fd).label.categories[0] == 3, "is added");
	tap_equal(fgetxattr(fd, TACET_LABEL_XATTR, disk, sizeof(disk)), 24, "on disk too");
	tap_equal(next_notice(reader).event.type, TACET_EVENT_LABELLED, "the daemon is told of the union");

	child = fork();
	if (!child) {
		if (fchown(fd, 1000, 1000) || setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			_exit(2);
		if (fgetxattr(fd, TACET_LABEL_XATTR, disk, sizeof(disk)) != -1)
			_exit(3);
		_exit(derive(fd, 4) ? 1 : 0);
	}
	waitpid(child, &status, 0);
	tap_equal(status, 0, "an unprivileged task derives a label that it cannot see");
	tap_equal(fgetxattr(fd, TACET_LABEL_XATTR, disk, sizeof(disk)), 32, "on disk");
	notice = next_notice(reader);
	tap_ok(notice.event.type == TACET_EVENT_LABELLED && notice.uid == 1000, "the daemon is told who it was");

	set_label(fd, 0, -1);
	fsetxattr(fd, TACET_LABEL_XATTR, "\1\0\0\0\1\0\0\0\6\0\0\0\0\0\0", 16, 0);
	tap_equal(derive(fd, 9), 0, "a label on disk that is not armed");
	tap_equal(label_of(fd).label.count, 2, "is not lost");
	set_label(fd, 0, -1);
	fsetxattr(fd, TACET_LABEL_XATTR, "\1\0\0\0\1\0\0\0\6", 9, 0);
	tap_errno(derive(fd, 9), EUCLEAN, "a corrupt one is an error");
	tap_errno(derive(parts, 9), EOPNOTSUPP, "a device cannot be labelled");
	fremovexattr(fd, TACET_LABEL_XATTR);
	close(fd);
	remove_file("derived");
	close(reader);
}

/* A volume with small inodes and not a free block: an attribute finds no room. */
static void test_full_disk(void)
{
	char block[4096] = "x";
	int fd, filler;

	if (system("modprobe loop && truncate -s 4M /tmp/full.image && mke2fs -F -I 128 -m 0 /tmp/full.image >/dev/null && "
		   "mkdir -p /tmp/full && mount -t ext4 -o loop /tmp/full.image /tmp/full")) {
		tap_skip("a full disk", "no mke2fs here");
		return;
	}
	fd = open("/tmp/full/file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	filler = open("/tmp/full/filler", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	while (write(filler, block, sizeof(block)) > 0)
		;
	while (write(filler, block, 512) > 0)
		;
	fsync(filler);
	tap_errno(set_label(fd, 5, -1), ENOSPC, "a full disk keeps no label");
	tap_ok(!label_of(fd).armed, "and the file does not trigger");
	tap_errno(derive(fd, 5), ENOSPC, "a derived label does not fit either");
	tap_ok(label_of(fd).armed, "but then the file triggers");
	tap_errno(derive(fd, 5), ENOSPC, "and the next time it is an error again");
	ftruncate(filler, 0);
	fsync(filler);
	tap_equal(derive(fd, 5), 0, "until there is room");
	tap_equal(fgetxattr(fd, TACET_LABEL_XATTR, block, sizeof(block)), 16, "and it is on disk");
	close(filler);
	close(fd);
	tap_equal(umount("/tmp/full"), 0, "the volume can be unmounted");
	unlink("/tmp/full.image");
}

static void test_stale(void)
{
	int reader = open(TACET_DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC), status, other;
	int fd = make_file("stale", secret), shadow = make_file("shadow", scrubbed);
	struct tacet_notice notice;
	char path[256];

	snprintf(path, sizeof(path), "%s/stale", directory);
	while (next_notice(reader).event.type)
		;
	set_label(fd, 5, shadow);
	close(open(path, O_RDWR));
	tap_equal(next_notice(reader).event.type, 0, "closed without a change: the shadow file is not stale");
	usleep(20000);
	other = open(path, O_WRONLY);
	write(other, "N", 1);
	tap_equal(next_notice(reader).event.type, 0, "nothing is told while it is being written");
	close(other);
	notice = next_notice(reader);
	tap_ok(notice.event.type == TACET_EVENT_STALE && !strcmp(notice.path, path), "a changed file is told when it is closed");
	other = open(path, O_WRONLY);
	write(other, "n", 1);
	close(other);
	tap_equal(next_notice(reader).event.type, 0, "once");
	set_label(fd, 5, shadow);
	usleep(20000);
	/* The last close happens as the process exits, when it has no root directory any more. */
	if (!fork()) {
		other = open(path, O_WRONLY);
		write(other, "N", 1);
		_exit(0);
	}
	wait(&status);
	notice = next_notice(reader);
	tap_ok(notice.event.type == TACET_EVENT_STALE && strstr(notice.path, "stale"), "again after a new shadow file, by an exiting task");
	set_label(fd, 0, -1);
	close(fd);
	close(shadow);
	remove_file("stale");
	remove_file("shadow");
	close(reader);
}

static int shadow_read(int fd, char *data, unsigned int size, unsigned long long position)
{
	struct parts_shadow request = {
		.fd = fd, .size = size, .position = position, .data = (unsigned long)data,
	};

	return ioctl(parts, PARTS_SHADOW_READ, &request);
}

static void test_shadow_read(void)
{
	int fd = make_file("original", secret), shadow = make_file("shadow", "name salary\nXXXX\t0000\n"), direct;
	static char data[300000], large[300000];
	char path[256];
	unsigned int i, wrong = 0;

	snprintf(path, sizeof(path), "%s/original", directory);
	set_label(fd, 5, -1);
	reads(0);
	tap_equal(shadow_read(fd, data, strlen(secret), 0), 0, "read scrubbed");
	tap_ok(!memcmp(data, scrubbed, strlen(secret)), "each byte is an x, white space stays");
	tap_equal(shadow_read(fd, data, 4, 12), 0, "somewhere inside");
	tap_ok(!memcmp(data, scrubbed + 12, 4), "too");
	tap_equal(shadow_read(fd, data, 40, 12), 0, "beyond the end");
	for (i = 10; i < 40; i++)
		wrong += data[i] != 'x';
	tap_equal(wrong, 0, "are x");
	tap_errno(shadow_read(fd, data, 4, -1ULL), EINVAL, "a negative position");
	direct = open(path, O_RDONLY | O_DIRECT);
	if (direct >= 0)
		tap_ok(!shadow_read(direct, data, 7, 3) && !memcmp(data, scrubbed + 3, 7), "an O_DIRECT file");
	else
		tap_skip("an O_DIRECT file", "not here");
	close(direct);
	tap_equal(reads(0), 0, "no event was raised");

	tap_equal(set_label(fd, 5, shadow), 0, "with a shadow file");
	tap_ok(!shadow_read(fd, data, 22, 0) && !memcmp(data, "name salary\nXXXX\t0000\n", 22), "that is read");
	usleep(20000);
	pwrite(fd, "Name", 4, 0);
	tap_ok(!shadow_read(fd, data, 22, 0) && !memcmp(data, scrubbed, 22), "not any more when the file has changed");

	for (i = 0; i < sizeof(large); i++)
		large[i] = i % 101 ? 'a' + i % 26 : '\n';
	pwrite(fd, large, sizeof(large), 0);
	tap_equal(shadow_read(fd, data, sizeof(data), 0), 0, "much at once");
	for (i = wrong = 0; i < sizeof(large); i++)
		wrong += data[i] != (i % 101 ? 'x' : '\n');
	tap_equal(wrong, 0, "is scrubbed");
	set_label(fd, 0, -1);
	close(fd);
	close(shadow);
	remove_file("original");
	remove_file("shadow");
}

static sigjmp_buf *escape;

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(*escape, 1);
}

/* Whether reading @address ends with SIGBUS. */
static int faults(const volatile char *address)
{
	struct sigaction action = { .sa_handler = on_fault }, old;
	sigjmp_buf here;
	int fault = 0;

	escape = &here;
	sigaction(SIGBUS, &action, &old);
	if (sigsetjmp(here, 1))
		fault = 1;
	else
		(void)*address;
	sigaction(SIGBUS, &old, NULL);
	return fault;
}

static void test_shadow_view(void)
{
	int fd = make_file("view", secret), view, status;
	char data[64] = "", page[4096], *mapping;
	unsigned int i, wrong = 0;

	memset(page, 'S', sizeof(page));
	pwrite(fd, page, sizeof(page), 4096);
	pwrite(fd, "tail", 4, 8192);
	set_label(fd, 5, -1);
	reads(0);
	view = ioctl(parts, PARTS_SHADOW_OPEN, fd);
	tap_ok(view >= 0, "open a view");
	tap_ok(read(view, data, 22) == 22 && !memcmp(data, scrubbed, 22), "read it");
	tap_ok(pread(view, data, 64, 8192) == 4 && !memcmp(data, "xxxx", 4), "at the end");
	tap_equal(pread(view, data, 4, 9000), 0, "and beyond");
	tap_equal(lseek(view, 0, SEEK_END), 8196, "its end");
	tap_errno(write(view, data, 1), EBADF, "no writing");

	mapping = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, view, 0);
	tap_ok(mapping != MAP_FAILED, "map it");
	close(view);
	tap_ok(!memcmp(mapping, scrubbed, 22), "the first page");
	for (i = 22; i < 4096; i++)
		wrong += mapping[i] != 'x';
	tap_equal(wrong, 0, "zero bytes of the original are scrubbed as others are");
	tap_ok(mapping[4096] == 'x' && mapping[8191] == 'x', "the second");
	tap_ok(!memcmp(mapping + 8192, "xxxx", 4) && !mapping[8196] && !mapping[3 * 4096 - 1], "zero after the end");
	tap_ok(faults(mapping + 3 * 4096), "SIGBUS in the page after");
	mapping[4096] = 'y';
	if (!fork()) {
		wrong = mapping[4096] != 'y' || mapping[1] != 'x' || mapping[8192] != 'x';
		mapping[4096] = 'z';
		mapping[0] = 'q';
		_exit(wrong || mapping[0] != 'q' || mapping[4097] != 'x');
	}
	wait(&status);
	tap_ok(!status && mapping[4096] == 'y' && mapping[0] == 'x', "private over fork");
	madvise(mapping, 4096, MADV_DONTNEED);
	tap_equal(mapping[0], 'x', "faulted in again");
	mapping = mremap(mapping, 4 * 4096, 8 * 4096, MREMAP_MAYMOVE);
	tap_ok(mapping != MAP_FAILED && mapping[4096] == 'y' && mapping[8192] == 'x', "moved and grown");
	tap_equal(mlock(mapping, 3 * 4096), 0, "locked");
	munmap(mapping, 8 * 4096);
	tap_equal(reads(0), 0, "no event was raised");
	tap_ok(pread(fd, data, 4, 0) == 4 && !memcmp(data, secret, 4), "the original is as it was");
	set_label(fd, 0, -1);
	close(fd);
	remove_file("view");
}

static void test_shadow_open(void)
{
	int fd = make_file("original", secret), shadow = make_file("shadow", "name salary\nXXXX\t0000\n"), opened;
	char data[64];

	set_label(fd, 5, shadow);
	opened = ioctl(parts, PARTS_SHADOW_OPEN, fd);
	tap_ok(read(opened, data, 64) == 22 && !memcmp(data + 12, "XXXX", 4), "the daemon's shadow file");
	tap_equal(fcntl(opened, F_GETFL) & O_ACCMODE, O_RDONLY, "is opened read-only");
	close(opened);
	ftruncate(shadow, 3);
	opened = ioctl(parts, PARTS_SHADOW_OPEN, fd);
	tap_ok(read(opened, data, 64) == 22 && !memcmp(data, scrubbed, 22), "one that is too short is not mapped");
	close(opened);
	set_label(fd, 0, -1);
	close(fd);
	close(shadow);
	remove_file("original");
	remove_file("shadow");
}

static struct parts_sink classify_to(int fd, const void *address, unsigned int length)
{
	struct parts_sink request = { .fd = fd, .address_length = length };

	if (length)
		memcpy(request.address, address, length);
	if (ioctl(parts, PARTS_SINK, &request))
		tap_bail("PARTS_SINK");
	return request;
}

static void expect_sink(int fd, unsigned int class, unsigned int sink, const char *name)
{
	struct parts_sink got;

	if (fd < 0) {
		tap_skip(name, strerror(errno));
		return;
	}
	got = classify_to(fd, NULL, 0);
	if (!tap_ok(got.class == class && got.sink == sink, "sink: %s", name))
		printf("# class %u sink %u, wanted %u %u\n", got.class, got.sink, class, sink);
	close(fd);
}

static void test_sink_files(void)
{
	int pipes[2], pair[2];
	sigset_t none;
	char path[64];

	sigemptyset(&none);
	expect_sink(make_file("sink", ""), LABELLED, 0, "a regular file");
	remove_file("sink");
	expect_sink(memfd_create("sink", 0), LABELLED, 0, "a memfd");
	expect_sink(open("/dev/shm/sink", O_RDWR | O_CREAT, 0600), LABELLED, 0, "shared memory");
	unlink("/dev/shm/sink");
	expect_sink(open("/proc/self/comm", O_RDWR), KERNEL, 0, "/proc/self/comm");
	expect_sink(open("/proc/self/mem", O_RDWR), KERNEL, 0, "/proc/self/mem");
	snprintf(path, sizeof(path), "/proc/%d/mem", getppid());
	expect_sink(open(path, O_RDWR), OUTSIDE, TACET_SINK_OTHER, "another process's memory");
	expect_sink(open("/sys/class/net/lo/mtu", O_RDWR), KERNEL, 0, "sysfs");
	expect_sink(open("/sys/fs/cgroup/cgroup.procs", O_RDWR), KERNEL, 0, "cgroup");
	expect_sink(open("/sys/kernel/tracing/trace_marker", O_WRONLY), KERNEL, 0, "tracefs");
	if (pipe(pipes))
		tap_bail("pipe");
	expect_sink(pipes[1], CHANNEL, 0, "a pipe");
	close(pipes[0]);
	mkfifo("/tmp/fifo", 0600);
	expect_sink(open("/tmp/fifo", O_RDWR), CHANNEL, 0, "a FIFO");
	unlink("/tmp/fifo");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		tap_bail("socketpair");
	expect_sink(pair[0], CHANNEL, 0, "a socket pair");
	close(pair[1]);
	expect_sink(eventfd(0, 0), KERNEL, 0, "eventfd");
	expect_sink(timerfd_create(CLOCK_MONOTONIC, 0), KERNEL, 0, "timerfd");
	expect_sink(signalfd(-1, &none, 0), KERNEL, 0, "signalfd");
	expect_sink(epoll_create1(0), KERNEL, 0, "epoll");
	expect_sink(inotify_init(), KERNEL, 0, "inotify");
	expect_sink(open("/dev/null", O_WRONLY), EXEMPT, 0, "/dev/null");
	expect_sink(open("/dev/full", O_WRONLY), EXEMPT, 0, "/dev/full");
	expect_sink(open("/dev/urandom", O_WRONLY), EXEMPT, 0, "/dev/urandom");
	expect_sink(open("/dev/ptmx", O_RDWR | O_NOCTTY), EXEMPT, 0, "a pseudo-terminal");
	expect_sink(open("/dev/ttyS3", O_RDWR | O_NONBLOCK | O_NOCTTY), OUTSIDE, TACET_SINK_DEVICE, "a serial line");
	expect_sink(open("/dev/vda", O_RDWR), OUTSIDE, TACET_SINK_DEVICE, "a disk");
	expect_sink(open("/dev/mem", O_RDWR), OUTSIDE, TACET_SINK_DEVICE, "/dev/mem");
	expect_sink(open(TACET_DEVICE, O_WRONLY), EXEMPT, 0, "/dev/tacet");
	expect_sink(syscall(SYS_mq_open, "queue", O_RDWR | O_CREAT, 0600, NULL), OUTSIDE, TACET_SINK_OTHER, "a message queue");
	syscall(SYS_mq_unlink, "queue");
}

/* An empty FAT12 file system of 2880 sectors. */
static void make_fat(const char *path)
{
	static const unsigned char boot[] = {
		0xeb, 0x3c, 0x90, 'T', 'A', 'C', 'E', 'T', ' ', ' ', ' ', 0, 2, 1, 1, 0, 2, 224, 0, 0x40, 0x0b, 0xf0, 9, 0,
		18, 0, 2, 0,
	}, table[] = { 0xf0, 0xff, 0xff }, mark[] = { 0x55, 0xaa };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, 2880 * 512) || pwrite(fd, boot, sizeof(boot), 0) < 0 ||
	    pwrite(fd, mark, 2, 510) < 0 || pwrite(fd, table, 3, 512) < 0 || pwrite(fd, table, 3, 10 * 512) < 0)
		tap_bail(path);
	close(fd);
}

static void test_sink_mounts(void)
{
	int fd;

	make_fat("/tmp/fat.image");
	if (system("mkdir -p /tmp/fat && modprobe -a loop vfat nls_cp437 nls_ascii && "
		   "mount -t vfat -o loop,iocharset=ascii /tmp/fat.image /tmp/fat")) {
		tap_skip("FAT", "no vfat here");
	} else {
		fd = open("/tmp/fat/file", O_RDWR | O_CREAT, 0600);
		tap_errno(set_label(fd, 5, -1), EOPNOTSUPP, "FAT keeps no label");
		tap_errno(derive(fd, 5), EOPNOTSUPP, "nor a derived one");
		expect_sink(fd, OUTSIDE, TACET_SINK_FILE, "a file on FAT");
		umount("/tmp/fat");
	}
	if (system("modprobe overlay && mkdir -p /mnt/l /mnt/u /mnt/w /tmp/o && echo below >/mnt/l/below && "
		   "mount -t overlay overlay -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w /tmp/o")) {
		tap_skip("overlay", "no overlay here");
		return;
	}
	fd = open("/tmp/o/below", O_RDONLY);
	reads(0);
	tap_equal(set_label(fd, 5, -1), 0, "label a file below an overlay");
	pread(fd, &(char[4]){}, 4, 0);
	tap_equal(reads(0), 1, "it triggers");
	tap_equal(label_of(fd).label.categories[0], 5, "its label");
	close(fd);
	fd = open("/tmp/o/below", O_RDWR);
	tap_equal(derive(fd, 6), 0, "derive there");
	tap_equal(label_of(fd).label.count, 2, "both categories");
	tap_ok(!shadow_read(fd, (char[6]){}, 5, 0), "scrubbed read");
	set_label(fd, 0, -1);
	expect_sink(fd, LABELLED, 0, "a file on an overlay");
	umount("/tmp/o");
}

static void expect_peer(int fd, const char *address, int port, unsigned int class, const char *name)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct parts_sink got;

	if (inet_pton(AF_INET, address, &in.sin_addr) == 1)
		got = classify_to(fd, &in, sizeof(in));
	else if (inet_pton(AF_INET6, address, &in6.sin6_addr) == 1)
		got = classify_to(fd, &in6, sizeof(in6));
	else
		got = classify_to(fd, NULL, 0);
	if (!tap_ok(got.class == class && (class != OUTSIDE || got.sink == TACET_SINK_NETWORK) &&
		    (class != OUTSIDE || !port || got.port == port), "sink: %s", name))
		printf("# class %u sink %u family %u port %u\n", got.class, got.sink, got.family, got.port);
}

static void test_sink_network(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(7), .sin_addr.s_addr = htonl(0xc0000201) };
	int udp = socket(AF_INET, SOCK_DGRAM, 0), udp6 = socket(AF_INET6, SOCK_DGRAM, 0), tcp, server, client, accepted;
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(local);
	struct parts_sink got;

	if (system("ip link add outside type dummy && echo 0 >/proc/sys/net/ipv6/conf/outside/accept_dad && "
		   "ip address add 10.1.2.3/24 dev outside && ip -6 address add fd00::3/64 dev outside && "
		   "ip link set outside up && ip route add 192.0.2.0/24 dev outside && modprobe -a vsock af_alg"))
		tap_bail("a network device");
	/* An IPv6 address is tentative at first. */
	usleep(500000);
	expect_peer(udp, "192.0.2.1", 53, OUTSIDE, "UDP to another host");
	expect_peer(udp, "127.0.0.1", 53, CHANNEL, "to the loopback address");
	expect_peer(udp, "127.9.9.9", 53, CHANNEL, "to another one");
	expect_peer(udp, "0.0.0.0", 53, CHANNEL, "to the unspecified address");
	expect_peer(udp, "10.1.2.3", 53, CHANNEL, "to an own address");
	expect_peer(udp, "10.1.2.4", 53, OUTSIDE, "to a neighbour");
	expect_peer(udp, "10.1.2.255", 53, OUTSIDE, "to all");
	expect_peer(udp, "224.0.0.1", 53, OUTSIDE, "to a group");
	expect_peer(udp, "", 0, OUTSIDE, "without an address");
	expect_peer(udp6, "2001:db8::1", 53, OUTSIDE, "UDP to another host, IPv6");
	expect_peer(udp6, "::1", 53, CHANNEL, "to the loopback address, IPv6");
	expect_peer(udp6, "::", 53, CHANNEL, "to the unspecified address, IPv6");
	expect_peer(udp6, "fd00::3", 53, CHANNEL, "to an own address, IPv6");
	expect_peer(udp6, "fd00::4", 53, OUTSIDE, "to a neighbour, IPv6");
	expect_peer(udp6, "::ffff:127.0.0.1", 53, CHANNEL, "to the mapped loopback address");
	expect_peer(udp6, "::ffff:192.0.2.1", 53, OUTSIDE, "to another host, mapped");
	expect_peer(udp6, "192.0.2.1", 53, OUTSIDE, "IPv4 address on an IPv6 socket");

	got = classify_to(udp, &in, sizeof(in));
	tap_ok(got.family == AF_INET && got.protocol == IPPROTO_UDP && got.port == 7 &&
	       !memcmp(got.peer, &in.sin_addr, 4) && !got.peer[4], "the peer of a datagram");
	in.sin_family = AF_UNSPEC;
	got = classify_to(udp, &in, sizeof(in));
	tap_ok(got.class == OUTSIDE && got.port == 7 && !memcmp(got.peer, &in.sin_addr, 4), "AF_UNSPEC is AF_INET to a datagram");
	in.sin_family = AF_INET;
	got = classify_to(udp, &in, 4);
	tap_ok(got.class == OUTSIDE && !got.port, "a short address is unknown");
	tap_equal(connect(udp, (struct sockaddr *)&in, sizeof(in)), 0, "connect");
	expect_peer(udp, "", 7, OUTSIDE, "a connected datagram socket");
	expect_peer(udp, "127.0.0.1", 7, CHANNEL, "its explicit destination counts");

	server = socket(AF_INET, SOCK_STREAM, 0);
	client = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(server, (struct sockaddr *)&local, sizeof(local)) || listen(server, 1) ||
	    getsockname(server, (struct sockaddr *)&local, &length) ||
	    connect(client, (struct sockaddr *)&local, length))
		tap_bail("connect");
	accepted = accept(server, NULL, NULL);
	expect_peer(client, "", 0, CHANNEL, "TCP to this host");
	expect_peer(client, "192.0.2.1", 7, CHANNEL, "whatever address is given with it");
	expect_peer(accepted, "", 0, CHANNEL, "the other end");
	tap_ok(classify_to(client, NULL, 0).flow != classify_to(accepted, NULL, 0).flow, "two flows");
	tap_ok(classify_to(client, NULL, 0).flow == classify_to(client, NULL, 0).flow, "each the same again");
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	expect_peer(tcp, "192.0.2.1", 80, OUTSIDE, "TCP, about to connect");
	expect_peer(tcp, "127.0.0.1", 80, CHANNEL, "to this host");
	fcntl(tcp, F_SETFL, O_NONBLOCK);
	in.sin_addr.s_addr = htonl(0x0a010204);
	connect(tcp, (struct sockaddr *)&in, sizeof(in));
	expect_peer(tcp, "", 7, OUTSIDE, "TCP, connecting to a neighbour");
	close(tcp), close(client), close(accepted), close(server), close(udp), close(udp6);

	expect_sink(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), EXEMPT, 0, "netlink");
	expect_sink(socket(AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK), OUTSIDE, TACET_SINK_OTHER, "netlink between processes");
	expect_sink(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), OUTSIDE, TACET_SINK_OTHER, "a raw socket");
	expect_sink(socket(AF_PACKET, SOCK_DGRAM, 0), OUTSIDE, TACET_SINK_OTHER, "a packet socket");
	expect_sink(socket(AF_VSOCK, SOCK_STREAM, 0), OUTSIDE, TACET_SINK_OTHER, "vsock");
	expect_sink(socket(AF_ALG, SOCK_SEQPACKET, 0), KERNEL, 0, "crypto");
	if (system("ip link del outside"))
		tap_bail("ip link del");
}

/* A process in a network of its own, which connects to port 9 of this one for each byte into @go[1]; its end removes both. */
static pid_t client_elsewhere(int go[2])
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0x0a090001) };
	char command[128];
	int apart[2];
	pid_t client;

	if (pipe(apart) || pipe(go))
		tap_bail("pipe");
	client = fork();
	if (!client) {
		close(go[1]);
		if (unshare(CLONE_NEWNET) || write(apart[1], "", 1) != 1 || read(go[0], command, 1) != 1 ||
		    system("ip address add 10.9.0.2/24 dev veth0 && ip link set veth0 up"))
			_exit(1);
		while (read(go[0], command, 1) == 1)
			connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&in, sizeof(in));
		_exit(0);
	}
	snprintf(command, sizeof(command), "ip link add outside type veth && ip link set veth0 netns %d && "
		 "ip address add 10.9.0.1/24 dev outside && ip link set outside up", client);
	if (read(apart[0], &(char){}, 1) != 1 || system(command) || write(go[1], "", 1) != 1)
		tap_bail("a second network");
	close(apart[0]), close(apart[1]), close(go[0]);
	return client;
}

/* Who connects to a server has a port that is another each time: it is left out, else nothing that a person says holds. */
static void test_sink_client(void)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(9) };
	int go[2], accepted[2], i, status;
	pid_t client = client_elsewhere(go);
	int server = socket(AF_INET6, SOCK_STREAM, 0);
	struct parts_sink got;

	if (bind(server, (struct sockaddr *)&any, sizeof(any)) || listen(server, 4) || write(go[1], "12", 2) != 2)
		tap_bail("a server");
	for (i = 0; i < 2; i++) {
		accepted[i] = accept(server, NULL, NULL);
		got = classify_to(accepted[i], NULL, 0);
		tap_ok(got.class == OUTSIDE && got.family == AF_INET && !memcmp(got.peer, (unsigned char[]){ 10, 9, 0, 2 }, 4) &&
		       !got.port, "sink: a client, by its address");
	}
	tap_ok(classify_to(accepted[0], NULL, 0).flow != classify_to(accepted[1], NULL, 0).flow, "two flows");
	close(server);
	tap_ok(classify_to(accepted[0], NULL, 0).port, "with the port when nobody listens any more");
	close(go[1]);
	tap_ok(waitpid(client, &status, 0) == client && !status, "the client");
	close(accepted[0]), close(accepted[1]);
}

/* A connection to a server at @path ('@' first: abstract); the file belongs to @owner. */
static void expect_service(const char *path, int owner, unsigned int class, const char *name)
{
	int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0), accepted;
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1;
	struct parts_sink got, back;

	strcpy(un.sun_path, path);
	if (path[0] == '@') {
		un.sun_path[0] = 0;
		length--;
	} else {
		unlink(path);
	}
	if (bind(server, (struct sockaddr *)&un, length) || (path[0] != '@' && chown(path, owner, owner)) ||
	    listen(server, 1) || connect(client, (struct sockaddr *)&un, length))
		tap_bail(path);
	accepted = accept(server, NULL, NULL);
	got = classify_to(client, NULL, 0);
	back = classify_to(accepted, NULL, 0);
	if (!tap_ok(got.class == class && back.class == class, "service: %s", name))
		printf("# %s: class %u and back %u, wanted %u\n", path, got.class, back.class, class);
	close(server), close(client), close(accepted);
	if (path[0] != '@')
		unlink(path);
}

static void test_services(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/systemd/journal/socket" };
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(un.sun_path) + 1;
	int server, client, accepted;

	if (system("mkdir -p /tmp/.X11-unix /run/user/0/pulse /run/user/1000 /run/dbus /run/systemd/journal"))
		tap_bail("mkdir");
	expect_service("/tmp/.X11-unix/X0", 0, EXEMPT, "X11");
	expect_service("@/tmp/.X11-unix/X0", 0, EXEMPT, "X11, abstract");
	expect_service("/tmp/.X11-unix/X0", 1001, CHANNEL, "X11 of another user");
	expect_service("/run/user/0/wayland-0", 0, EXEMPT, "Wayland");
	expect_service("/run/user/1000/wayland-0", 1000, CHANNEL, "Wayland of another user");
	expect_service("/run/user/0/pulse/native", 0, EXEMPT, "PulseAudio");
	expect_service("/run/user/0/pipewire-0", 0, EXEMPT, "PipeWire");
	expect_service("/run/user/0/bus", 0, EXEMPT, "the session bus");
	expect_service("/run/user/0/bus-or-so", 0, CHANNEL, "a name that only begins so");
	expect_service("/run/dbus/system_bus_socket", 0, EXEMPT, "the system bus");
	expect_service("/run/dbus/system_bus_socket", 1000, CHANNEL, "a system bus that is not root's");
	expect_service("/tmp/other", 0, CHANNEL, "another service");
	expect_service("@other", 0, CHANNEL, "another abstract service");

	server = socket(AF_UNIX, SOCK_DGRAM, 0);
	client = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (bind(server, (struct sockaddr *)&un, length))
		tap_bail(un.sun_path);
	tap_equal(classify_to(client, &un, length).class, EXEMPT, "service: a datagram to the journal");
	tap_equal(classify_to(client, &un, length - 1).class, EXEMPT, "service: without its NUL");
	tap_equal(classify_to(client, NULL, 0).class, CHANNEL, "service: no destination");
	if (chown(un.sun_path, 1000, 1000))
		tap_bail("chown");
	tap_equal(classify_to(client, &un, length).class, CHANNEL, "service: to a journal that is not root's");
	close(server);
	unlink(un.sun_path);
	tap_equal(classify_to(client, &un, length).class, CHANNEL, "service: to nobody");
	close(client);

	/* A client that gives itself the name of a service. */
	server = socket(AF_UNIX, SOCK_STREAM, 0);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	strcpy(un.sun_path, "/tmp/other");
	length = offsetof(struct sockaddr_un, sun_path) + strlen(un.sun_path) + 1;
	unlink(un.sun_path);
	if (bind(server, (struct sockaddr *)&un, length) || listen(server, 1))
		tap_bail("bind");
	{
		struct sockaddr_un own = { .sun_family = AF_UNIX, .sun_path = "\0/tmp/.X11-unix/X9" };

		if (bind(client, (struct sockaddr *)&own, offsetof(struct sockaddr_un, sun_path) + 18) ||
		    connect(client, (struct sockaddr *)&un, length))
			tap_bail("connect");
	}
	accepted = accept(server, NULL, NULL);
	tap_equal(classify_to(client, NULL, 0).class, CHANNEL, "service: a client does not name itself");
	close(server), close(client), close(accepted);
	unlink("/tmp/other");
}

/* ---- questions: a daemon thread in this process, asking children ---- */

static unsigned long long now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_BOOTTIME, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static void set_policy(unsigned int timeout_ms)
{
	struct tacet_policy policy = {
		.question_timeout_ms = timeout_ms, .barrier_timeout_ms = 3000,
	};

	if (ioctl(control, TACET_IOC_POLICY, &policy))
		tap_bail("TACET_IOC_POLICY");
}

static unsigned long long counter(unsigned int which)
{
	struct tacet_info info;

	if (ioctl(control, TACET_IOC_INFO, &info))
		tap_bail("TACET_IOC_INFO");
	return info.counters[which];
}

/* A datagram socket connected to a neighbour, which need not exist. */
static int remote_socket(int port)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(0x0a010209) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&in, sizeof(in)))
		tap_bail("connect");
	return fd;
}

static int ask_about(int fd, unsigned int category, int with_scrubbed, int origin)
{
	struct parts_ask request = {
		.fd = fd, .origin_fd = origin, .label = { .count = 1, .categories = { category } },
		.length = 22, .scrubbed_length = with_scrubbed ? 22 : ~0U,
	};

	memcpy(request.data, secret, 22);
	memcpy(request.scrubbed, scrubbed, 22);
	if (ioctl(parts, PARTS_ASK, &request))
		return -errno;
	return request.action;
}

static int ask(int fd, unsigned int category, int with_scrubbed)
{
	return ask_about(fd, category, with_scrubbed, -1);
}

/* A child must not keep the stream claimed. */
static pid_t fork_without_stream(void)
{
	pid_t child = fork();

	if (!child)
		close_range(stream, stream, 0);
	return child;
}

static pid_t ask_in_child(int fd, unsigned int category)
{
	pid_t child = fork_without_stream();

	if (!child)
		_exit(ask(fd, category, 1));
	return child;
}

static int child_answer(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* The next event within @timeout ms; its type, or 0. */
static unsigned int next_event(int reader, struct tacet_question *question, int timeout)
{
	struct pollfd poller = { .fd = reader, .events = POLLIN };

	memset(question, 0, sizeof(*question));
	if (poll(&poller, 1, timeout) != 1)
		return 0;
	if (read(reader, question, sizeof(*question)) <= 0)
		return 0;
	return question->event.type;
}

static int answer(unsigned long long id, unsigned int action, unsigned int scope, unsigned long long until)
{
	struct tacet_verdict verdict = { .question = id, .action = action, .scope = scope, .until = until };

	return ioctl(control, TACET_IOC_VERDICT, &verdict);
}

static int open_stream(void)
{
	int reader = open(TACET_DEVICE, O_RDONLY | O_CLOEXEC);
	struct tacet_question question;

	if (reader < 0)
		tap_bail("the stream");
	while (next_event(reader, &question, 0))
		;
	stream = reader;
	return reader;
}

static void test_no_reader(int fd)
{
	unsigned long long blocked = counter(TACET_COUNTER_BLOCKED);
	struct tacet_question question;
	int reader;

	close(open_stream());
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "no daemon: blocked");
	tap_equal(counter(TACET_COUNTER_BLOCKED), blocked + 1, "and counted");
	reader = open(TACET_DEVICE, O_RDONLY);
	tap_equal(next_event(reader, &question, 1000), TACET_EVENT_MISSED, "the next daemon learns what it missed");
	tap_equal(question.event.size, sizeof(question), "as a whole question");
	close(reader);
}

static void test_question_record(int fd)
{
	int reader = open_stream(), labelled = make_file("origin", secret);
	struct tacet_question question;
	struct parts_ask request = {
		.fd = fd, .origin_fd = labelled, .label = { .count = 2, .categories = { 5, 6 } },
		.length = 22, .scrubbed_length = 21, .flags = TACET_QUESTION_CONNECT,
	};
	unsigned long long before = now_ns();
	char path[256], own[256] = "";
	struct stat stat;
	pid_t child;

	memcpy(request.data, secret, 22);
	memcpy(request.scrubbed, scrubbed, 21);
	set_policy(60000);
	child = fork_without_stream();
	if (!child)
		_exit(ioctl(parts, PARTS_ASK, &request) ? 99 : request.action);
	tap_equal(next_event(reader, &question, 5000), TACET_EVENT_QUESTION, "a question");
	tap_ok(question.pid == (unsigned)child && question.tid == (unsigned)child && !question.uid, "whose");
	tap_equal(question.flags, TACET_QUESTION_CONNECT, "its flags");
	tap_ok(question.deadline >= before + 60000000000ULL && question.deadline < now_ns() + 60000000000ULL, "its deadline");
	tap_ok(question.sink == TACET_SINK_NETWORK && question.family == AF_INET && question.port == 9 &&
	       question.protocol == IPPROTO_UDP && question.address[0] == 10 && question.address[3] == 9, "its peer");
	tap_ok(question.label.count == 2 && question.label.categories[1] == 6, "its label");
	tap_ok(question.length == 22 && question.scrubbed_length == 21, "its lengths");
	tap_ok(question.calls_equal == 7 && question.calls_total == 9, "its likeness");
	tap_ok(question.excerpt_length == 22 && !memcmp(question.excerpt, secret, 22), "its excerpt");
	tap_ok(question.scrubbed_excerpt_length == 21 && !memcmp(question.scrubbed_excerpt, scrubbed, 21), "and scrubbed");
	tap_ok(!strcmp(question.comm, "test_parts"), "its name");
	readlink("/proc/self/exe", own, sizeof(own) - 1);
	tap_ok(!strcmp(question.executable, own), "its executable");
	fstat(labelled, &stat);
	snprintf(path, sizeof(path), "%s/origin", directory);
	tap_ok(question.origin_device == stat.st_dev && question.origin_inode == stat.st_ino &&
	       !strcmp(question.origin, path) && question.chain_length == 1 &&
	       question.chain[0].pid == question.pid && !strcmp(question.chain[0].comm, question.comm),
	       "its origin");
	tap_ok(question.start_time > 0 && question.start_time <= question.event.time, "its start");
	tap_equal(answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1), 0, "answer");
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "is what it gets");
	tap_errno(answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1), ENOENT, "an answer too many");
	close(labelled);
	remove_file("origin");
	close(reader);
}

static void test_actions(int fd)
{
	int reader = open_stream(), action, with_scrubbed;
	struct tacet_question question;
	pid_t child;

	for (action = TACET_ACTION_BLOCK; action <= TACET_ACTION_SCRUB; action++) {
		child = ask_in_child(fd, 20 + action);
		next_event(reader, &question, 5000);
		answer(question.id, action, TACET_SCOPE_PROCESS, 1);
		tap_equal(child_answer(child), action, "an action is passed on");
	}
	child = ask_in_child(fd, 24);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_QUIT, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), -SIGKILL, "QUIT kills");
	with_scrubbed = 0;
	child = fork_without_stream();
	if (!child)
		_exit(ask(fd, 25, with_scrubbed));
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_SCRUB, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "nothing scrubbed to send: blocked");
	close(reader);
}

static void test_cache_of_a_file(int fd, int other)
{
	int reader = open_stream(), one = make_file("one", secret), two = make_file("two", secret);
	struct tacet_question question;
	struct stat stat;
	pid_t child;

	child = fork_without_stream();
	if (!child)
		_exit(ask_about(fd, 5, 1, one) == TACET_ACTION_ALLOW && ask_about(other, 5, 1, one) == TACET_ACTION_ALLOW &&
		      ask_about(fd, 5, 1, two) == TACET_ACTION_BLOCK && ask_about(other, 5, 1, one) == TACET_ACTION_ALLOW &&
		      ask(fd, 5, 1) == TACET_ACTION_BLOCK);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_FILE, 0);
	next_event(reader, &question, 5000);
	fstat(two, &stat);
	tap_equal(question.origin_inode, stat.st_ino, "cached for the file: another one is asked about");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_FILE, 0);
	next_event(reader, &question, 5000);
	tap_equal(question.origin_inode, 0, "and about data of none");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_FILE, 0);
	tap_equal(child_answer(child), 1, "and each is answered");
	close(reader);
	close(one);
	close(two);
	remove_file("one");
	remove_file("two");
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not for another process");
}

/* What is cached is answered with no daemon at all; what is not is blocked. */
static void test_cache(int fd)
{
	int reader = open_stream(), other = remote_socket(9), third = remote_socket(10);
	struct tacet_question question;
	pid_t child;

	child = fork_without_stream();
	if (!child)
		_exit(ask(fd, 5, 1) * 16 + ask(fd, 5, 1));
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_FLOW, 0);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW * 17, "cached for the flow");
	close(reader);
	tap_equal(ask(fd, 5, 1), TACET_ACTION_ALLOW, "for other processes on it too");
	tap_equal(ask(fd, 6, 1), TACET_ACTION_BLOCK, "not for another label");
	tap_equal(ask(other, 5, 1), TACET_ACTION_BLOCK, "not for another socket");
	{
		struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(11), .sin_addr.s_addr = htonl(0x0a010209) };

		connect(fd, (struct sockaddr *)&in, sizeof(in));
		tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not when the socket is connected to another peer");
		in.sin_port = htons(9);
		connect(fd, (struct sockaddr *)&in, sizeof(in));
		tap_equal(ask(fd, 5, 1), TACET_ACTION_ALLOW, "again when it is back");
	}
	ioctl(control, TACET_IOC_FLUSH);
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not after a flush");

	reader = open_stream();
	child = fork_without_stream();
	if (!child)
		_exit(ask(fd, 5, 1) == TACET_ACTION_ALLOW && ask(other, 5, 1) == TACET_ACTION_ALLOW &&
		      ask(third, 5, 1) == TACET_ACTION_BLOCK);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 0);
	next_event(reader, &question, 5000);
	tap_equal(question.port, 10, "cached for the process and the peer: only another peer is asked");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_PROCESS, 0);
	tap_equal(child_answer(child), 1, "and each is answered");
	close(reader);
	tap_equal(ask(fd, 5, 1), TACET_ACTION_BLOCK, "not for another process");

	test_cache_of_a_file(fd, other);

	reader = open_stream();
	child = fork_without_stream();
	if (!child) {
		int first = ask(fd, 5, 1), second = ask(fd, 5, 1), last;

		usleep(700000);
		last = ask(fd, 5, 1);
		_exit(first == TACET_ACTION_ALLOW && second == TACET_ACTION_ALLOW && last == TACET_ACTION_BLOCK);
	}
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, now_ns() + 500000000);
	usleep(100000);
	close(reader);
	tap_equal(child_answer(child), 1, "a verdict ends in time");

	reader = open_stream();
	child = fork_without_stream();
	if (!child) {
		int first = ask(fd, 5, 1);

		ioctl(parts, PARTS_FORGET);
		_exit(first == TACET_ACTION_ALLOW && ask(fd, 5, 1) == TACET_ACTION_BLOCK);
	}
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 0);
	usleep(50000);
	next_event(reader, &question, 5000);
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), 1, "a process that is gone is forgotten");
	close(reader);
	close(other);
	close(third);
}

static void test_timeout(int fd)
{
	unsigned long long start;
	struct tacet_question question;
	int reader = open_stream(), seen = 0, i;
	unsigned long long id;
	pid_t child;

	set_policy(300);
	start = now_ns();
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	id = question.id;
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "no answer in time: blocked");
	tap_ok(now_ns() - start >= 300000000 && now_ns() - start < 2000000000, "at the deadline");
	for (i = 0; i < 2; i++) {
		unsigned int type = next_event(reader, &question, 1000);

		if (type == TACET_EVENT_WITHDRAWN && ((struct tacet_notice *)&question)->id == id)
			seen |= 1;
		if (type == TACET_EVENT_MISSED && question.id == id)
			seen |= 2;
	}
	tap_equal(seen, 3, "withdrawn and missed");
	tap_errno(answer(id, TACET_ACTION_ALLOW, TACET_SCOPE_FLOW, 0), ENOENT, "too late");
	child = ask_in_child(fd, 5);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "a question that the daemon has not read yet");
	tap_equal(next_event(reader, &question, 1000), TACET_EVENT_MISSED, "is only missed");
	tap_equal(next_event(reader, &question, 100), 0, "and nothing else");

	set_policy(60000);
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	id = question.id;
	kill(child, SIGKILL);
	tap_equal(child_answer(child), -SIGKILL, "one who waits can be killed");
	tap_ok(next_event(reader, &question, 1000) == TACET_EVENT_WITHDRAWN &&
	       ((struct tacet_notice *)&question)->id == id, "the question is withdrawn");
	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	kill(child, SIGSTOP);
	usleep(50000);
	kill(child, SIGCONT);
	usleep(50000);
	tap_equal(answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1), 0, "one who is stopped and continued");
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "waits on");
	close(reader);
}

static void test_new_reader(int fd)
{
	struct tacet_question question;
	int reader = open_stream();
	unsigned long long id;
	pid_t child;

	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	id = question.id;
	close(reader);
	usleep(50000);
	stream = reader = open(TACET_DEVICE, O_RDWR);
	tap_ok(next_event(reader, &question, 1000) == TACET_EVENT_QUESTION && question.id == id, "asked again of the next daemon");
	tap_equal(next_event(reader, &question, 100), 0, "once");
	close(reader);
	stream = reader = open(TACET_DEVICE, O_RDWR);
	close(reader);
	stream = reader = open(TACET_DEVICE, O_RDWR);
	tap_ok(next_event(reader, &question, 1000) == TACET_EVENT_QUESTION && question.id == id, "and of the one after");
	tap_equal(next_event(reader, &question, 100), 0, "once, though nobody had read it");
	answer(id, TACET_ACTION_ALLOW, TACET_SCOPE_PROCESS, 1);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "its answer arrives");
	close(reader);
}

struct asking {
	pthread_t thread;
	int fd, category, action;
};

static void *ask_in_thread(void *argument)
{
	struct asking *asking = argument;

	asking->action = ask(asking->fd, asking->category, 1);
	return NULL;
}

static void test_coalescing(int fd)
{
	struct tacet_question question, other;
	struct asking threads[8];
	int reader = open_stream(), i, wrong = 0;
	pid_t child;

	for (i = 0; i < 8; i++) {
		threads[i] = (struct asking){ .fd = fd, .category = 5 };
		pthread_create(&threads[i].thread, NULL, ask_in_thread, &threads[i]);
	}
	usleep(200000);
	child = ask_in_child(fd, 5);
	tap_equal(next_event(reader, &question, 5000), TACET_EVENT_QUESTION, "threads that ask the same");
	tap_equal(next_event(reader, &other, 5000), TACET_EVENT_QUESTION, "and another process");
	tap_equal(next_event(reader, &other, 100), 0, "ask two questions");
	answer(question.id, TACET_ACTION_SCRUB, TACET_SCOPE_FLOW, 1);
	for (i = 0; i < 8; i++) {
		pthread_join(threads[i].thread, NULL);
		wrong += threads[i].action != TACET_ACTION_SCRUB;
	}
	tap_equal(wrong, 0, "one answer is for all threads");
	tap_equal(child_answer(child), TACET_ACTION_SCRUB, "and settles the flow for the other process");
	tap_equal(next_event(reader, &other, 1000), TACET_EVENT_WITHDRAWN, "whose question is withdrawn");
	close(reader);
}

static void test_overflow(int fd)
{
	struct tacet_question question;
	int reader, i, missed = 0, lost = 0;

	close(open_stream());
	for (i = 0; i < 300; i++)
		if (ask(fd, 5, 1) != TACET_ACTION_BLOCK)
			tap_ok(0, "blocked without a daemon");
	reader = open(TACET_DEVICE, O_RDONLY);
	while (next_event(reader, &question, 100)) {
		missed += question.event.type == TACET_EVENT_MISSED;
		if (question.event.type == TACET_EVENT_LOST)
			lost += ((struct tacet_notice *)&question)->id;
	}
	tap_equal(missed, 256, "the queue is bounded");
	tap_equal(lost, 44, "what was lost is counted");
	close(reader);
}

static void test_file_sink(void)
{
	struct tacet_question question;
	int reader = open_stream(), fd = open("/dev/vda", O_RDWR);
	pid_t child;

	child = ask_in_child(fd, 5);
	next_event(reader, &question, 5000);
	tap_ok(question.sink == TACET_SINK_DEVICE && !strcmp(question.target, "/dev/vda"), "a device as the target");
	answer(question.id, TACET_ACTION_ALLOW, TACET_SCOPE_FLOW, 0);
	tap_equal(child_answer(child), TACET_ACTION_ALLOW, "is answered");
	child = ask_in_child(fd, 5);
	tap_equal(next_event(reader, &question, 5000), TACET_EVENT_QUESTION, "for that process alone");
	answer(question.id, TACET_ACTION_BLOCK, TACET_SCOPE_FLOW, 0);
	tap_equal(child_answer(child), TACET_ACTION_BLOCK, "and another is answered for itself");
	ioctl(control, TACET_IOC_FLUSH);
	close(fd);
	close(reader);
}

static void *ask_often(void *argument)
{
	struct asking *asking = argument;
	int i;

	for (i = 0; i < 300; i++)
		ask(asking->fd, 100 + i % 7, 1);
	return NULL;
}

/* Answers, flushes, kills and a daemon that comes and goes, all at a time. */
static void test_question_stress(int fd)
{
	struct asking asking = { .fd = fd };
	struct tacet_question question;
	pthread_t threads[4];
	int process, i, reader = -1, status, round = 0;
	pid_t children[4];

	set_policy(100);
	for (process = 0; process < 4; process++) {
		children[process] = fork_without_stream();
		if (children[process])
			continue;
		for (i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, ask_often, &asking);
		for (i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		_exit(0);
	}
	for (;;) {
		if (reader < 0)
			reader = open(TACET_DEVICE, O_RDONLY | O_CLOEXEC);
		if (next_event(reader, &question, 5) == TACET_EVENT_QUESTION)
			answer(question.id, 1 + round % 3, 1 + round % 2, round % 3 ? now_ns() + 3000000 : 0);
		if (++round % 11 == 0)
			ioctl(control, TACET_IOC_FLUSH);
		if (round % 17 == 0) {
			close(reader);
			reader = -1;
		}
		if (round == 100)
			kill(children[0], SIGKILL);
		if (waitpid(-1, &status, WNOHANG) == -1)
			break;
	}
	close(reader);
	tap_ok(1, "four processes of four threads, %d rounds", round);
	set_policy(60000);
	ioctl(control, TACET_IOC_FLUSH);
}

int main(int count, char **arguments)
{
	int fd;

	control = open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
	parts = open("/dev/tacet-parts", O_RDWR | O_CLOEXEC);
	if (control < 0 || parts < 0)
		tap_bail("/dev/tacet and /dev/tacet-parts");
	if (count > 1)
		directory = arguments[1];
	alarm(300);

	test_reads();
	test_open_elsewhere();
	test_open_race();
	test_executable();
	test_label_of();
	test_derive();
	test_full_disk();
	test_stale();
	test_shadow_read();
	test_shadow_view();
	test_shadow_open();
	test_sink_files();
	test_sink_mounts();
	test_sink_network();
	test_sink_client();
	test_services();

	if (system("ip link add outside type dummy && ip address add 10.1.2.3/24 dev outside && ip link set outside up"))
		tap_bail("a network device");
	fd = remote_socket(9);
	test_no_reader(fd);
	test_question_record(fd);
	test_actions(fd);
	test_cache(fd);
	test_timeout(fd);
	test_new_reader(fd);
	test_coalescing(fd);
	test_overflow(fd);
	test_file_sink();
	test_question_stress(fd);
	if (system("ip link del outside"))
		tap_bail("ip link del");
	return tap_end();
}
