# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound in private sessions: the sound server's sockets, when the person wants it, and nothing else of the runtime directory."""

import shlex

import pytest

NEWEST_KERNEL_ONLY = True
SOCKETS = ("pipewire-0", "pulse/native")
OWN = ("bus", "dbus-1")  # the session's bus
HEARD = "heard"


@pytest.fixture
def sound_server(scene):
    """Listens where PipeWire and PulseAudio do, as anna, and says a word to who comes."""
    scene.guest.run("mkdir -p $XDG_RUNTIME_DIR/pulse", session=True, check=True)
    for number, name in enumerate(SOCKETS):
        listen = f"socat UNIX-LISTEN:/run/user/1000/{name},fork,unlink-early SYSTEM:'echo {HEARD}'"
        scene.guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--unit=sound-{number}", "sh", "-c", listen], session=True,
                        check=True)
        scene.guest.wait_for(lambda name=name: scene.guest.run(["test", "-S", f"/run/user/1000/{name}"]).returncode == 0, what=name)
    yield
    scene.guest.run("systemctl --user stop sound-0 sound-1; rm -rf $XDG_RUNTIME_DIR/pulse $XDG_RUNTIME_DIR/pipewire-0", session=True)


def listen(scene, *options):
    """The sockets in a private program's runtime directory, without its bus, and the answer of each."""
    script = f'ls "$XDG_RUNTIME_DIR"; for name in {" ".join(SOCKETS)}; do socat -u UNIX-CONNECT:"$XDG_RUNTIME_DIR/$name" -; done'
    done = scene.run(shlex.join(["tacet", "run", "--display", "none", *options, "--", "sh", "-c", script]))
    assert "bus" in done.stdout.split(), done.stderr
    return [word for word in done.stdout.split() if word not in OWN]


@pytest.mark.nightly
def test_sound_when_wanted(scene, sound_server):
    """With sound the servers' sockets are there, and answer; without, there is nothing."""
    assert listen(scene, "--audio", "on") == ["pipewire-0", "pulse", HEARD, HEARD]
    assert listen(scene, "--audio", "off") == []
    assert listen(scene) == []


@pytest.mark.nightly
def test_sockets_stay_as_they_are(scene, sound_server):
    """Mode and times of a socket are seen outside, so a private program changes neither."""
    facts = ["stat", "-c", "%a %x %y", "/run/user/1000/pipewire-0"]
    before = scene.guest.run(facts, check=True).stdout
    script = 'cd "$XDG_RUNTIME_DIR"; chmod 711 pipewire-0; touch -h -d @4711 pipewire-0; setfattr -n user.a -v b pipewire-0; true'
    done = scene.run(shlex.join(["tacet", "run", "--display", "none", "--audio", "on", "--", "sh", "-c", script]))
    assert done.stderr.count("Read-only file system") == 3, done.stderr
    assert scene.guest.run(facts).stdout == before


@pytest.mark.nightly
def test_no_sound_server(scene):
    """Without a sound server a session starts all the same."""
    assert listen(scene, "--audio", "on") == ["pulse"]


@pytest.mark.nightly
def test_no_way_to_other_sockets(scene, sound_server):
    """A link that a program of anna's puts in a socket's place leads the session nowhere."""
    scene.guest.run("cd $XDG_RUNTIME_DIR && mv pipewire-0 elsewhere && ln -s elsewhere pipewire-0", session=True, check=True)
    assert listen(scene, "--audio", "on") == ["pulse", HEARD]
    scene.guest.run("rm /run/user/1000/elsewhere")
