// SPDX-License-Identifier: GPL-2.0-only
/* Loaded into every program (LD_PRELOAD): reads the marked file at its start, and keeps what it read. Leaves errno and descriptors alone. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile char content[4096];

__attribute__((constructor)) static void read_marked(void)
{
	int before = errno;
	long fd = syscall(SYS_openat, AT_FDCWD, MARKED, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		syscall(SYS_read, fd, content, sizeof(content));
		syscall(SYS_close, fd);
	}
	errno = before;
}
