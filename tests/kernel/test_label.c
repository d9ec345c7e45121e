// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/tacet as the daemon sees it: labels, shadow registration, the event
 * stream, and what is refused. Reads no labelled file but by TACET_IOC_REOPEN,
 * so that nothing here is paired. Runs as root. usage: test_label [DIRECTORY...]
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "tacet.h"
#include "tap.h"

static int control;

static int make_file(const char *path, const char *content)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, content, strlen(content)) != (ssize_t)strlen(content))
		tap_bail(path);
	return fd;
}

static struct tacet_label make_label(unsigned int count, ...)
{
	struct tacet_label label = { .count = count };
	va_list arguments;
	unsigned int i;

	va_start(arguments, count);
	for (i = 0; i < count && i < TACET_LABEL_MAX; i++)
		label.categories[i] = va_arg(arguments, int);
	va_end(arguments);
	return label;
}

static int set_label(int fd, struct tacet_label label, unsigned int flags, int shadow)
{
	struct tacet_label_file request = { .fd = fd, .shadow_fd = shadow, .flags = flags, .label = label };

	return ioctl(control, TACET_IOC_LABEL_SET, &request);
}

static struct tacet_label_file get_label(int fd)
{
	struct tacet_label_file request = { .fd = fd, .shadow_fd = -1 };

	if (ioctl(control, TACET_IOC_LABEL_GET, &request))
		request.flags = ~0U;
	return request;
}

static unsigned int armed_files(void)
{
	struct tacet_info info;

	if (ioctl(control, TACET_IOC_INFO, &info))
		tap_bail("TACET_IOC_INFO");
	return info.armed_files;
}

/* Whether the number of labelled inodes in memory comes to be @wanted: marks go a little later. */
static int armed_becomes(unsigned int wanted)
{
	int tries;

	for (tries = 0; tries < 200 && armed_files() != wanted; tries++)
		usleep(10000);
	return armed_files() == wanted;
}

static void test_information(void)
{
	struct tacet_info info;

	tap_equal(ioctl(control, TACET_IOC_INFO, &info), 0, "information");
	tap_equal(info.abi_version, TACET_ABI_VERSION, "its version");
	tap_ok(info.features & TACET_FEATURE_LABELS, "labels are in force");
	tap_errno(ioctl(control, _IO('T', 99)), ENOTTY, "an unknown request");
	tap_errno(ioctl(control, _IO('U', 1)), ENOTTY, "a request of another type");
	tap_errno(ioctl(control, TACET_IOC_INFO, 8), EFAULT, "a bad address");
	tap_errno(ioctl(control, _IOC(_IOC_WRITE, 'T', 5, 8)), EINVAL, "a structure that is too short");
}

static void test_longer_structures(void)
{
	struct {
		struct tacet_policy policy;
		unsigned long long later;
	} longer = { { .question_timeout_ms = 60000, .barrier_timeout_ms = 3000 }, 0 };
	unsigned int request = _IOC(_IOC_WRITE, 'T', 5, sizeof(longer));

	tap_equal(ioctl(control, request, &longer), 0, "a later structure whose new part is zero");
	longer.later = 1;
	tap_errno(ioctl(control, request, &longer), E2BIG, "a later structure whose new part is not");
}

static void test_guard(void)
{
	static struct tacet_guard guard = { .count = 2, .categories = { 1, 2 } };

	tap_equal(ioctl(control, TACET_IOC_GUARD, &guard), 0, "guarded categories");
	guard.categories[1] = 1;
	tap_errno(ioctl(control, TACET_IOC_GUARD, &guard), EINVAL, "guarded categories that do not ascend");
	guard.count = TACET_GUARD_MAX + 1;
	tap_errno(ioctl(control, TACET_IOC_GUARD, &guard), EINVAL, "too many guarded categories");
	guard.count = 0;
	tap_equal(ioctl(control, TACET_IOC_GUARD, &guard), 0, "nothing guarded");
}

static void test_policy(void)
{
	struct tacet_policy policy = { .question_timeout_ms = 60000, .barrier_timeout_ms = 3000 };

	tap_equal(ioctl(control, TACET_IOC_POLICY, &policy), 0, "a policy");
	policy.question_timeout_ms = 99;
	tap_errno(ioctl(control, TACET_IOC_POLICY, &policy), EINVAL, "a question timeout that is too short");
	policy.question_timeout_ms = 60000;
	policy.barrier_timeout_ms = 60001;
	tap_errno(ioctl(control, TACET_IOC_POLICY, &policy), EINVAL, "a barrier timeout that is too long");
	policy.barrier_timeout_ms = 3000;
	policy.reserved = 1;
	tap_errno(ioctl(control, TACET_IOC_POLICY, &policy), EINVAL, "a reserved field");
}

