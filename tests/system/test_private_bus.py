# SPDX-License-Identifier: GPL-3.0-or-later
"""A private session on the system bus: it may read a few things of the machine, and neither tell anything nor be seen."""

import pytest

from test_private import private

CALL = "dbus-send --system --print-reply --dest={} {} {}"
HOSTNAME = CALL.format("org.freedesktop.hostname1", "/org/freedesktop/hostname1",
                       "org.freedesktop.DBus.Properties.Get string:org.freedesktop.hostname1 string:Hostname")

REFUSED = {
    "setting a property": CALL.format("org.freedesktop.timedate1", "/org/freedesktop/timedate1",
                                      "org.freedesktop.timedate1.SetTimezone string:UTC boolean:false"),
    "systemd": CALL.format("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager.GetUnit string:dbus.service"),
    "login": CALL.format("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager.ListSessions"),
    "tacetd": CALL.format("org.tacet.Tacet1", "/org/tacet/Tacet1", "org.tacet.Tacet1.Sessions.List"),
    "who is there": CALL.format("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetNameOwner string:org.freedesktop.systemd1"),
}


def test_reads_the_machine(scene):
    """An allowed property can be read."""
    done = scene.run(private(HOSTNAME))
    assert done.returncode == 0 and "tacet" in done.stdout, done.stderr


@pytest.mark.parametrize("what", REFUSED)
def test_refused(scene, what):
    """All other calls are refused, though a public program may make them."""
    assert scene.run(private(REFUSED[what])).returncode != 0
    if what != "setting a property":
        assert scene.run(REFUSED[what]).returncode == 0


def test_owns_no_name(scene):
    """A name is owned neither by its owner's leave nor by a signal sent: nobody outside hears of the session."""
    own = CALL.format("org.freedesktop.DBus", "/", "org.freedesktop.DBus.RequestName string:org.freedesktop.Kestrel uint32:0")
    done = scene.run(private(own))
    assert done.returncode != 0 and "uint32 1" not in done.stdout
    listener = scene.guest.popen("timeout 40 dbus-monitor --system \"type='signal',interface='org.example.Kestrel'\"")
    scene.guest.run("sleep 2")
    signal = "dbus-send --system --type=signal / org.example.Kestrel.Told string:{}"
    scene.run(private(signal.format("private")))
    scene.guest.run(signal.format("public"), check=True)
    heard = listener.communicate(timeout=60)[0]
    assert "public" in heard and "private" not in heard


def test_goes_with_its_session(scene):
    """The filter ends with the session, and leaves no socket."""
    scene.start(private("exec -a on-the-bus sleep 1000"))
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -f on-the-bus.1000").returncode == 0, what="the program")
    assert scene.guest.run("pgrep -x xdg-dbus-proxy").returncode == 0
    scene.guest.run("tacet session end --all", session=True, check=True)
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -x xdg-dbus-proxy").returncode != 0, 5, "the filter to go")
    assert scene.guest.run("ls -d /run/tacet/bus-*").returncode != 0


def test_without_a_filter(scene):
    """Without the program that filters there is no system bus."""
    scene.guest.run("mv /usr/bin/xdg-dbus-proxy /usr/bin/xdg-dbus-proxy.away", check=True)
    try:
        assert scene.run(private("ls /run/dbus/system_bus_socket")).returncode != 0
        assert scene.run(private(HOSTNAME)).returncode != 0
    finally:
        scene.guest.run("mv /usr/bin/xdg-dbus-proxy.away /usr/bin/xdg-dbus-proxy", check=True)
