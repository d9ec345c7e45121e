// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has the kernel audit one system call of every program. Without auditd the records go to the kernel's log.
 *   audit on|off NUMBER
 */
#include <linux/audit.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
	struct nlmsghdr header;
	union {
		struct audit_status status;
		struct audit_rule_data rule;
	};
};

/* Returns 0, or the error that the kernel answers. */
static int ask(int fd, int type, struct request *request, size_t size)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char rest[8192];
	} answer;

	request->header = (struct nlmsghdr){
		.nlmsg_len = NLMSG_LENGTH(size),
		.nlmsg_type = type,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
	};
	if (send(fd, request, request->header.nlmsg_len, 0) < 0)
		return -1;
	do
		if (recv(fd, &answer, sizeof(answer), 0) < 0)
			return -1;
	while (answer.header.nlmsg_type != NLMSG_ERROR);
	return answer.error.error;
}

int main(int count, char **words)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT), number, on, error;
	struct request rule = {}, status = {};

	if (count != 3)
		return 2;
	on = !strcmp(words[1], "on");
	number = atoi(words[2]);
	status.status.mask = AUDIT_STATUS_ENABLED;
	status.status.enabled = on;
	rule.rule.flags = AUDIT_FILTER_EXIT;
	rule.rule.action = AUDIT_ALWAYS;
	rule.rule.mask[AUDIT_WORD(number)] = AUDIT_BIT(number);
	error = ask(fd, AUDIT_SET, &status, sizeof(status.status));
	if (!error)
		error = ask(fd, on ? AUDIT_ADD_RULE : AUDIT_DEL_RULE, &rule, sizeof(rule.rule));
	if (error)
		fprintf(stderr, "audit: error %d\n", error);
	return error != 0;
}
