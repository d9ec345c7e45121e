// SPDX-License-Identifier: GPL-2.0-only
/* Stamps that the kernel holds for the program, and frees when it ends, or later. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "memory.h"
#include "stamp.h"

#define SIZE (2 << 20)

static void lose_by_pipe(uint64_t tag, const char *)
{
	char part[PAGE];
	int ends[2];

	if (pipe2(ends, O_NONBLOCK))
		exit(fail("pipe"));
	/* Few pages would soon be used again, and the control find nothing. */
	if (fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
		exit(fail("size of the pipe"));
	fill(part, sizeof(part), tag);
	while (write(ends[1], part, sizeof(part)) > 0)
		;
	explicit_bzero(part, sizeof(part));
}

static void lose_by_socket(uint64_t tag, const char *)
{
	char part[PAGE];
	int ends[2], i, size = 1 << 20;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
		exit(fail("socketpair"));
	fill(part, sizeof(part), tag);
	if (setsockopt(ends[1], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		exit(fail("size of the socket"));
	/* Small ones are in objects of the kernel's, large ones in pages. */
	for (i = 0; write(ends[1], part, i % 2 ? 1000 : sizeof(part)) > 0; i++)
		;
	explicit_bzero(part, sizeof(part));
}

/* It lives on with the messages. */
static void hold_in_socket(uint64_t tag, const char *meeting)
{
	lose_by_socket(tag, NULL);
	meet(meeting);
}

/* The kernel frees it later, by a thread of its own. */
static void lose_in_map(uint64_t tag, const char *)
{
	union bpf_attr map = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = PAGE };
	union bpf_attr element = {};
	char part[PAGE];
	uint32_t key;

	map.max_entries = SIZE / PAGE;
	fill(part, sizeof(part), tag);
	element.map_fd = syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof(map));
	element.key = (uintptr_t)&key;
	element.value = (uintptr_t)part;
	for (key = 0; key < SIZE / PAGE; key++)
		if (syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &element, sizeof(element)))
			exit(fail("map"));
	explicit_bzero(part, sizeof(part));
}

static const struct {
	const char *name;
	void (*lose)(uint64_t tag, const char *meeting);
} ways[] = {
	{ "names", lose_by_names },	    { "pipe", lose_by_pipe },
	{ "kept-page", lose_in_kept_page }, { "socket", lose_by_socket },
	{ "socket-held", hold_in_socket },  { "map", lose_in_map },
	{ "queue", lose_in_queue },	    { "attributes", lose_in_attributes },
};

bool lose_in_kernel(const char *way, uint64_t tag, const char *meeting)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (!strcmp(ways[i].name, way)) {
			ways[i].lose(tag, meeting);
			return true;
		}
	}
	return false;
}
