# SPDX-License-Identifier: GPL-3.0-or-later
"""A private session on the system bus: it may read a few things of the machine, and neither tell anything nor be seen."""

import re
import shlex

import pytest

from tests.system.sessions import private
from thorough import daily

NEWEST_KERNEL_ONLY = True

CALL = "dbus-send --system --print-reply --dest={} {} {}"
HOSTNAME = CALL.format("org.freedesktop.hostname1", "/org/freedesktop/hostname1",
                       "org.freedesktop.DBus.Properties.Get string:org.freedesktop.hostname1 string:Hostname")

REFUSED = {
    "setting a property": CALL.format("org.freedesktop.timedate1", "/org/freedesktop/timedate1",
                                      "org.freedesktop.timedate1.SetTimezone string:UTC boolean:false"),
    "systemd": CALL.format("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager.GetUnit string:dbus.service"),
    "login": CALL.format("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager.ListSessions"),
    "tacetd": CALL.format("org.tacet.Tacet1", "/org/tacet/Tacet1", "org.tacet.Tacet1.Sessions.List"),
    "starting a service": CALL.format("org.freedesktop.DBus", "/", "org.freedesktop.DBus.StartServiceByName string:org.freedesktop.systemd1 uint32:0"),
}


def listen(scene, rule=""):
    """What dbus-monitor tells of the system bus, from now on."""
    monitor = scene.guest.popen(f'timeout 60 dbus-monitor --system {shlex.quote(rule)}')
    # It first tells of its own connection.
    assert monitor.stdout.readline()
    return monitor


def until(monitor, pattern):
    """What was told up to a line with the pattern, in the order of the bus."""
    heard = ""
    for line in monitor.stdout:
        heard += line
        if re.search(pattern, line):
            break
    monitor.kill()
    return heard


@pytest.mark.nightly
def test_reads_the_machine(scene):
    """An allowed property can be read."""
    done = scene.run(private(HOSTNAME))
    assert done.returncode == 0 and "tacet" in done.stdout, done.stderr


@pytest.mark.parametrize("what", daily(REFUSED, "systemd"))
def test_refused(scene, what):
    """All other calls are refused, though a public program may make them; services that it may not see are not there."""
    assert scene.run(private(REFUSED[what])).returncode != 0
    if what != "setting a property":
        assert scene.run(REFUSED[what]).returncode == 0


@pytest.mark.nightly
def test_called_by_its_connection(scene):
    """Programs call services by the names of their connections, too."""
    script = HOSTNAME + """ >/dev/null; owner=$(busctl --system call org.freedesktop.DBus / org.freedesktop.DBus GetNameOwner s org.freedesktop.hostname1 | cut -d'"' -f2)
    echo "$owner"; busctl --system call "$owner" /org/freedesktop/hostname1 org.freedesktop.DBus.Properties Get ss org.freedesktop.hostname1 Hostname"""
    done = scene.run(private(script))
    assert done.stdout.startswith(":") and "tacet" in done.stdout, done


@pytest.mark.nightly
def test_owns_no_name(scene):
    """A name is owned neither by its owner's leave nor by a signal sent: nobody outside hears of the session."""
    own = CALL.format("org.freedesktop.DBus", "/", "org.freedesktop.DBus.RequestName string:org.freedesktop.Kestrel uint32:0")
    done = scene.run(private(own))
    assert done.returncode != 0 and "uint32 1" not in done.stdout
    listener = listen(scene, "type='signal',interface='org.example.Kestrel'")
    signal = "dbus-send --system --type=signal / org.example.Kestrel.Told string:{}"
    scene.run(private(signal.format("private")))
    scene.guest.run(signal.format("public"), check=True)
    heard = until(listener, "public")
    assert "public" in heard and "private" not in heard


@pytest.mark.nightly
def test_nobody_calls_in(scene):
    """A public program that knows a private one's name on the bus cannot call it."""
    scene.start(private("gdbus monitor --system --dest org.freedesktop.hostname1"))
    names = "busctl --system --no-legend list --unique | awk '$3 == \"tacet-session\" { print $1 }'"
    scene.guest.wait_for(lambda: scene.guest.run(names).stdout.strip(), what="the private program's connection")
    ping = CALL.format(scene.guest.run(names).stdout.split()[0], "/", "org.freedesktop.DBus.Peer.Ping")
    assert "AccessDenied" in scene.run(ping).stderr
    scene.tacet.run("session", "end", "--all", person=True)
    scene.guest.wait_for(lambda: not scene.guest.run(names).stdout.strip(), 5, "the connection to go")


@pytest.mark.nightly
def test_tells_no_text(scene):
    """Who watches the bus sees none of the texts that a private program puts into calls: properties, interfaces, paths, arguments."""
    where = "/org/freedesktop/hostname1"
    calls = [CALL.format("org.freedesktop.hostname1", path, f"{method} {arguments}") for path, method, arguments in (
        (where, "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.hostname1 string:Kestrel_{0}"),
        (where, "org.freedesktop.DBus.Properties.GetAll", "string:org.freedesktop.hostname1.Kestrel_{0}"),
        (where + "/Kestrel_{0}", "org.freedesktop.DBus.Properties.GetAll", "string:org.freedesktop.hostname1"),
        (where, "org.freedesktop.DBus.Introspectable.Introspect", "string:Kestrel_{0}"))]
    watcher = listen(scene)
    # Put together inside, as whoever watches the bus sees the command with which the session is started.
    scene.run(private("text=private; " + "; ".join(call.format("$text") for call in calls)))
    for call in calls:
        scene.run(call.format("public"))
    scene.run("dbus-send --system --type=signal / org.example.Kestrel.Over")
    heard = until(watcher, "Kestrel.*Over")
    assert heard.count("Kestrel_public") >= len(calls) and "Kestrel_private" not in heard, heard
