# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the lines of C and C++ that guard something, and breaks them: one mutation for each such line."""

import dataclasses
import re

IF = re.compile(r"^(\s*(?:\} )?(?:else )?if \()(.+)(\)(?: \{)?)$")
LEAVES = re.compile(r"^\s*(return\b|goto |continue;|break;|throw\b)")
RETURNED = re.compile(r"^\s*return .*(&&|\|\|| [<>]=? | [!=]= )")
# (a comparison, what it becomes); the spaces keep out arrows, shifts and templates.
COMPARISONS = [(" <= ", " < "), (" >= ", " > "), (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" > ", " >= ")]
C_LOCK_NAMES = {
    "mutex_lock": "mutex_unlock",
    "spin_lock": "spin_unlock",
    "spin_lock_bh": "spin_unlock_bh",
    "spin_lock_irq": "spin_unlock_irq",
    "down_read": "up_read",
    "down_write": "up_write",
}
CPP_LOCK = re.compile(r"^\s*(const )?std::(lock_guard|unique_lock|scoped_lock)\b.*;$")


@dataclasses.dataclass(frozen=True)
class Mutation:
    """One broken line: `line` counts from 1; `removed` are the lines that go with a lock, such as those that give it back."""
    path: str
    line: int
    kind: str
    before: str
    after: str
    removed: tuple = ()


def is_balanced(text):
    """Whether every parenthesis is closed, so that the condition ends on its line."""
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def broken_comparison(text):
    """The line with its first comparison turned, or None."""
    places = [(text.index(old), old, new) for old, new in COMPARISONS if old in text]
    if not places:
        return None
    place, old, new = min(places)
    return text[:place] + new + text[place + len(old):]


def unlocked(lines, index):
    """The indexes of the lines that give back the C lock that line `index` takes, in the same function; None when it takes none."""
    match = re.match(r"^\s*(\w+)\((.+)\);$", lines[index])
    if not match or match[1] not in C_LOCK_NAMES:
        return None
    end = next((number for number in range(index, len(lines)) if lines[number] == "}"), len(lines))
    giving = f"{C_LOCK_NAMES[match[1]]}({match[2]});"
    return [number for number in range(index, end) if lines[number].strip() == giving]


def mutation_of(path, lines, index):
    """The Mutation of a line; None when it guards nothing."""
    text, number = lines[index], index + 1
    if CPP_LOCK.match(text):
        return Mutation(path, number, "lock", text, "")
    given_back = unlocked(lines, index)
    if given_back:
        return Mutation(path, number, "lock", text, "", tuple(given + 1 for given in given_back))
    match = IF.match(text)
    if match and is_balanced(match[2]) and ";" not in match[2]:
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if LEAVES.match(following):
            return Mutation(path, number, "refusal", text, f"{match[1]}false && ({match[2]}){match[3]}")
        turned = broken_comparison(text)
        if turned:
            return Mutation(path, number, "comparison", text, turned)
        return Mutation(path, number, "check", text, f"{match[1]}!({match[2]}){match[3]}")
    if RETURNED.match(text) and is_balanced(text):
        turned = broken_comparison(text)
        if turned:
            return Mutation(path, number, "comparison", text, turned)
        old, new = ("&&", "||") if "&&" in text else ("||", "&&")
        return Mutation(path, number, "check", text, text.replace(old, new, 1))
    return None


def mutations_of(path, text):
    """All mutations of a file, in the order of its lines."""
    lines = text.split("\n")
    found = (mutation_of(path, lines, index) for index in range(len(lines)))
    return [mutation for mutation in found if mutation]


def applied(mutation, text):
    """The file's text with the mutation."""
    lines = text.split("\n")
    if lines[mutation.line - 1] != mutation.before:
        raise ValueError(f"{mutation.path}:{mutation.line} is not what it was")
    lines[mutation.line - 1] = mutation.after
    for number in mutation.removed:
        lines[number - 1] = ""
    return "\n".join(lines)


def found_again(path, before, after, text):
    """The Mutation of a line that may have moved; None when the line is gone or breaks in another way now."""
    return next((mutation for mutation in mutations_of(path, text)
                 if mutation.before.strip() == before and mutation.after.strip() == after), None)
