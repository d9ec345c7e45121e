# SPDX-License-Identifier: GPL-3.0-or-later
"""A password that programs were given is nowhere in memory once they have ended, if they are chosen. The same programs without it are
the control."""

import pathlib

import pytest

from guest import Guest, image_directory
from tests.secrets.cases import CASES, PACKAGES, prepare, run

OUT = pathlib.Path(__file__).resolve().parents[2] / "out"


@pytest.fixture(scope="module")
def guest(kernel):
    """With 2 GiB, all memory begins at address 0."""
    with Guest(kernel, image=image_directory(sorted(PACKAGES), "TACET_SECRETS_IMAGE"), memory="2G") as machine:
        prepare(machine)
        yield machine
        machine.check_kernel_log()


@pytest.fixture(scope="module")
def table(kernel):
    """The rows, which are printed and kept at the end."""
    rows = [f"{'kernel ' + kernel:<32}{'any program':>24}{'chosen':>24}", f"{'':<32}" + f"{'after 5 s':>14}{'ended':>10}" * 2]
    yield rows
    OUT.mkdir(exist_ok=True)
    (OUT / f"secrets-{kernel}.txt").write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_secret_is_gone(guest, table, case):
    # Freed memory may soon be used again, so that the control has three tries.
    for _ in range(3):
        other = run(guest, case, chosen=False)
        if max(other) > 0 or case.clears:
            break
    chosen = run(guest, case, chosen=True)
    table.append(f"{case.name:<32}" + "".join(f"{now:>14}{ended:>10}" for now, ended in (other, chosen)))
    assert case.clears or max(other) > 0, "the search finds nothing"
    assert chosen[1] == 0, table[-1]