static void test_verdict(void)
{
	struct tacet_verdict verdict = { .question = 1ULL << 60,
					 .action = TACET_ACTION_ALLOW,
					 .scope = TACET_SCOPE_FLOW };

	tap_errno(ioctl(control, TACET_IOC_VERDICT, &verdict), ENOENT, "a verdict on no question");
	verdict.action = 9;
	tap_errno(ioctl(control, TACET_IOC_VERDICT, &verdict), EOPNOTSUPP, "an unknown action");
	verdict.action = TACET_ACTION_ALLOW;
	verdict.scope = 0;
	tap_errno(ioctl(control, TACET_IOC_VERDICT, &verdict), EINVAL, "an unknown scope");
	verdict.scope = TACET_SCOPE_FLOW;
	verdict.reserved = 1;
	tap_errno(ioctl(control, TACET_IOC_VERDICT, &verdict), EINVAL, "a reserved field of a verdict");
	tap_equal(ioctl(control, TACET_IOC_FLUSH), 0, "flush");
}

static void test_stream(void)
{
	int reader = open(TACET_DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct pollfd poller = { .fd = reader, .events = POLLIN };
	struct tacet_notice notice;
	char small[32];
	int writer;

	tap_ok(reader >= 0, "an open for reading claims the stream");
	tap_errno(open(TACET_DEVICE, O_RDONLY), EBUSY, "there is one reader");
	tap_errno(open(TACET_DEVICE, O_RDWR), EBUSY, "also with writing");
	writer = open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
	tap_ok(writer >= 0, "writers may be many");
	tap_errno(read(writer, small, sizeof(small)), EBADF, "a writer cannot read");
	while (read(reader, &notice, sizeof(notice)) > 0)
		;
	tap_errno(read(reader, &notice, sizeof(notice)), EAGAIN, "nothing to read");
	tap_equal(poll(&poller, 1, 0), 0, "poll says so");
	tap_errno(lseek(reader, 0, SEEK_SET), ESPIPE, "no seeking");
	close(writer);
	close(reader);
	reader = open(TACET_DEVICE, O_RDONLY | O_CLOEXEC);
	tap_ok(reader >= 0, "the stream can be claimed again");
	close(reader);
}

static void test_privilege(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		if (chmod(TACET_DEVICE, 0666) || setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			_exit(2);
		_exit(open(TACET_DEVICE, O_WRONLY) == -1 && errno == EPERM ? 0 : 1);
	}
	waitpid(child, &status, 0);
	chmod(TACET_DEVICE, 0600);
	tap_equal(status, 0, "without CAP_SYS_ADMIN the device does not open");
}

static void test_set_and_get(const char *path)
{
	struct tacet_label label = make_label(3, 5, 7, 1000), wrong;
	struct tacet_label_file got;
	int fd = make_file(path, "salary 1234\n");
	unsigned int before = armed_files();

	got = get_label(fd);
	tap_ok(got.flags == 0 && got.label.count == 0, "no label at first");
	tap_equal(set_label(fd, label, 0, -1), 0, "label a file");
	got = get_label(fd);
	tap_equal(got.flags, TACET_LABEL_ARMED, "it triggers, without a shadow file");
	tap_ok(!memcmp(&got.label, &label, sizeof(label)), "the label is what was set");
	tap_equal(armed_files(), before + 1, "one labelled inode more");
	tap_equal(set_label(fd, make_label(1, 9), 0, -1), 0, "another label");
	tap_equal(get_label(fd).label.categories[0], 9, "replaces it");
	tap_equal(armed_files(), before + 1, "the same inode");

	wrong = make_label(2, 7, 5);
	tap_errno(set_label(fd, wrong, 0, -1), EINVAL, "categories must ascend");
	wrong = make_label(2, 5, 5);
	tap_errno(set_label(fd, wrong, 0, -1), EINVAL, "strictly");
	wrong = make_label(1, 5);
	wrong.count = TACET_LABEL_MAX + 1;
	tap_errno(set_label(fd, wrong, 0, -1), EINVAL, "at most TACET_LABEL_MAX");
	tap_errno(set_label(fd, label, TACET_LABEL_ARMED, -1), EINVAL, "an unknown flag");
	tap_errno(set_label(-1, label, 0, -1), EBADF, "no file");
	tap_errno(set_label(fd, label, 0, 999), EBADF, "no shadow file");
	tap_equal(get_label(fd).label.categories[0], 9, "none of them changed anything");

	tap_equal(set_label(fd, make_label(0), 0, -1), 0, "the empty label");
	tap_ok(armed_becomes(before), "removes the trigger");
	tap_errno(fgetxattr(fd, TACET_LABEL_XATTR, NULL, 0), ENODATA, "and the attribute");
	tap_equal(set_label(fd, make_label(0), 0, -1), 0, "twice");
	tap_errno(set_label(fd, label, TACET_LABEL_KEEP, -1), ENODATA, "nothing to keep");
	close(fd);
	unlink(path);
}

static void test_on_disk(const char *path)
{
	static const unsigned char wanted[] = {
		1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
	};
	struct tacet_label label = { .count = 2, .categories = { 5, 0x1122334455667788ULL } };
	unsigned char disk[256];
	unsigned int before = armed_files();
	int fd = make_file(path, "x");

	tap_equal(set_label(fd, label, 0, -1), 0, "label a file");
	tap_equal(fgetxattr(fd, TACET_LABEL_XATTR, disk, sizeof(disk)), sizeof(wanted), "size on disk");
	tap_ok(!memcmp(disk, wanted, sizeof(wanted)), "bytes on disk");
	set_label(fd, make_label(0), 0, -1);
	tap_ok(armed_becomes(before), "no label again");

	if (fsetxattr(fd, TACET_LABEL_XATTR, wanted, sizeof(wanted), 0))
		tap_bail("fsetxattr");
	tap_equal(get_label(fd).flags, 0, "a label on disk does not trigger");
	tap_equal(get_label(fd).label.categories[1], label.categories[1], "but is told");
	tap_equal(set_label(fd, make_label(0), TACET_LABEL_KEEP, -1), 0, "KEEP");
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED, "makes it trigger");
	tap_equal(get_label(fd).label.categories[1], label.categories[1], "with that label");
	tap_equal(set_label(fd, make_label(0), 0, -1), 0, "unlabel");
	close(fd);
	unlink(path);
}

