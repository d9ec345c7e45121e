# SPDX-License-Identifier: GPL-3.0-or-later
"""A private system bus with a mock of polkit, and tacetd with a kernel that the test plays."""
import ctypes
import json
import os
import pathlib
import queue
import subprocess
import threading
import time

import dbusmock
import pytest
from dbus.mainloop.glib import DBusGMainLoop

import dbus

NAME = "org.tacet.Tacet1"
OBJECT = "/org/tacet/Tacet1"
USER = 1000

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={directory}/bus</listen>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
    <allow send_destination="org.freedesktop.PolicyKit1"/>
  </policy>
  <include>{policy}</include>
</busconfig>
"""

POLICY = pathlib.Path(__file__).parents[2] / "backend/data/org.tacet.Tacet1.conf"


class Daemon:
    """The simulated daemon's process."""

    def __init__(self, state, bus):
        self.state, self.bus = state, bus
        self.told = queue.Queue()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [os.environ["SIMULATED_DAEMON"], str(self.state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()
        while "ready" not in self.told.get(timeout=30):
            pass

    def _read(self, stream):
        for line in stream:
            self.told.put(json.loads(line))

    def _command(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")

    def ask(self, number, **facts):
        question = {"id": number, "uid": USER, "file": "/home/user/salaries.csv"} | facts
        self._command(ask=question)

    def withdraw(self, number):
        self._command(withdraw=number)

    def derive(self, path, **facts):
        """A program writes derived data; path is what it sees, file= where that is."""
        self._command(derive={"path": str(path), "uid": USER} | facts)

    def armed(self):
        """(device, inode) of every file that triggers."""
        self._command(armed=True)
        return {tuple(file) for file in self._told("armed")["armed"]}

    def set_module(self, present):
        self._command(module=present)

    def verdict(self, timeout=10):
        return self._told("verdict", timeout)

    def _told(self, what, timeout=10):
        while True:
            told = self.told.get(timeout=timeout)
            if what in told:
                return told

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._wait_until_forgotten()

    def stop(self):
        """An orderly end."""
        self.process.terminate()
        assert self.process.wait(timeout=10) == 0
        self._wait_until_forgotten()

    def _wait_until_forgotten(self):
        """The bus may hear later than its parent that the process has ended."""
        deadline = time.monotonic() + 20
        while self.bus.name_has_owner(NAME):
            assert time.monotonic() < deadline
            time.sleep(0.01)


class User:
    """A connection of one uid, in a process of its own, since a connection's uid is that of its process."""

    def __init__(self, uid, mounts=()):
        """mounts: pairs of paths; the second leads to the first for this user alone."""
        helper = pathlib.Path(__file__).with_name("client_process.py")
        command = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "python3", str(helper)]
        if mounts:
            line = "".join(f"mount --bind '{source}' '{target}' && " for source, target in mounts) + 'exec "$@"'
            command = ["unshare", "--mount", "--propagation", "unchanged", "sh", "-c", line, "sh", *command]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.replies = queue.Queue()
        self.news = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.replies.get(timeout=10)

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            (self.replies if "reply" in message or "error" in message else self.news).put(message)

    def send(self, interface, method, signature="", *arguments):
        self.process.stdin.write(json.dumps([interface, method, signature, arguments]) + "\n")

    def call(self, interface, method, signature="", *arguments):
        self.send(interface, method, signature, *arguments)
        message = self.replies.get(timeout=20)
        if "error" in message:
            raise CallError(message["error"])
        return message["reply"]

    def register(self):
        self.call("Breaches", "RegisterAgent", "o", "/agent")

    def asked(self, timeout=10):
        return self._next("Ask", timeout)

    def withdrawn(self, timeout=10):
        return self._next("Withdraw", timeout)

    def _next(self, method, timeout):
        while True:
            message = self.news.get(timeout=timeout)
            if method in message:
                return message[method]

    def leave(self):
        self.process.kill()
        self.process.wait()


class CallError(Exception):
    @property
    def name(self):
        return self.args[0]


@pytest.fixture(scope="session")
def system_bus(tmp_path_factory):
    directory = tmp_path_factory.mktemp("bus")
    directory.chmod(0o755)
    for parent in (directory.parent, directory.parent.parent):
        parent.chmod(0o755)
    configuration = directory / "bus.conf"
    configuration.write_text(CONFIGURATION.format(directory=directory, policy=POLICY))
    # The bus turns away a uid that is not in passwd.
    users = directory / "passwd"
    users.write_text("root:x:0:0::/root:/bin/sh\n" + "".join(f"user{uid}:x:{uid}:{uid}::/:/bin/sh\n" for uid in (USER, USER + 1)))
    bus = f"mount --bind {users} /etc/passwd && exec dbus-daemon --config-file={configuration} --nofork --nopidfile --print-address"
    process = subprocess.Popen(["unshare", "--mount", "--propagation", "unchanged", "sh", "-c", bus], stdout=subprocess.PIPE, text=True)
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = process.stdout.readline().strip()
    DBusGMainLoop(set_as_default=True)
    yield dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    process.terminate()
    process.wait()


@pytest.fixture
def polkit(system_bus):
    process, mock = dbusmock.DBusTestCase.spawn_server_template("polkitd", {}, subprocess.DEVNULL)
    yield dbus.Interface(mock, dbusmock.MOCK_IFACE)
    process.terminate()
    process.wait()


@pytest.fixture
def daemon(system_bus, tmp_path):
    tmp_path.chmod(0o755)
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    running = Daemon(state, system_bus)
    yield running
    running.kill()


@pytest.fixture
def connect(daemon):
    users = []

    def make(uid=USER, mounts=()):
        users.append(User(uid, mounts))
        return users[-1]

    yield make
    for user in users:
        user.leave()


@pytest.fixture
def hanging(tmp_path):
    """A folder of a file system that never answers: nobody serves it."""
    folder = tmp_path / "hanging"
    folder.mkdir()
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mount(b"hanging", bytes(folder), b"fuse", 0, options.encode()) == 0, os.strerror(ctypes.get_errno())
    yield folder
    os.close(device)
    libc.umount2(bytes(folder), 2)


@pytest.fixture
def files(tmp_path):
    """A directory of the user."""
    directory = tmp_path / "home"
    directory.mkdir(mode=0o755)
    os.chown(directory, USER, USER)

    def make(name="salaries.csv", content="name,4711\n", uid=USER):
        path = directory / name
        path.write_text(content)
        path.chmod(0o600)
        os.chown(path, uid, uid)
        return str(path)

    return make
