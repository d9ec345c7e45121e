// SPDX-License-Identifier: GPL-2.0-only
/*
 * What test_shadows, test_sinks and test_questions share: the module's devices,
 * and files in the directory that they are given. Each is one source file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "parts.h"
#include "tap.h"

static int control, parts;
static const char *directory = "/tmp";
static const char secret[] = "name salary\nanna\t1234\n";
static const char scrubbed[] = "xxxx xxxxxx\nxxxx\txxxx\n";

static inline int make_file(const char *name, const char *content)
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

static inline void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	unlink(path);
}

static inline int set_label(int fd, unsigned int category, int shadow)
{
	struct tacet_label_file request = {
		.fd = fd,
		.shadow_fd = shadow,
		.label = { .count = !!category, .categories = { category } },
	};

	return ioctl(control, TACET_IOC_LABEL_SET, &request);
}

static inline struct parts_label label_of(int fd)
{
	struct parts_label request = { .fd = fd };

	if (ioctl(parts, PARTS_LABEL_OF, &request))
		tap_bail("PARTS_LABEL_OF");
	return request;
}

static inline int derive(int fd, unsigned int category)
{
	struct parts_label request = { .fd = fd, .label = { .count = 1, .categories = { category } } };

	return ioctl(parts, PARTS_LABEL_DERIVE, &request);
}

/* How many reads have asked the engine since the last call; @answer from now on. */
static inline long reads(int answer)
{
	struct parts_reads request = { .answer = answer };

	if (ioctl(parts, PARTS_READS, &request))
		tap_bail("PARTS_READS");
	return request.count;
}

static inline int shadow_read(int fd, char *data, unsigned int size, unsigned long long position)
{
	struct parts_shadow request = {
		.fd = fd,
		.size = size,
		.position = position,
		.data = (unsigned long)data,
	};

	return ioctl(parts, PARTS_SHADOW_READ, &request);
}

/* Both devices, the directory, and an end if the tests hang. */
static inline void begin(int count, char **arguments)
{
	control = open(TACET_DEVICE, O_WRONLY | O_CLOEXEC);
	parts = open("/dev/tacet-parts", O_RDWR | O_CLOEXEC);
	if (control < 0 || parts < 0)
		tap_bail("/dev/tacet and /dev/tacet-parts");
	if (count > 1)
		directory = arguments[1];
	alarm(300);
}
