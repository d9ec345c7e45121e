// SPDX-License-Identifier: GPL-2.0-only
/* Where the fields are of the kernel's structures that no header has. */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "base/layout.h"
#include "base/symbol.h"

static const struct btf_type *find_structure(const struct btf *types, const char *name)
{
	s32 number = static_call(tacet_find_type)(types, name, BTF_KIND_STRUCT);

	return number > 0 ? static_call(tacet_type)(types, number) : NULL;
}

int tacet_layout_find(const char *structure, const char *field, size_t *offset)
{
	const struct btf *types = static_call(tacet_kernel_types)();
	const struct btf_type *type = IS_ERR_OR_NULL(types) ? NULL : find_structure(types, structure);
	const struct btf_member *member;
	const char *name;
	unsigned int i;

	if (!type)
		return -ENOENT;
	for_each_member(i, type, member) {
		name = static_call(tacet_type_name)(types, member->name_off);
		if (name && !strcmp(name, field)) {
			*offset = __btf_member_bit_offset(type, member) / BITS_PER_BYTE;
			return 0;
		}
	}
	return -ENOENT;
}
