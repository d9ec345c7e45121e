# SPDX-License-Identifier: GPL-3.0-or-later
"""While the app runs, the place of the person's next session is kept ready. It is empty, and it is there for nobody else."""

import pytest

from tests.system.sessions import private

NEWEST_KERNEL_ONLY = True


class Spare:
    """A process that waits for a session."""

    def __init__(self, guest, process):
        self.guest, self.process = guest, process
        self.unit = guest.run(f"sed 's,.*/,,' /proc/{process}/cgroup", check=True).stdout.strip()
        self.id = int(self.unit.removeprefix("tacet-session-").removesuffix(".service"))


def find(guest, but=None):
    """The one spare, unless it is the one named; None when there is none yet."""
    processes = guest.run("pgrep -x tacet-spare").stdout.split()
    assert len(processes) <= 1
    return Spare(guest, processes[0]) if processes and processes != [but and but.process] else None


@pytest.fixture
def spare(scene):
    """The one that waits."""
    return scene.guest.wait_for(lambda: find(scene.guest), 30, "a spare place")


def run(scene, script):
    """What a private program prints."""
    done = scene.run(private(script))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_next_session_takes_it(scene, spare):
    """The session has the spare's process and number; after it another one waits."""
    attempt = scene.start(private("sleep 1000"))
    session = scene.guest.wait_for(lambda: scene.tacet.json("session", "list"), what="the session")[0]
    assert session["id"] == spare.id
    assert scene.guest.run(f"cat /proc/{spare.process}/comm").stdout.strip() == "tacet-session"
    scene.tacet.run("session", "end", spare.id, person=True)
    attempt.finish()
    after = scene.guest.wait_for(lambda: find(scene.guest, but=spare), 30, "another spare place")
    assert after.id != spare.id


@pytest.mark.nightly
def test_holds_nothing_of_the_person(scene, spare):
    """No session is listed for it. It has nothing of hers, no namespace of its own, and she cannot reach it."""
    assert scene.tacet.json("session", "list") == []
    facts = f"/proc/{spare.process}"
    guest = scene.guest
    assert guest.run(f"stat -c %U {facts}", check=True).stdout.strip() == "root"
    assert "anna" not in guest.run(f"tr '\\0' '\\n' <{facts}/environ; cat {facts}/cmdline; ls -l {facts}/cwd {facts}/fd").stdout
    assert guest.run(f"for name in mnt pid ipc net; do cmp <(readlink {facts}/ns/$name) <(readlink /proc/1/ns/$name); done").stdout == ""
    assert guest.run(f"ls /sys/fs/cgroup/user.slice/user-1000.slice/{spare.unit}/programs").returncode != 0
    for way in (f"kill -9 {spare.process}", f"cat {facts}/environ", f"echo $$ >/sys/fs/cgroup/user.slice/user-1000.slice/{spare.unit}/cgroup.procs",
                f"systemctl stop --no-ask-password {spare.unit}"):
        assert scene.run(way).returncode != 0, way
    assert find(guest).process == spare.process


@pytest.mark.nightly
def test_session_starts_when_it_was_killed(scene, spare):
    """The person notices nothing, and the next one has a spare place again."""
    scene.guest.run(f"kill -9 {spare.process}", check=True)
    assert run(scene, "echo done") == "done"
    assert scene.guest.wait_for(lambda: find(scene.guest, but=spare), 30, "another spare place")


@pytest.mark.nightly
def test_goes_with_the_app(scene, spare):
    """Whoever does not use Tacet's desktop pays nothing."""
    scene.stop_app()
    try:
        scene.guest.wait_for(lambda: scene.guest.run(f"ls /proc/{spare.process}").returncode != 0, 10, "the spare place to go")
        assert run(scene, "echo done") == "done"
        scene.guest.run("sleep 8")
        assert scene.guest.run("systemctl list-units --all --plain --no-legend 'tacet-session-*'").stdout == ""
    finally:
        scene.start_app()


@pytest.mark.nightly
def test_goes_with_the_daemon(scene, spare):
    """An older tacetd's place is not the next one's. It leaves no failed unit behind."""
    scene.guest.run("systemctl restart tacetd", check=True)
    after = scene.guest.wait_for(lambda: find(scene.guest, but=spare), 60, "the next daemon's spare place")
    assert after.unit != spare.unit
    assert scene.guest.run(f"systemctl is-failed {spare.unit}").returncode != 0
    assert run(scene, "echo done") == "done"
