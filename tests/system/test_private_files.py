# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a private session are listed and kept, only when asked, and whatever its programs made of them."""

import base64
import json
import shlex

import pytest

from tests.system.sessions import private

NEWEST_KERNEL_ONLY = True
STAMP = "Merlin77Ochre"
HOME = "/home/anna"


class Waiting:
    """A session that has run a script and waits."""

    def __init__(self, scene, script, *options):
        self.scene, self.guest = scene, scene.guest
        line = private(script, "--keep", "--name", "Letters", *options)
        self.guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--working-directory={scene.folder}", "bash", "-c",
                        f"exec {line}"], session=True, check=True)
        self.guest.wait_for(self._waits, what="the session to wait")

    def _waits(self):
        found = [item for item in self.scene.tacet.json("session", "list") if item["state"] == "waiting"]
        self.facts = found[0] if found else None
        return found

    def files(self):
        """(change, kind) by path; a path that is no UTF-8 as bytes."""
        text = self.guest.run(f"tacet session files {self.facts['id']} --json", session=True, check=True).stdout
        return {base64.b64decode(item["path_bytes"]) if "path_bytes" in item else item["path"]: (item["change"], item["kind"])
                for item in json.loads(text)}

    def keep(self, *paths, options=()):
        """`tacet session keep` as anna; a CompletedProcess."""
        line = shlex.join(["tacet", "session", "keep", *options, str(self.facts["id"]), *paths])
        return self.guest.run(line, session=True, cwd=self.scene.folder)


@pytest.fixture
def wait(scene):
    """Makes a waiting session; all are ended afterwards."""
    yield lambda script, *options: Waiting(scene, script, *options)
    scene.guest.run("tacet session end --all", session=True, check=True)
    assert scene.tacet.json("session", "list") == []


def test_lists_and_keeps(scene, wait):
    """Files that were made, changed or deleted are listed, files only opened are not. Chosen ones are kept as the person's, all others go."""
    scene.guest.write(f"{scene.folder}/old", "old", user="anna")
    scene.guest.run(f"touch {scene.folder}/same", user="anna", check=True)
    session = wait(f"mkdir new; echo {STAMP} >new/letter; chmod 640 new/letter; echo x >>salaries.csv; rm old; : >>same; echo t >/tmp/t;"
                   " ln -s /etc/shadow link")
    assert session.facts["application"] == "Letters"
    files = {path: what for path, what in session.files().items() if path.startswith((scene.folder, "/tmp"))}
    below = scene.folder
    assert files == {f"{below}/new": ("created", "directory"), f"{below}/new/letter": ("created", "file"), "/tmp/t": ("created", "file"),
                     f"{below}/salaries.csv": ("changed", "file"), f"{below}/old": ("deleted", "file"),
                     f"{below}/link": ("created", "link")}
    assert session.keep(".", options=["--to", f"{HOME}/out-{below[-8:]}"]).returncode == 0
    kept = scene.guest.run(f"cd {HOME}/out-{below[-8:]} && find . -type f | sort").stdout.split()
    assert [path.split("/", 2)[2] for path in kept] == ["new/letter", "salaries.csv"]
    done = session.keep("new/letter")
    assert (done.returncode, done.stdout) == (0, f"{below}/new/letter\n"), done.stderr
    assert scene.guest.run(["stat", "-c", "%a %U %s", f"{below}/new/letter"]).stdout == f"640 anna {len(STAMP) + 1}\n"
    refused = session.keep("salaries.csv")
    assert refused.returncode == 1 and "--force" in refused.stderr
    assert scene.guest.read(scene.file) == scene.secret.content
    assert session.keep("salaries.csv", options=["--force"]).returncode == 0
    assert scene.guest.read(scene.file) == scene.secret.content + "x\n"
    assert scene.guest.run(f"ls -A {below} | grep tacet-").stdout == ""
    # A kept file equals the one outside, so it is no longer listed.
    assert not {f"{below}/new/letter", scene.file} & set(session.files())


@pytest.mark.nightly
def test_is_the_persons_alone(scene, wait):
    """Nobody else learns what is in a session, not even that there is one."""
    session = wait("echo 1 >new")
    for user in ("bela", "root"):
        done = scene.guest.run(f"tacet session files {session.facts['id']}", user=None if user == "root" else user)
        assert done.returncode == 5 and "new" not in done.stdout, user