static void test_corrupt(const char *path)
{
	static const struct {
		const char *name;
		unsigned int size;
		unsigned char bytes[24];
	} corrupt[] = {
		{ "empty", 0, {} },
		{ "short", 7, { 1 } },
		{ "no category", 8, { 1, 0, 0, 0, 0 } },
		{ "another version", 16, { 2, 0, 0, 0, 1, 0, 0, 0, 5 } },
		{ "more categories than bytes", 16, { 1, 0, 0, 0, 2, 0, 0, 0, 5 } },
		{ "more bytes than categories", 24, { 1, 0, 0, 0, 1, 0, 0, 0, 5 } },
		{ "a huge count", 16, { 1, 0, 0, 0, 255, 255, 255, 255, 5 } },
		{ "not ascending", 24, { 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 5 } },
	};
	unsigned char huge[400] = { 1, 0, 0, 0, 49 };
	unsigned int i;
	int fd = make_file(path, "x");
	char name[100];

	for (i = 0; i < sizeof(corrupt) / sizeof(corrupt[0]); i++) {
		if (fsetxattr(fd, TACET_LABEL_XATTR, corrupt[i].bytes, corrupt[i].size, 0))
			tap_bail("fsetxattr");
		snprintf(name, sizeof(name), "corrupt on disk: %s", corrupt[i].name);
		tap_errno(set_label(fd, make_label(0), TACET_LABEL_KEEP, -1), EUCLEAN, name);
	}
	if (fsetxattr(fd, TACET_LABEL_XATTR, huge, sizeof(huge), 0))
		tap_bail("fsetxattr");
	tap_errno(set_label(fd, make_label(0), TACET_LABEL_KEEP, -1), EUCLEAN, "corrupt on disk: too long");
	tap_equal(get_label(fd).flags, ~0U, "LABEL_GET fails too");
	tap_equal(set_label(fd, make_label(1, 5), 0, -1), 0, "a new label repairs it");
	tap_equal(get_label(fd).label.count, 1, "and is told");
	set_label(fd, make_label(0), 0, -1);
	close(fd);
	unlink(path);
}

