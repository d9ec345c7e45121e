# SPDX-License-Identifier: GPL-3.0-or-later
"""A private session's store on disk: as a file system it is like any other, on the disk it is noise, and it goes with its session."""

import pathlib
import re

import pytest

from tests.system.sessions import ENDS, private, remains, wait_until_gone

NEWEST_KERNEL_ONLY = True
EARLY_KILL = "/usr/local/lib/early_kill.py"
STAMP = "Petrel31Sienna"
PUBLIC = "Auklet19Madder"
# The stamp is passed in two parts: command lines are in the journal, which is on the disk.
SAID, SAID_PUBLIC = (f"{stamp[:6]}''{stamp[6:]}" for stamp in (STAMP, PUBLIC))


def count(scene, stamp):
    """How often a stamp is in what this machine has written to its disk since it was booted, read from outside of it."""
    scene.guest.run("sync; sleep 1; sync", check=True)
    return sum(path.read_bytes().count(stamp.encode()) for path in scene.guest.machine.directory.glob("*.qcow2"))


@pytest.fixture
def sleeper(scene):
    """A session with a store on disk whose program has written and waits; its unit's name."""
    script = f"for i in {{1..20000}}; do echo {SAID}; done >~/stamps; sync ~/stamps; exec -a on-disk sleep 1000"
    scene.guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--working-directory={scene.folder}", "bash", "-c",
                     "exec " + private(script, "--store", "disk", "--size", "64M")], session=True, check=True)
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -f on-disk.1000").returncode == 0, 60, "the private program")
    (session,) = scene.tacet.json("session", "list")
    assert session["on_disk"]
    yield f"tacet-session-{session['id']}.service"
    scene.tacet.run("session", "end", "--all", person=True)


@pytest.mark.nightly
@pytest.mark.parametrize("way", ENDS)
def test_goes_with_its_session(scene, sleeper, way):
    """However a session ends, its device, its key and its file go."""
    assert {"mapped devices", "loop devices", "file systems"} <= set(remains(scene.guest))
    scene.guest.run(ENDS[way].format(unit=sleeper, program="on-disk.1000"), check=True)
    scene.guest.wait_for(lambda: scene.tacet.run("status", check=False).returncode == 0, what="tacetd")
    wait_until_gone(scene.guest)


@pytest.mark.nightly
def test_killed_while_its_store_is_made(scene):
    """When it was not in use yet, nobody took it along."""
    scene.guest.put(pathlib.Path(__file__).resolve().parent / "in_guest/early_kill.py", EARLY_KILL)
    assert int(scene.guest.run(["python3", EARLY_KILL, 10], timeout=300, check=True).stdout) >= 8
    wait_until_gone(scene.guest)


@pytest.mark.nightly
def test_removes_a_store_nobody_used(scene, sleeper):
    """The command at the end of the session's unit removes a store that nobody used; a store in use stays."""
    number = sleeper.removeprefix("tacet-session-").removesuffix(".service")
    stop = scene.guest.run(["systemctl", "show", "-p", "ExecStopPost", sleeper], check=True).stdout
    remove = f"tacet-session --remove-store {number}"
    assert remove in stop
    program = re.search(r"path=(\S+)", stop).group(1)
    scene.guest.run([program, "--remove-store", number])
    assert remains(scene.guest)["mapped devices"].startswith(f"tacet-session-{number}")
    scene.guest.run("dmsetup create tacet-session-987654 --table '0 8 zero'", check=True)
    scene.guest.run([program, "--remove-store", "987654"], check=True)
    scene.guest.wait_for(lambda: "987654" not in remains(scene.guest)["mapped devices"], what="the device to go")


def test_is_noise_on_the_disk(scene, sleeper):
    """Data that a session has written and synced is nowhere on the disk; data of a public program is."""
    scene.guest.run(f"for i in {{1..100}}; do echo {SAID_PUBLIC}; done >/var/tmp/control", check=True)
    assert count(scene, PUBLIC) >= 100
    assert count(scene, STAMP) == 0
    scene.guest.run("rm /var/tmp/control", check=True)


@pytest.mark.nightly
def test_its_key_cannot_be_read(scene, sleeper):
    """The table names a key that is no more, and does not hold it."""
    table = scene.guest.run("dmsetup table --showkeys | grep tacet-session", check=True).stdout
    assert ":64:logon:tacet:" in table and scene.guest.run("grep -c 'tacet:' /proc/keys").stdout.strip() == "0"


@pytest.mark.nightly
def test_full(scene):
    """A full store is told to the program as a full disk, and to the person once."""
    done = scene.run(private("head -c 200M /dev/zero >big; stat -c %s big; sleep 3", "--store", "disk", "--size", "32M"))
    assert "No space left on device" in done.stderr and int(done.stdout) <= 32 << 20
    assert done.stderr.count("the session's store is full") == 1


@pytest.mark.nightly
def test_sizes(scene):
    """A store too large for memory goes to the disk by itself; one too large for the disk is refused."""
    assert "/dev/dm-" in scene.run(private("df /tmp", "--size", "3G")).stdout
    assert "/dev/dm-" not in scene.run(private("df /tmp", "--size", "3G", "--store", "memory")).stdout
    done = scene.run(private("true", "--store", "disk", "--size", "500G"))
    assert done.returncode == 125 and "no room on the disk" in done.stderr
    assert scene.run(private("true", "--store", "tape")).returncode == 2