TRICKS = {
    "link to a file": "ln -s /etc/passwd bait",
    "link to a private file": "echo 1 >real; ln -s real bait",
    "link as folder": "mkdir real; echo 1 >real/bait; mv real real2; ln -s real2 folder",
    "pipe": "mkfifo bait",
    "device": "ln -s /dev/zero bait",
    "folder": "mkdir bait",
}


@pytest.mark.nightly
@pytest.mark.parametrize("trick", TRICKS)
def test_tricks(scene, wait, trick):
    """A regular file is all that is copied, also for who asks tacetd itself."""
    session = wait(TRICKS[trick])
    path = f"{scene.folder}/" + ("folder/bait" if "folder" in TRICKS[trick] else "bait")
    program = (f"import dbus, os; o = dbus.SystemBus().get_object('org.tacet.Tacet1', '/org/tacet/Tacet1');"
               f"f = os.open('{scene.folder}/taken', os.O_WRONLY | os.O_CREAT, 0o600);"
               f"o.Keep(dbus.UInt64({session.facts['id']}), dbus.ByteArray({path!r}.encode()), dbus.types.UnixFd(f),"
               f" dbus_interface='org.tacet.Tacet1.Sessions')")
    done = scene.guest.run(["python3", "-c", program], session=True)
    assert done.returncode != 0 and "org.tacet.Error.NotRegular" in done.stderr, done.stderr
    assert scene.guest.read(f"{scene.folder}/taken") == ""
    assert session.keep(path).returncode != 0


NAMES = ["line\nbreak", "bell\a\x1b]0;owned\a\x1b[2J", "-rf", " ", "\u202etxt.exe", b"\xff\xfe"]


@pytest.mark.nightly
def test_hostile_names(scene, wait):
    """Names of any bytes are listed without harm to the terminal, and kept as they are."""
    names = [name if isinstance(name, bytes) else name.encode() for name in NAMES]
    script = "; ".join("printf 1 >./" + "$'" + "".join(f"\\x{byte:02x}" for byte in name) + "'" for name in names)
    session = wait(script)
    shown = scene.guest.run(f"tacet session files {session.facts['id']}", session=True, check=True).stdout
    assert shown.isascii() and "\x1b" not in shown and "\a" not in shown and len(shown.splitlines()) == len(session.files()) + 1
    assert {path if isinstance(path, bytes) else path.encode() for path in session.files()} >= {
        scene.folder.encode() + b"/" + name for name in names}
    assert session.keep(scene.folder, options=["--to", f"{scene.folder}/out"]).returncode == 0
    count = scene.guest.run(f"find {scene.folder}/out -type f -size 1c -printf x", check=True).stdout
    assert len(count) == len(names)


@pytest.mark.nightly
def test_changes_while_it_is_copied(scene):
    """A file that grows all the time is not copied for ever, and not kept in part."""
    scene.start(private("head -c 60M /dev/zero >big; while :; do echo x >>big; done"))
    scene.guest.wait_for(lambda: scene.tacet.json("session", "list"), what="the session")
    session = scene.tacet.json("session", "list")[0]["id"]
    try:
        scene.guest.wait_for(lambda: "big" in scene.guest.run(f"tacet session files {session}", session=True).stdout, what="the file")
        done = scene.guest.run(f"tacet session keep --to {scene.folder}/out {session} {scene.folder}/big", session=True)
        assert done.returncode == 1 and "changed while it was copied" in done.stderr, done
        assert scene.guest.run(f"find {scene.folder}/out -type f").stdout == ""
    finally:
        scene.guest.run("tacet session end --all", session=True)


@pytest.mark.nightly
def test_nobody_takes_it(scene, wait):
    """A pipe that is not read holds up neither tacetd nor other copies."""
    session = wait("head -c 1M /dev/zero >big; echo 1 >small")
    program = (f"import dbus, os; o = dbus.SystemBus().get_object('org.tacet.Tacet1', '/org/tacet/Tacet1'); r, w = os.pipe();"
               f"o.Keep(dbus.UInt64({session.facts['id']}), dbus.ByteArray(b'{scene.folder}/big'), dbus.types.UnixFd(w),"
               f" dbus_interface='org.tacet.Tacet1.Sessions', timeout=60)")
    stuck = scene.guest.popen(["python3", "-c", program], session=True)
    assert session.keep("small").returncode == 0
    assert "nobody takes" in stuck.communicate(timeout=60)[1]