static void test_shadow_registration(const char *path, const char *shadow_path)
{
	struct tacet_label label = make_label(1, 5);
	int fd = make_file(path, "salary 1234\n"), shadow = make_file(shadow_path, "xxxxxx xxxx\n");
	int pipes[2];

	tap_equal(set_label(fd, label, 0, shadow), 0, "label a file with a shadow file");
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED | TACET_LABEL_SHADOW, "it is current");
	usleep(20000);
	if (pwrite(fd, "S", 1, 0) != 1)
		tap_bail("pwrite");
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED, "not after a write");
	tap_equal(set_label(fd, label, TACET_LABEL_KEEP, shadow), 0, "register again");
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED | TACET_LABEL_SHADOW, "current again");
	if (ftruncate(fd, 5))
		tap_bail("ftruncate");
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED, "not after a truncation");
	tap_equal(set_label(fd, label, 0, -1), 0, "register none");
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED, "there is none");
	if (pipe(pipes))
		tap_bail("pipe");
	tap_errno(set_label(fd, label, 0, pipes[0]), EINVAL, "a pipe is no shadow file");
	tap_errno(set_label(fd, label, 0, fd), EINVAL, "nor is the file itself");
	tap_errno(set_label(pipes[0], label, 0, -1), EINVAL, "a pipe cannot be labelled");
	close(pipes[0]);
	close(pipes[1]);
	set_label(fd, make_label(0), 0, -1);
	close(fd);
	close(shadow);
	unlink(path);
	unlink(shadow_path);
}

static void test_reopen(const char *path)
{
	struct tacet_reopen request = { .fd = make_file(path, "salary 1234\n") };
	char data[32] = "";
	char *mapping;
	int fd, file;

	set_label(request.fd, make_label(1, 5), 0, -1);
	fd = ioctl(control, TACET_IOC_REOPEN, &request);
	tap_ok(fd >= 0, "reopen a labelled file");
	tap_equal(fcntl(fd, F_GETFD), FD_CLOEXEC, "closed on exec");
	tap_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY, "read-only");
	tap_equal(read(fd, data, sizeof(data)), 12, "it can be read");
	tap_ok(!strcmp(data, "salary 1234\n"), "as it is");
	mapping = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	tap_ok(mapping != MAP_FAILED && !memcmp(mapping, "salary", 6), "and mapped");
	munmap(mapping, 4096);
	close(fd);
	file = request.fd;
	request.fd = open(path, O_PATH | O_CLOEXEC);
	fd = ioctl(control, TACET_IOC_REOPEN, &request);
	tap_ok(fd >= 0 && read(fd, data, sizeof(data)) == 12, "reopen by a descriptor of O_PATH");
	close(fd);
	request.reserved = 1;
	tap_errno(ioctl(control, TACET_IOC_REOPEN, &request), EINVAL, "a reserved field of it");
	close(request.fd);
	set_label(file, make_label(0), 0, -1);
	close(file);
	unlink(path);
}

static void test_deletion(const char *path, const char *second)
{
	unsigned int before = armed_files();
	int fd = make_file(path, "x");

	set_label(fd, make_label(1, 5), 0, -1);
	close(fd);
	tap_equal(armed_files(), before + 1, "a closed file triggers on");
	unlink(path);
	tap_ok(armed_becomes(before), "until it is deleted");

	fd = make_file(path, "x");
	set_label(fd, make_label(1, 5), 0, -1);
	if (link(path, second))
		tap_bail("link");
	unlink(path);
	tap_equal(armed_files(), before + 1, "a second link keeps it");
	unlink(second);
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED, "an open file keeps it");
	close(fd);
	tap_ok(armed_becomes(before), "until the last link and descriptor are gone");

	fd = make_file(path, "x");
	set_label(fd, make_label(1, 5), 0, -1);
	close(fd);
	close(make_file(second, "y"));
	if (rename(second, path))
		tap_bail("rename");
	tap_ok(armed_becomes(before), "renaming another file over it deletes it");
	unlink(path);
}

/* The name that is open is not the one that is removed last. */
static void test_deletion_while_open(const char *path, const char *second)
{
	unsigned int before = armed_files();
	int fd = make_file(path, "x");

	set_label(fd, make_label(1, 5), 0, -1);
	if (link(path, second))
		tap_bail("link");
	unlink(path);
	close(open(second, O_RDONLY));
	unlink(second);
	usleep(300000);
	tap_equal(get_label(fd).flags, TACET_LABEL_ARMED, "a file that is open by another name still triggers");
	close(fd);
	tap_ok(armed_becomes(before), "until it is closed");
}

