# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes secrets of several sizes, frees them, and prints how many of their parts are still in the memory of this process."""

import ctypes
import re

# Made backwards, so that neither this file nor its code holds it.
PART = bytes(reversed(b"-51nocreM"))
SIZES = (24, 100, 600, 3000, 20_000, 100_000)
COPIES = 50

libc = ctypes.CDLL(None)
libc.malloc.restype = libc.realloc.restype = ctypes.c_void_p
libc.free.argtypes = (ctypes.c_void_p,)
libc.realloc.argtypes = (ctypes.c_void_p, ctypes.c_size_t)


def leave():
    """Blocks that are freed, and some that grow and shrink before."""
    blocks = []
    for size in SIZES * COPIES:
        block = libc.malloc(size)
        for place in range(0, size - len(PART), len(PART)):
            ctypes.memmove(block + place, PART, len(PART))
        blocks.append(block)
    blocks = [libc.realloc(block, 2 * size) if number % 3 == 0 else block
              for number, (block, size) in enumerate(zip(blocks, SIZES * COPIES, strict=True))]
    for block in blocks:
        libc.free(block)


def count():
    """The parts in all memory that can be written, but for the constant itself."""
    found = 0
    with open("/proc/self/maps", encoding="ascii") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            begin, end = (int(number, 16) for number in re.match(r"(\w+)-(\w+) rw", line).groups()) if " rw" in line else (0, 0)
            if begin < end and "[v" not in line:
                memory.seek(begin)
                found += memory.read(end - begin).count(PART)
    return found


before = count()
leave()
print(count() - before)
