# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks that come and go while tacetd runs: labels on them stay in force, whatever other disks are called."""

import pytest

NEWEST_KERNEL_ONLY = True
LABEL = "trusted.tacet.label"


class Disks:
    """Two disks in memory, each mounted on a folder of its own. Images in files would not do: they carry no labels of their own."""

    DEVICES = {"first": "/dev/ram0", "second": "/dev/ram1"}

    def __init__(self, guest):
        self._guest = guest
        self._guest.run("modprobe brd rd_nr=2 rd_size=16384 && mkdir -p /run/disks", check=True)

    def make(self, name):
        """Formats and mounts a disk on which anna may write; returns its folder."""
        self._guest.run(f"mkfs.ext4 -q -E root_owner=1000:1000 {self.DEVICES[name]}", check=True)
        return self.mount(name)

    def mount(self, name):
        """Returns the folder on which the disk is now."""
        self._guest.run(f"mkdir -p /run/disks/{name} && mount {self.DEVICES[name]} /run/disks/{name}", check=True)
        return f"/run/disks/{name}"

    def take_away(self, name):
        """Unmounts it."""
        self._guest.run(f"umount /run/disks/{name}", check=True)

    def copy_without_labels(self, name, copy, files):
        """Makes another disk of the same name (UUID), on which the files carry no label."""
        self._guest.run(f"dd if={self.DEVICES[name]} of={self.DEVICES[copy]} bs=1M status=none", check=True)
        for file in files:
            self._guest.run(f"debugfs -w -R 'ea_rm /{file} {LABEL}' {self.DEVICES[copy]}", check=True)

    def remove(self):
        """Takes all away."""
        self._guest.run("umount /run/disks/*/ 2>/dev/null; rm -rf /run/disks; rmmod brd")


@pytest.fixture
def disks(guest):
    """The disks of one test."""
    made = Disks(guest)
    try:
        yield made
    finally:
        made.remove()


def assert_asked(scene, file):
    """Sending the file is asked about, and nothing of it arrives when it is blocked."""
    scene.send_and_answer(f"curl -sS -m 90 -T {file} http://remote/", "block")
    scene.assert_nothing_leaked()


def restart(scene):
    """tacetd starts anew, and the app is there again."""
    scene.guest.run("systemctl restart tacetd", check=True)
    scene.guest.wait_for(scene.app_is_agent, what="the app to register again")


@pytest.fixture
def folder(scene, disks):
    """The first disk, with a file that was marked and one that was written from it."""
    path = disks.make("first")
    scene.run(f"cp {scene.file} {path}/marked")
    scene.label(f"{path}/marked")
    scene.run(f"cp {path}/marked {path}/derived")
    return path


def test_disk_with_the_name_of_another_takes_no_label_away(scene, disks, folder):
    """A copy of a disk whose files carry no label is there alone, then beside the disk; what the disk has stays labelled."""
    disks.take_away("first")
    disks.copy_without_labels("first", "second", ["marked", "derived"])
    other = disks.mount("second")
    assert scene.tacet.categories(f"{other}/marked") == []
    disks.mount("first")
    for name in ("marked", "derived"):
        assert_asked(scene, f"{folder}/{name}")
    disks.take_away("second")
    restart(scene)
    for name in ("marked", "derived"):
        assert scene.tacet.categories(f"{folder}/{name}") == ["finance"]
        assert_asked(scene, f"{folder}/{name}")


@pytest.mark.nightly
def test_disk_that_is_away_when_tacetd_starts(scene, disks, folder):
    """A file that was marked and one that was written from it are in force when their disk is back."""
    disks.take_away("first")
    restart(scene)
    disks.mount("first")
    for name in ("marked", "derived"):
        assert_asked(scene, f"{folder}/{name}")


@pytest.mark.nightly
def test_disk_comes_among_endless_mounts(scene, disks, folder):
    """Mounts that never cease, as a container engine's, do not keep tacetd from finding a disk's files again."""

    def is_missing():
        # Disks of the tests before were here, too, and are missing for good.
        return all(entry["missing"] for entry in scene.tacet.json("label", "list") if entry["path"] == f"{folder}/marked")

    disks.take_away("first")
    restart(scene)
    scene.guest.wait_for(is_missing, what="the file to be missing")
    scene.guest.run("mkdir -p /run/storm && systemd-run --quiet --unit mount-storm bash -c "
                    "'while :; do mount -t tmpfs storm /run/storm; umount /run/storm; sleep 0.1; done'", check=True)
    try:
        disks.mount("first")
        scene.guest.wait_for(lambda: not is_missing(), 20, "the file to be found among the mounts")
    finally:
        scene.guest.run("systemctl stop mount-storm")