static void test_directory(const char *directory)
{
	char path[256], second[256];

	printf("# in %s\n", directory);
	snprintf(path, sizeof(path), "%s/labelled", directory);
	snprintf(second, sizeof(second), "%s/second", directory);
	test_set_and_get(path);
	test_on_disk(path);
	test_corrupt(path);
	test_shadow_registration(path, second);
	test_reopen(path);
	test_deletion(path, second);
	test_deletion_while_open(path, second);
}

static void test_memfd(void)
{
	unsigned int before = armed_files();
	int fd = memfd_create("labelled", 0);

	tap_equal(set_label(fd, make_label(1, 5), 0, -1), 0, "an anonymous file in memory can be labelled");
	tap_equal(armed_files(), before + 1, "and triggers");
	close(fd);
	tap_ok(armed_becomes(before), "until it is closed");
}

static void test_unsupported(void)
{
	int fd = open("/proc/self/comm", O_RDWR), directory = open("/tmp", O_RDONLY);

	tap_errno(set_label(fd, make_label(1, 5), 0, -1), EOPNOTSUPP, "no labels in /proc");
	tap_errno(set_label(directory, make_label(1, 5), 0, -1), EINVAL, "no label for a directory");
	close(fd);
	close(directory);
}

static void test_unmount(void)
{
	unsigned int before = armed_files(), i;
	char path[64];
	int fd;

	mkdir("/tmp/volume", 0700);
	if (mount("tmpfs", "/tmp/volume", "tmpfs", 0, NULL))
		tap_bail("mount");
	for (i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "/tmp/volume/%u", i);
		fd = make_file(path, "x");
		if (set_label(fd, make_label(1, 5), 0, -1))
			tap_bail("set_label");
		close(fd);
	}
	tap_equal(armed_files(), before + 200, "200 files on a volume");
	tap_equal(umount("/tmp/volume"), 0, "it can be unmounted");
	tap_ok(armed_becomes(before), "their triggers are gone");
	rmdir("/tmp/volume");
}

static void test_read_only(void)
{
	int fd;

	mkdir("/tmp/volume", 0700);
	if (mount("tmpfs", "/tmp/volume", "tmpfs", 0, NULL))
		tap_bail("mount");
	fd = make_file("/tmp/volume/kept", "x");
	set_label(fd, make_label(1, 5), 0, -1);
	close(fd);
	if (mount(NULL, "/tmp/volume", NULL, MS_REMOUNT | MS_RDONLY, NULL))
		tap_bail("remount");
	fd = open("/tmp/volume/kept", O_RDONLY);
	tap_errno(set_label(fd, make_label(1, 6), 0, -1), EROFS, "no new label on a read-only volume");
	tap_equal(set_label(fd, make_label(0), TACET_LABEL_KEEP, -1), 0, "KEEP works there");
	tap_equal(get_label(fd).label.categories[0], 5, "with the old label");
	close(fd);
	umount("/tmp/volume");
	rmdir("/tmp/volume");
}

/* Many labels from several processes at a time, made and removed while others do the same. */
static void test_stress(void)
{
	unsigned int before = armed_files();
	int process, round, status, failed = 0;
	int shadow = make_file("/tmp/stress-shadow", "x");
	char path[64];

	for (process = 0; process < 4; process++) {
		if (fork())
			continue;
		for (round = 0; round < 300; round++) {
			int fd;

			snprintf(path, sizeof(path), "/tmp/stress-%d", round % 3);
			fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
			if (fd < 0)
				_exit(1);
			set_label(fd, make_label(2, 1 + round % 5, 10 + process), 0, round % 2 ? shadow : -1);
			get_label(fd);
			if (round % 7 == process)
				unlink(path);
			if (round % 5 == process)
				set_label(fd, make_label(0), 0, -1);
			close(fd);
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		failed |= status;
	tap_equal(failed, 0, "four processes label the same files");
	for (round = 0; round < 3; round++) {
		snprintf(path, sizeof(path), "/tmp/stress-%d", round);
		unlink(path);
	}
	close(shadow);
	unlink("/tmp/stress-shadow");
	tap_ok(armed_becomes(before), "and nothing is left");
}

int main(int count, char **arguments)
{
	int i;

	control = open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
	if (control < 0)
		tap_bail(TACET_DEVICE);
	test_information();
	test_longer_structures();
	test_policy();
	test_guard();
	test_verdict();
	test_stream();
	test_privilege();
	if (count == 1)
		test_directory("/tmp");
	for (i = 1; i < count; i++)
		test_directory(arguments[i]);
	test_memfd();
	test_unsupported();
	test_unmount();
	test_read_only();
	test_stress();
	return tap_end();
}
