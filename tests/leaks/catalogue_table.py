# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogues as a table for each kernel: what must happen to a row's data, what was seen, and the same without the label."""

import collections

# Test that judged the row -> the result that it wants.
MUST = {"test_blocked": "asked", "test_refused": "refused", "test_beyond_the_limits": "not seen (a limit)",
        "test_innocent": "not asked", "test_innocent_that_diverges": "not asked, tainted",
        "test_false_alarm": "asked (a defect)"}
CONTROL = "test_leaks_without_label"


def seen(outcome):
    """The result of a row, in a few words."""
    if outcome is None:
        return "did not run"
    words = [f"{len(outcome.questions)} asked", f"{len(outcome.received)} B arrived"]
    return ", ".join(words + ["tainted"] * bool(outcome.tainted))


class Table:
    """Rows by kernel, as tests report them."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = collections.defaultdict(lambda: collections.defaultdict(dict))

    def note(self, kernel, test, case, outcome, passed):
        """One test's end: whether it passed, and the Outcome or None."""
        # A leak and an innocent may have the same name.
        row = self.rows[kernel][case.name, not test.startswith(("test_blocked", "test_refused", "test_beyond", CONTROL))]
        if test == CONTROL:
            row["control"] = f"{len(outcome.received)} B" if outcome and passed else "WRONG"
        else:
            row.update(must=MUST[test], seen=seen(outcome), right="yes" if passed else "NO", why=getattr(case, "limit", "") or
                       getattr(case, "diverges", ""))

    def write(self):
        """leaks-KERNEL.txt in the folder, for each kernel with rows."""
        for kernel, rows in self.rows.items():
            lines = [f"kernel {kernel}", f"{'row':<44}{'must be':<22}{'seen':<36}{'right':<7}{'unmarked':<12}why"]
            for (name, _), row in sorted(rows.items(), key=lambda pair: (pair[1].get("must", ""), pair[0])):
                lines.append(f"{name[:43]:<44}{row.get('must', '-'):<22}{row.get('seen', '-'):<36}{row.get('right', '-'):<7}"
                             f"{row.get('control', '-'):<12}{row.get('why', '')}".rstrip())
            counts = collections.Counter((row.get("must", "-"), row.get("right", "-")) for row in rows.values())
            lines += [f"{must}: {number}, {'right' if right == 'yes' else 'WRONG'}" for (must, right), number in sorted(counts.items())]
            controls = collections.Counter(row["control"] == "WRONG" for row in rows.values() if "control" in row)
            lines.append(f"unmarked: {controls[False]} leak, as they must; {controls[True]} do not")
            self.folder.mkdir(exist_ok=True)
            (self.folder / f"leaks-{kernel}.txt").write_text("\n".join(lines) + "\n")
