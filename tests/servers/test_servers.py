# SPDX-License-Identifier: GPL-3.0-or-later
"""Real servers and tools give a file to another host: unmarked unasked; marked, with exactly one question, which does what it says.

docs/user/servers.md says what was seen. In an image of its own; the table goes to out/servers-KERNEL.txt."""

import contextlib
import pathlib
import time

import pytest

from guest import Guest
from tests.servers.servers import FILE, FOLDER, TOOLS, WAYS, image
from tests.system.leak_oracle import Secret
from tests.system.tacet_cli import Tacet

HERE = pathlib.Path(__file__).resolve().parent
NEWEST_KERNEL_ONLY = True
OUT = HERE.parents[1] / "out"
GOT = "/run/got/file"
VERDICTS = ["unmarked", "block", "allow", "scrub"]


@pytest.fixture(scope="module")
def machine(kernel):
    """The guest for all tests; its kernel log must stay clean."""
    with Guest(kernel, desktop="x11", image=image(), memory="3G") as guest:
        guest.put(HERE / "in_guest", TOOLS)
        guest.run(f"remote-exec true; mkdir -p -m 777 /run/got {FOLDER}; pkill -x tacet-app", check=True)
        guest.run("systemctl stop apache2 nginx lighttpd vsftpd smbd nmbd nfs-ganesha 2>/dev/null")
        yield guest
        guest.check_kernel_log()


@pytest.fixture(scope="module")
def table(kernel):
    """(way, verdict) -> (what came of it, why some had lost their doppelganger), written at the end."""
    rows = {}
    yield rows
    names = [way.name for way in WAYS if any(name == way.name for name, _ in rows)]
    cells = [("", *VERDICTS), *((name, *(rows.get((name, verdict), ["-"])[0] for verdict in VERDICTS)) for name in names)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [f"kernel {kernel}", *("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)]
    reasons = {name: sorted({reason for (way, _), (_, found) in rows.items() if way == name for reason in found}) for name in names}
    lines += ["", "lost doppelgangers:", *(f"{name:<20}{', '.join(found)}" for name, found in reasons.items() if found)]
    OUT.mkdir(exist_ok=True)
    (OUT / f"servers-{kernel}.txt").write_text("\n".join(lines) + "\n")


@contextlib.contextmanager
def running(guest, way):
    """The server, until it answers and as long as it is needed."""
    guest.run("systemctl stop tacet-server; systemctl reset-failed tacet-server; systemctl stop apache2")
    guest.run(way.start or "true", check=True)
    if way.port:
        guest.run(f"for i in $(seq 300); do ss -Hltn sport = :{way.port} | grep -q . && exit; sleep 0.1; done; systemctl status tacet-server; "
                  "exit 1", check=True)
    elif way.start:
        time.sleep(2)
    yield
    guest.run("systemctl stop tacet-server apache2")


def transfer(guest, way):
    """Begins the transfer; returns the Popen."""
    if way.there:
        return guest.popen(way.there.format(got=GOT), remote=True)
    # Its messages are dropped: after it has read the file they would be asked about on their way through the guest's own sshd.
    return guest.popen(f"{{ {way.here.format(got=GOT)}; }} >/dev/null 2>&1", user="anna", cwd=FOLDER)


def answer_all(tacet, process, verdict, seconds):
    """Answers until the transfer has ended, "scrub" only where that can be; returns the questions."""
    asked, end = [], time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        for question in tacet.questions():
            asked.append(question)
            # A tainted process has no doppelganger, so there is no scrubbed copy to send.
            tacet.run("breach", "answer", question["id"], "block" if question["tainted"] and verdict == "scrub" else verdict, check=False)
        time.sleep(0.3)
    process.kill()
    process.communicate()
    return asked


def judge(way, verdict, secret, received):
    """The result in a word, and whether it is right."""
    scrubbed = secret.scrubbed.encode()
    what = {secret.content.encode(): "all", scrubbed: "scrubbed", b"": "nothing"}.get(received, "other")
    if secret.leaked(received) and what != "all":
        what = "LEAK"
    right = {"unmarked": ["all"], "allow": ["all"], "block": ["nothing", "other"],
             "scrub": ["scrubbed"] if way.scrub == "scrubbed" else ["nothing", "other", "scrubbed"]}
    return what, what in right[verdict]


def told(asked):
    """The programs that were asked about, for the table."""
    who = sorted({question["executable"].rsplit("/", 1)[-1] + (" (unsure)" if question["tainted"] else "") for question in asked})
    return f", {len(asked)} asked: {' '.join(who)}" if asked else ""


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_way(machine, table, way, verdict):
    """One way out with one verdict."""
    tacet, secret = Tacet(machine), Secret()
    machine.run(f"rm -f {GOT} {FOLDER}/{FILE}", check=True)
    machine.write(f"{FOLDER}/{FILE}", secret.content, user="anna")
    machine.run(f"chmod 644 {FOLDER}/{FILE}", check=True)
    if verdict != "unmarked":
        tacet.label(f"{FOLDER}/{FILE}")
    before = tacet.last_log()
    with running(machine, way):
        asked = answer_all(tacet, transfer(machine, way), verdict, way.seconds)
    received = machine.run(f"cat {GOT} 2>/dev/null").stdout.encode()
    what, right = judge(way, verdict, secret, received)
    table[way.name, verdict] = what + told(asked), {entry["reason"] for entry in tacet.log(before) if entry["kind"] == "tainted"}
    assert right, (what, received[:300], asked)
    programs = [question["executable"] for question in asked]
    assert (sorted(set(programs)) if way.many_flows else programs) == ([] if verdict == "unmarked" else [way.asked]), asked
