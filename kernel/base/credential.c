// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's own credentials. */
#include <linux/cred.h>
#include <linux/init_task.h>

#include "base/credential.h"

const struct cred *tacet_credential;

int tacet_credential_init(void)
{
	tacet_credential = prepare_kernel_cred(&init_task);
	return tacet_credential ? 0 : -ENOMEM;
}

void tacet_credential_exit(void)
{
	put_cred(tacet_credential);
}
