# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the documents: short sentences, no headless fragments, links that lead somewhere, tests that exist.

usage: check_prose.py [--words] FILE.md... (paths relative to the tree, which is the working directory)

A sentence has at most 25 words, a document's sentences have 15 on average. Cells of tables count for the first rule only.
A document names a test as `kernel/test_outputs.py::test_blocked`: a file below tests/, and a word in that file.
--words prints the number of sentences, the average and the longest of each document.
"""

import pathlib
import re
import sys

LONGEST = 25
AVERAGE = 15
# The average of a page with a few sentences tells nothing.
ENOUGH = 8
FENCE = re.compile(r"^\s*(```|~~~).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
CODE = re.compile(r"`[^`]*`")
ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s+")
# Names such as tacetd begin a sentence in lower case.
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)[\"”)*_]*\s+(?=[\"“(*_]*\w)")
FRAGMENT = re.compile(r"^[\"“(*_]*(What|Who|Whom|Whose|Whoever|Of|Which)\b[^?]*$")
NAMED_TEST = re.compile(r"`([\w./-]+\.(?:py|cpp|c|h))::([\w.-]+)`")


def blocks(text):
    """Yields (kind, text) for each paragraph, item and cell; kind is "prose" or "cell"."""
    lines = []
    for line in COMMENT.sub("", FENCE.sub("\n", text)).splitlines() + [""]:
        is_row = line.lstrip().startswith("|")
        if lines and (not line.strip() or is_row or line.startswith("#") or ITEM.match(line)):
            yield "prose", " ".join(lines)
            lines = []
        if is_row:
            yield from (("cell", cell.strip()) for cell in CODE.sub("Code", line).strip().strip("|").split("|") if cell.strip(" :-"))
        elif line.strip() and not line.startswith("#"):
            lines.append(ITEM.sub("", line).strip())


def sentences(block):
    """The sentences of a paragraph, each word of code standing as one word."""
    plain = LINK.sub(r"\1", IMAGE.sub("", CODE.sub("Code", block))).replace("**", "")
    return [sentence for sentence in SENTENCE_END.split(plain.strip()) if words(sentence)]


def words(sentence):
    """How many words a sentence has; a dash or an arrow is none."""
    return sum(1 for word in sentence.split() if any(letter.isalnum() for letter in word))


def measure(text):
    """The sentences of a document, as (kind, sentence)."""
    return [(kind, sentence) for kind, block in blocks(text) for sentence in sentences(block)]


def average(measured):
    """Words for each sentence of running text."""
    counts = [words(sentence) for kind, sentence in measured if kind == "prose"]
    return sum(counts) / len(counts) if counts else 0


def long_sentence(_path, text):
    """At most 25 words, in tables too."""
    for _kind, sentence in measure(text):
        if words(sentence) > LONGEST:
            yield f"{words(sentence)} words: {sentence}"


def long_on_average(_path, text):
    """15 words on average."""
    measured = measure(text)
    if sum(kind == "prose" for kind, _sentence in measured) >= ENOUGH and average(measured) > AVERAGE:
        yield f"sentences have {average(measured):.1f} words on average, more than {AVERAGE}"


def fragment(_path, text):
    """A sentence has a subject and a verb: these first words begin one that mostly has not."""
    for kind, sentence in measure(text):
        if kind == "prose" and FRAGMENT.match(sentence):
            yield f"begins like a fragment: {sentence}"


def dead_link(path, text):
    """A link inside the tree leads to a file."""
    for _label, link in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        target = link.split("#")[0]
        if target and "://" not in target and not target.startswith("mailto:") and not (pathlib.Path(path).parent / target).exists():
            yield f"links to {target}, which does not exist"


def missing_test(_path, text):
    """A test that a document names exists."""
    for file, name in NAMED_TEST.findall(text):
        source = pathlib.Path("tests") / file
        if not source.is_file():
            yield f"names {file}, which is no file below tests/"
        elif not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", source.read_text(encoding="utf-8")):
            yield f"names {file}::{name}, but that file has no {name}"


RULES = (long_sentence, long_on_average, fragment, dead_link, missing_test)


def findings(path, text):
    """All that the rules say about one document, as lines."""
    return [f"{path}: {finding}" for rule in RULES for finding in rule(path, text)]


def summary(path, text):
    """One line of figures for a document."""
    measured = measure(text)
    longest = max((words(sentence) for _kind, sentence in measured), default=0)
    return f"{path}: {len(measured)} sentences, {average(measured):.1f} words on average, {longest} at most"


def main(arguments):
    """Prints the findings; 1 when there are any."""
    paths = [argument for argument in arguments if argument != "--words"]
    texts = {path: pathlib.Path(path).read_text(encoding="utf-8") for path in paths}
    if "--words" in arguments:
        print("\n".join(summary(path, text) for path, text in texts.items()))
    lines = [line for path, text in texts.items() for line in findings(path, text)]
    print("".join(line + "\n" for line in lines), end="", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
