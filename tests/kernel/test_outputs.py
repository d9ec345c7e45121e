# SPDX-License-Identifier: GPL-3.0-or-later
"""Every way to send bytes to another host is compared."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_allowed, assert_blocked, assert_scrubbed

OUTPUTS = [
    "write", "writev", "pwrite", "pwritev2", "sparse-file", "mapped-file", "send", "sendto-connected", "sendto-addressed", "fast-open",
    "sendmsg", "sendmsg-addressed", "zero-copy", "sendmmsg", "splice", "sendfile", "sendfile-at", "child", "thread",
    "wrong-ends", "spawn", "vfork",
]
# Borders of messages are lost in the comparison: blocked instead (docs/user/limits.md).
NOT_SCRUBBED = ["sendmmsg"]
# These tell the secret by the order, number or place of what arrives, not by its bytes.
COVERT = ["branch", "length", "border", "port", "connect"]


@pytest.mark.parametrize("case", [Case("read-" + name, f"leak read {name} secret") for name in OUTPUTS], ids=str)
def test_blocked(case, outcome):
    # The file is filled up with zeros to its length.
    assert_blocked(outcome)


@pytest.mark.parametrize("case", [Case("read-vmsplice", "leak read vmsplice secret", "allow")], ids=str)
def test_vmsplice_is_refused(case, outcome):
    """Pages lent to a pipe may change after the comparison."""
    assert "Function not implemented" in outcome.output and outcome.received == b"", outcome.describe()
    assert not outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [Case("read-" + name, f"leak read {name} secret", "allow") for name in OUTPUTS], ids=str)
def test_allowed(case, outcome):
    assert_allowed(outcome)
    assert outcome.status == 0, outcome.describe()


@pytest.mark.parametrize("case", [Case("read-" + name, f"leak read {name} secret", "scrub") for name in OUTPUTS
                                  if name not in NOT_SCRUBBED], ids=str)
def test_scrubbed(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.status == 0, outcome.describe()


@pytest.mark.parametrize("case", [Case("read-" + name, f"leak read {name} secret", "scrub") for name in NOT_SCRUBBED], ids=str)
def test_blocked_instead_of_scrubbed(case, outcome):
    assert_blocked(outcome)
    assert "Operation not permitted" in outcome.output, outcome.describe()


@pytest.mark.parametrize("case", [Case("read-" + name, f"leak read {name} secret") for name in COVERT], ids=str)
def test_covert_blocked(case, outcome):
    assert outcome.questions, outcome.describe()
    # Bytes that both halves send alike may go, up to the first difference.
    assert len(outcome.received) <= 1, outcome.describe()
