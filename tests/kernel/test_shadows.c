// SPDX-License-Identifier: GPL-2.0-only
/*
 * Labels and shadow files without the engine, through /dev/tacet-parts of
 * tacet_parts.ko. Runs as root, on any file system with trusted attributes.
 * usage: test_shadows [DIRECTORY]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include "parts_test.h"

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
	tap_ok(notice.label.count == 1 && notice.label.categories[0] == 9 && notice.pid == (unsigned)getpid(), "and "
													       "more");
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

	if (system("modprobe loop && truncate -s 4M /tmp/full.image && mke2fs -F -I 128 -m 0 /tmp/full.image "
		   ">/dev/null && "
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
	unsigned int size;
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
	tap_ok(notice.event.type == TACET_EVENT_STALE && !strcmp(notice.path, path), "a changed file is told when it "
										     "is closed");
	size = notice.event.size;
	set_label(fd, 5, shadow);
	usleep(20000);
	other = open(path, O_WRONLY);
	write(other, "M", 1);
	close(other);
	tap_errno(read(reader, &notice, size - 1), EINVAL, "a buffer that is too small");
	tap_equal(read(reader, &notice, size), size, "one that just fits");
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
	tap_ok(notice.event.type == TACET_EVENT_STALE && strstr(notice.path, "stale"), "again after a new shadow file, "
										       "by an exiting task");
	set_label(fd, 0, -1);
	close(fd);
	close(shadow);
	remove_file("stale");
	remove_file("shadow");
	close(reader);
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
	if (ftruncate(fd, 8192))
		tap_bail("ftruncate");
	view = ioctl(parts, PARTS_SHADOW_OPEN, fd);
	mapping = mmap(NULL, 3 * 4096, PROT_READ, MAP_PRIVATE, view, 0);
	close(view);
	tap_ok(mapping != MAP_FAILED && mapping[8191] == 'x', "a file of whole pages");
	tap_ok(faults(mapping + 8192), "SIGBUS right after its last page");
	munmap(mapping, 3 * 4096);
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

int main(int count, char **arguments)
{
	begin(count, arguments);
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
	return tap_end();
}
