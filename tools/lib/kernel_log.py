# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds faults in a guest's kernel log."""

import re

FAULT = re.compile(
    r"BUG:|WARNING:|Oops|KASAN|KCSAN|UBSAN|general protection fault|Kernel panic|kernel BUG at|"
    r"INFO: task .* blocked|rcu: INFO:|soft lockup|hard LOCKUP|refcount_t:|list_(add|del) corruption|"
    r"possible recursive locking|possible circular locking|suspicious RCU|unreferenced object|"
    r"=+\s*\[ cut here \]|Slab .*(corrupt|Objects remaining)|Poison overwritten|Redzone overwritten"
)


def faults(text):
    """The lines of a kernel log that tell of a fault, in order."""
    return [line for line in text.splitlines() if FAULT.search(line)]


def waiting(text):
    """What the programs of a guest wait for, from a log with the stacks of all tasks: "NAME (state): function < function < ..."."""
    found = []
    for name, state, stack in re.findall(r"task:(.{15}) state:(\S).*\n((?:\[[ .\d]+\] (?!task:).*\n)*)", text):
        functions = re.findall(r"\]  ([\w.]+)\+0x", stack)
        # Threads of the kernel and those that do nothing have no call.
        if any(function.startswith("do_syscall") for function in functions) or state in "RD":
            found.append(f"{name.strip()} ({state}): {' < '.join(functions)}")
    return found


def around_first_fault(text):
    """A kernel log from 60 lines before its first fault to 240 lines behind it; "" when there is none."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if FAULT.search(line)), None)
    return "" if first is None else "\n".join(lines[max(first - 60, 0):first + 240])


def tail(text, lines=40):
    """The last lines of a text."""
    return "\n".join(text.splitlines()[-lines:])
