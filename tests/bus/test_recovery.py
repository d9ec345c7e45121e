# SPDX-License-Identifier: GPL-3.0-or-later
"""The store is cut, its bits are flipped, the daemon is killed: never fewer labels in force than attributes on the files."""
import errno
import os
import random
import time

import pytest

from tests.bus.conftest import USER
from thorough import amount

LABEL = "trusted.tacet.label"
SEED = int(os.environ.get("TACET_RECOVERY_SEED", "17"))
# Each round is a daemon's life.
ROUNDS = amount(15, 200)


def labelled(folder):
    """(device, inode) -> path of every file with the attribute."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            try:
                os.getxattr(path, LABEL, follow_symlinks=False)
            except OSError as error:
                assert error.errno in (errno.ENODATA, errno.ENOENT)
                continue
            status = os.stat(path)
            found[(status.st_dev, status.st_ino)] = path
    return found


def flip(path, chance):
    """One to five bits."""
    content = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 5) if content else 0):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def cut(path, chance):
    os.truncate(path, chance.randrange(path.stat().st_size + 1))


def damage(state, chance):
    """What a disk does; most lives end without."""
    files = [path for path in (state / "tacet.db", state / "tacet.db-wal") if path.exists()]
    for path in files:
        what = chance.choice((None, None, flip, flip, cut, os.remove))
        if what in (flip, cut):
            what(path, chance)
        elif what is not None:
            what(path)
    if chance.random() < 0.3:
        for path in state.glob("tacet.db.damaged-*"):
            path.unlink()


def live(daemon, user, make, home, chance):
    """Labels, derives, moves and removes files, and does not wait for the last call."""
    for _ in range(chance.randint(1, 6)):
        what = chance.choice(("mark", "mark", "derive", "derive", "move", "remove"))
        known = list(labelled(home).values())
        if what == "mark":
            user.send("Labels", "Add", "ass", [make(f"{chance.randrange(40)}.txt")], "finance")
        elif what == "derive":
            daemon.derive(make(f"{chance.randrange(40)}.txt"))
        elif known and what == "move":
            os.rename(chance.choice(known), home / f"{chance.randrange(40)}.txt")
        elif known:
            os.remove(chance.choice(known))
    time.sleep(chance.random() * 0.05)


def wait_until_known(user):
    """Until doctor says that the index knows every label."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        index = next(item for item in user.call("Protection", "List") if item["name"] == "label-index")
        if index["enforced"]:
            return
        time.sleep(0.02)
    raise AssertionError(f"the index is {index['detail']}")


def test_never_fewer_labels_in_force_than_attributes_on_the_files(daemon, connect, files, tmp_path):
    chance, home = random.Random(SEED), tmp_path / "home"
    home.mkdir(exist_ok=True)
    os.chown(home, USER, USER)
    for number in range(ROUNDS):
        user = connect()
        live(daemon, user, files, home, chance)
        user.leave()
        if chance.random() < 0.4:
            daemon.stop()
        else:
            daemon.kill()
        damage(daemon.state, chance)
        daemon.start()
        user = connect()
        wait_until_known(user)
        wanted, armed = labelled(home), daemon.armed()
        missing = [path for key, path in wanted.items() if key not in armed]
        assert not missing, f"seed {SEED}, life {number}: {missing} of {len(wanted)} are not in force"
        user.leave()


@pytest.mark.parametrize("spoil", [lambda path: os.truncate(path, path.stat().st_size // 2), lambda path: os.truncate(path, 0),
                                   lambda path: os.truncate(path, 100), lambda path: path.write_bytes(b"\x55" * 4096 + path.read_bytes()[4096:]),
                                   os.remove])
def test_lost_store_is_told_and_every_label_comes_back(daemon, connect, files, spoil):
    user, paths = connect(), [files("one.txt"), files("two.txt")]
    user.call("Labels", "Add", "ass", paths, "health")
    daemon.stop()
    spoil(daemon.state / "tacet.db")
    daemon.start()
    user = connect()
    wait_until_known(user)
    assert {(os.stat(path).st_dev, os.stat(path).st_ino) for path in paths} <= daemon.armed()
    listed, _ = user.call("Labels", "List", "uu", 0, 10)
    assert {file["path"]: file["categories"] for file in listed} == {path: ["health"] for path in paths}
    rules = next(item for item in user.call("Protection", "List") if item["name"] == "lasting-rules")
    assert (rules["enforced"], rules["detail"]) == (False, "store-damaged")
