# SPDX-License-Identifier: GPL-3.0-or-later
"""The SSH agent in private sessions: when the person wants it, its keys sign, and nothing can be told or changed."""

import shlex

import pytest

from tests.system.sessions import wait_until_gone

NEWEST_KERNEL_ONLY = True
SOCKET = "/run/user/1000/kestrel-agent"
KEYS = "/home/anna/kestrel"
LISTED = f"SSH_AUTH_SOCK={SOCKET} ssh-add -L"
FOLDERS = "ls -d /run/user/1000/tacet-agent-*"


@pytest.fixture
def agent(scene):
    """An agent of anna's with one key, whose private half is nowhere else, and whose public half is a file."""
    scene.guest.run(["systemd-run", "--user", "--quiet", "--collect", "--unit=kestrel-agent", "ssh-agent", "-D", "-a", SOCKET], session=True,
                    check=True)
    scene.guest.wait_for(lambda: scene.guest.run(["test", "-S", SOCKET]).returncode == 0, what="the agent")
    scene.guest.run(f"ssh-keygen -q -t ed25519 -N '' -C kestrel -f {KEYS} && SSH_AUTH_SOCK={SOCKET} ssh-add -q {KEYS} && rm {KEYS}",
                    session=True, check=True)
    yield
    scene.guest.run(f"systemctl --user stop kestrel-agent; rm -f {SOCKET} {KEYS}.pub", session=True)


def run(scene, script, *options, before=""):
    """A private shell script of a person's who has the agent in her environment."""
    words = shlex.join(["tacet", "run", "--display", "none", *options, "--", "bash", "-c", script])
    return scene.run(f"{before}SSH_AUTH_SOCK={SOCKET} {words}")


def test_signs_when_wanted(scene, agent):
    """With the agent its keys are listed and sign, as ssh does to log in."""
    script = (f"ssh-add -L && echo text >signed && ssh-keygen -q -Y sign -n test -f {KEYS}.pub signed && "
              f"ssh-keygen -Y check-novalidate -n test -s signed.sig <signed; stat -c %a $SSH_AUTH_SOCK")
    done = run(scene, script, "--ssh-agent", "on")
    assert done.returncode == 0 and scene.guest.run(LISTED, session=True).stdout in done.stdout, done.stderr
    assert 'Good "test" signature' in done.stdout
    wait_until_gone(scene.guest)
    scene.guest.wait_for(lambda: scene.guest.run(FOLDERS).returncode != 0, 5, "the socket to go")


@pytest.mark.nightly
def test_changes_nothing(scene, agent):
    """A private program adds no key, whose comment others could read, removes none, and does not lock the agent."""
    script = ("ssh-keygen -q -t ed25519 -N '' -C told-outside -f other; ssh-add other; ssh-add -D; "
              "echo word | SSH_ASKPASS=/bin/cat SSH_ASKPASS_REQUIRE=force ssh-add -x; ssh-add -X </dev/null; "
              "chmod 777 $SSH_AUTH_SOCK; touch -h -d @4711 $SSH_AUTH_SOCK; true")
    before = scene.guest.run(LISTED, session=True, check=True).stdout
    done = run(scene, script, "--ssh-agent", "on")
    assert "agent refused operation" in done.stderr and done.stderr.count("Read-only file system") == 2, done.stderr
    assert scene.guest.run(LISTED, session=True, check=True).stdout == before


@pytest.mark.nightly
def test_hostile_messages(scene, agent):
    """Messages that are too long, empty, cut off or in one piece, and many connections, harm nobody."""
    script = """python3 - <<'END'
import os, socket
def connect():
    s = socket.socket(socket.AF_UNIX); s.connect(os.environ["SSH_AUTH_SOCK"]); s.settimeout(20); return s
def answer(s):
    data = b""
    try:
        while len(data) < 5 and (part := s.recv(5 - len(data))): data += part
    except ConnectionResetError: pass
    return data
for sent in (b"\\xff\\xff\\xff\\xff", b"\\0\\0\\0\\0", b"\\0\\4\\0\\1\\x0b"):
    s = connect(); s.sendall(sent); print(answer(s))
s = connect(); s.sendall(b"\\0\\0\\0\\1\\x13" * 3); print(answer(s) + answer(s) + answer(s))
s.sendall(b"\\0\\0\\0\\1\\x0b"); print(answer(s)[4])
many = [connect() for _ in range(60)]
for s in many: s.close()
END
for try in 1 2 3 4 5; do ssh-add -L && break; sleep 0.5; done"""
    done = run(scene, script, "--ssh-agent", "on")
    assert done.stdout.splitlines()[:5] == ["b''", "b''", "b''", "b'" + r"\x00\x00\x00\x01\x05" * 3 + "'", "12"], done.stdout + done.stderr
    assert " kestrel\n" in done.stdout


@pytest.mark.nightly
def test_not_by_itself(scene, agent):
    """Without the option there is no agent, and the person's own socket leads nowhere. Where there is none, the option says so."""
    done = run(scene, f"echo ${{SSH_AUTH_SOCK-none}}; {LISTED}")
    assert done.stdout == "none\n" and "Error connecting to agent" in done.stderr, done
    done = run(scene, "true", "--ssh-agent", "on", before=f"systemctl --user stop kestrel-agent; rm -f {SOCKET}; ")
    assert done.returncode != 0 and "the SSH agent does not answer" in done.stderr, done.stderr


@pytest.mark.nightly
def test_goes_when_tacet_run_is_killed(scene, agent):
    """However tacet run ends, the socket goes, and who is connected is cut off."""
    scene.start(f"SSH_AUTH_SOCK={SOCKET} tacet run --display none --ssh-agent on -- bash -c 'sleep 1000 | socat - UNIX-CONNECT:$SSH_AUTH_SOCK' >/dev/null")
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -u anna socat").returncode == 0, what="the connection")
    assert scene.guest.run(FOLDERS).returncode == 0
    scene.guest.run("pkill -9 -u anna -o -x tacet", check=True)
    scene.guest.wait_for(lambda: scene.guest.run(FOLDERS).returncode != 0, 5, "the socket to go")
    scene.tacet.run("session", "end", "--all", person=True)
    wait_until_gone(scene.guest)
