// SPDX-License-Identifier: GPL-2.0-only
/* A program of 32 bits, without a C library. It ends with status 7. */
void _start(void)
{
	asm volatile("int $0x80" : : "a"(1), "b"(7));
}
