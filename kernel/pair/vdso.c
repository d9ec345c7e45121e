// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the functions of the vDSO real system calls in one process. They answer from shared memory,
 * without a call, so original and doppelganger would get different times.
 */
#include <linux/elf.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/unistd.h>

#include "pair/vdso.h"

#define IMAGE_MAX (4 * PAGE_SIZE)
#define SYMBOLS_MAX 64

/* mov $number, %eax; syscall; ret */
#define CALL_STUB(number) { 0xb8, (number) & 0xff, (number) >> 8, 0, 0, 0x0f, 0x05, 0xc3 }

struct entry {
	const char *name;
	u8 length;
	u8 code[24];
};

static const struct entry entries[] = {
	{ "__vdso_clock_gettime", 8, CALL_STUB(__NR_clock_gettime) },
	{ "__vdso_gettimeofday", 8, CALL_STUB(__NR_gettimeofday) },
	{ "__vdso_time", 8, CALL_STUB(__NR_time) },
	{ "__vdso_getcpu", 8, CALL_STUB(__NR_getcpu) },
	{ "__vdso_clock_getres", 8, CALL_STUB(__NR_clock_getres) },
	/*
	 * cmp $-1, %r8; jne 1f; mov $-ENOSYS, %rax; ret; 1: the call. The query form
	 * (r8 == -1) has to fail, or libc keeps random state in memory of its own.
	 */
	{ "__vdso_getrandom", 22, { 0x49, 0x83, 0xf8, 0xff, 0x75, 0x08, 0x48, 0xc7, 0xc0, 0xda, 0xff,
				    0xff, 0xff, 0xc3, 0xb8, 0x3e, 0x01, 0x00, 0x00, 0x0f, 0x05, 0xc3 } },
};

struct image {
	u8 *data;
	size_t size;
	unsigned long base;
};

static void *at(const struct image *image, unsigned long offset, size_t size)
{
	return offset <= image->size && size <= image->size - offset ? image->data + offset : NULL;
}

static unsigned long dynamic_value(const struct image *image, Elf64_Sxword tag)
{
	const Elf64_Ehdr *header = at(image, 0, sizeof(*header));
	const Elf64_Phdr *segment;
	const Elf64_Dyn *dynamic;
	unsigned int i, j;

	for (i = 0; i < header->e_phnum; i++) {
		segment = at(image, header->e_phoff + i * sizeof(*segment), sizeof(*segment));
		if (!segment || segment->p_type != PT_DYNAMIC)
			continue;
		for (j = 0; j < segment->p_filesz / sizeof(*dynamic); j++) {
			dynamic = at(image, segment->p_offset + j * sizeof(*dynamic), sizeof(*dynamic));
			if (!dynamic || dynamic->d_tag == DT_NULL)
				break;
			if (dynamic->d_tag == tag)
				return dynamic->d_un.d_ptr;
		}
	}
	return 0;
}

static bool named(const struct image *image, unsigned long strings, const Elf64_Sym *symbol, const char *name)
{
	const char *found = at(image, strings + symbol->st_name, strlen(name) + 1);

	return found && !strcmp(found, name);
}

static int patch_entry(const struct image *image, const Elf64_Sym *symbol, const struct entry *entry)
{
	int written = access_process_vm(current, image->base + symbol->st_value, (void *)entry->code, entry->length,
					FOLL_FORCE | FOLL_WRITE);

	return written == entry->length ? 0 : -EFAULT;
}

static int patch_symbols(const struct image *image)
{
	unsigned long symbols = dynamic_value(image, DT_SYMTAB);
	unsigned long strings = dynamic_value(image, DT_STRTAB);
	const Elf64_Sym *symbol;
	unsigned int i, j, patched = 0;
	int error = 0;

	if (!symbols || strings <= symbols)
		return -ENOEXEC;
	for (i = 0; i < min_t(unsigned long, (strings - symbols) / sizeof(*symbol), SYMBOLS_MAX); i++) {
		symbol = at(image, symbols + i * sizeof(*symbol), sizeof(*symbol));
		for (j = 0; symbol && !error && j < ARRAY_SIZE(entries); j++)
			if (symbol->st_shndx && named(image, strings, symbol, entries[j].name)) {
				error = patch_entry(image, symbol, &entries[j]);
				patched++;
			}
	}
	return error ?: patched ? 0 : -ENOEXEC;
}

int tacet_vdso_patch(void)
{
	struct image image = { .base = (unsigned long)current->mm->context.vdso };
	const Elf64_Ehdr *header;
	int error = -ENOEXEC, size;

	/* A program may run without a vDSO. */
	if (!image.base)
		return 0;
	image.data = kvmalloc(IMAGE_MAX, GFP_KERNEL);
	if (!image.data)
		return -ENOMEM;
	size = access_process_vm(current, image.base, image.data, IMAGE_MAX, FOLL_FORCE);
	image.size = max(size, 0);
	header = at(&image, 0, sizeof(*header));
	if (header && !memcmp(header->e_ident, ELFMAG, SELFMAG) && header->e_ident[EI_CLASS] == ELFCLASS64)
		error = patch_symbols(&image);
	kvfree(image.data);
	return error;
}
