/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own credentials. */
#ifndef _TACET_BASE_CREDENTIAL_H
#define _TACET_BASE_CREDENTIAL_H

struct cred;

/*
 * The module opens files and writes attributes with these where the current task may lack the rights. A file
 * that was opened with them is the module's own. They are there as long as anything else of the module.
 */
extern const struct cred *tacet_credential;

int tacet_credential_init(void);
void tacet_credential_exit(void);

#endif
