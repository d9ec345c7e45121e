# SPDX-License-Identifier: GPL-3.0-or-later
"""What a private program finds of a desktop: services of the session's own, the machine's printers, and no devices."""

import pytest

from tests.system.sessions import private, wait_until_gone

NEWEST_KERNEL_ONLY = True


@pytest.mark.nightly
def test_notification_is_shown_inside(scene):
    """A notification is shown on the session's display by a service of its own, and not on the desktop."""
    shown = "xdotool search --class Dunst"
    before = scene.guest.run(shown, session=True).stdout
    done = scene.run(f"tacet run -- bash -c 'notify-send Merlin && for i in {{1..60}}; do {shown} && exit; sleep 1; done; exit 1'")
    assert done.returncode == 0, done.stderr
    assert scene.guest.run(shown, session=True).stdout == before


@pytest.mark.nightly
def test_link_opens_inside(scene):
    """A link opens in a program of the same session."""
    entry = "[Desktop Entry]\\nType=Application\\nName=Merlin\\nExec=sh -c \"echo %u >>~/opened\"\\nMimeType=x-scheme-handler/http;\\n"
    script = (f"mkdir -p ~/.local/share/applications && printf %b '{entry}' >~/.local/share/applications/merlin.desktop && "
              "gio mime x-scheme-handler/http merlin.desktop >~/chosen && gio open http://remote/page && "
              "for i in {1..60}; do grep page ~/opened && exit; sleep 1; done; exit 1")
    done = scene.run(private(script))
    assert (done.returncode, done.stdout) == (0, "http://remote/page\n"), done.stderr
    assert scene.guest.run("ls /home/anna/opened").returncode != 0


# Tells who connects the folder of the process whose number is in a file.
MERLIN = """import os, socket
server = socket.socket(socket.AF_UNIX)
server.bind("\\0merlin")
server.listen()
other, _ = server.accept()
other.sendall(os.readlink(f"/proc/{int(open('/home/anna/asker').read())}/cwd").encode())
"""


@pytest.mark.nightly
def test_services_reach_programs(scene):
    """A service that the session's bus starts works with the program: it sees its files, as portals must, and they talk by abstract sockets."""
    scene.guest.write(f"{scene.folder}/merlin.py", MERLIN, user="anna")
    entry = f"[D-BUS Service]\\nName=org.kestrel.Merlin\\nExec=/usr/bin/python3 {scene.folder}/merlin.py\\n"
    script = (f"echo $$ >~/asker; mkdir -p ~/.local/share/dbus-1/services && printf '{entry}' >~/.local/share/dbus-1/services/merlin.service; "
              "cd /usr/share; dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.StartServiceByName "
              "string:org.kestrel.Merlin uint32:0 >~/called 2>&1 & "
              "for i in {1..100}; do socat -u ABSTRACT-CONNECT:merlin - 2>~/failed && exit; sleep 0.2; done; cat ~/failed ~/called; exit 1")
    done = scene.run(private(script))
    assert (done.returncode, done.stdout) == (0, "/usr/share"), (done.stdout, done.stderr)


@pytest.mark.nightly
def test_menu_starts_it_privately(scene):
    """What a desktop starts by an entry is private, also when it is started by a link inside; afterwards it is as before."""
    entry = "/home/anna/.local/share/applications/featherpad.desktop"
    program = "pgrep -u anna -x featherpad"
    assert scene.guest.run(["ls", entry]).returncode != 0
    scene.run("tacet always add --net off featherpad")
    assert [item["id"] for item in scene.tacet.json("always", "list", person=True)] == ["featherpad.desktop"]
    try:
        # As a desktop does it, which goes on when the program has started.
        scene.run(f"systemd-run --user --quiet --collect --property=KillMode=process gio launch {entry} {scene.file}")
        session = scene.guest.wait_for(lambda: scene.tacet.json("session", "list"), 60, "the session")[0]
        assert not session["network"]
        scene.guest.wait_for(lambda: scene.guest.run(program).returncode == 0, 60, "the program")
        group = scene.guest.run(f"cat /proc/$({program})/cgroup", check=True).stdout
        assert f"tacet-session-{session['id']}.service/programs" in group
        # Inside there is no second session, and no promise that cannot hold.
        done = scene.run(private("tacet run --keep -- id -un; tacet run --net off -- id -un; test $? = 2"))
        assert (done.returncode, done.stdout) == (0, "anna\n"), done.stderr
    finally:
        scene.tacet.run("session", "end", "--all", person=True)
        scene.run("tacet always remove featherpad")
    assert scene.guest.run(["ls", entry]).returncode != 0
    wait_until_gone(scene.guest)


@pytest.fixture
def printer(scene):
    """A printer on the other host."""
    scene.guest.run("systemctl start cups && lpadmin -p remote -E -v socket://remote:9 -m raw", check=True)
    yield "lpstat -W all -o remote"
    scene.guest.run("cancel -a -x; lpadmin -x remote; systemctl stop cups.service cups.socket cups.path")


@pytest.mark.nightly
def test_prints_by_the_network(scene, printer):
    """With the network it prints as others do; without, there is no printer."""
    print_it = "echo page >~/page && lp -d remote ~/page"
    done = scene.run(private(print_it, "--net", "off"))
    assert done.returncode == 1 and "does not exist" in done.stderr, done.stderr
    assert scene.guest.run(printer).stdout == ""
    done = scene.run(private(print_it))
    assert done.returncode == 0, done.stderr
    assert "anna" in scene.guest.run(printer).stdout


@pytest.mark.nightly
@pytest.mark.parametrize("device", ["/dev/dri", "/dev/fuse", "/dev/input"])
def test_devices_are_not_there(scene, device):
    """Neither the graphics card, nor FUSE, nor keyboards, which are there outside."""
    assert scene.guest.run(["ls", "-d", device]).returncode == 0
    done = scene.run(private(f"ls -d {device}"))
    assert done.returncode == 2 and "No such file" in done.stderr, done.stderr


@pytest.mark.nightly
def test_agent_left_behind_ends_with_the_session(scene):
    """An agent that a program started and left does not hold the session; beside another program it goes on."""
    done = scene.run(private('eval "$(ssh-agent)" >/dev/null; (sleep 4; ssh-add -l >/dev/null; test $? = 1 && echo served) & exit 5'))
    assert (done.returncode, done.stdout) == (5, "served\n"), done.stderr
    wait_until_gone(scene.guest)
    assert scene.guest.run("pgrep -x ssh-agent").returncode != 0
