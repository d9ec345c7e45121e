// SPDX-License-Identifier: GPL-2.0-only
/* The key of a session's store: found by its name, readable by nobody, gone
 * when it is revoked. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/keyctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../../kernel/uapi/tacet.h"
#include "private.h"

static long find(const char *name)
{
	return syscall(SYS_request_key, "logon", name, NULL, 0);
}

int key_try(int pid, int fd)
{
	struct tacet_session_key one = { 0 }, other = { 0 };
	int session = syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, pid, 0), fd, 0);
	char text[256] = "";

	printf("@without-keyring %s\n", ioctl(session, TACET_SESSION_KEY, &one) ? strerrorname_np(errno) : "made");
	syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1);
	printf("@bad-address %s\n", ioctl(session, TACET_SESSION_KEY, NULL) ? strerrorname_np(errno) : "made");
	if (ioctl(session, TACET_SESSION_KEY, &one) || ioctl(session, TACET_SESSION_KEY, &other))
		return 1;
	syscall(SYS_keyctl, KEYCTL_DESCRIBE, one.serial, text, sizeof(text));
	printf("@named %s\n", !strncmp(one.name, "tacet:", 6) && strlen(one.name) == 22 && strstr(text, one.name) &&
					      !strncmp(text, "logon;", 6) ?
				      "well" :
				      text);
	printf("@two %s\n", one.serial != other.serial && strcmp(one.name, other.name) ? "differ" : "are alike");
	printf("@found %s\n", find(one.name) == one.serial ? "yes" : "no");
	printf("@read %s\n",
	       syscall(SYS_keyctl, KEYCTL_READ, one.serial, text, sizeof(text)) < 0 ? strerrorname_np(errno) : text);
	syscall(SYS_keyctl, KEYCTL_REVOKE, one.serial);
	printf("@revoked %s\n", find(one.name) < 0 ? strerrorname_np(errno) : "found");
	return 0;
}
