# SPDX-License-Identifier: GPL-3.0-or-later
"""A private session with a display of its own, looked at from both sides of its border."""

import re
import shlex


def looks_into(guest, process):
    """What a program of anna's can see of a process: of its memory, environment, descriptors, calls. Yama would refuse most, so it is off."""
    guest.run("sysctl -qw kernel.yama.ptrace_scope=0")
    ways = {"memory": "dd if=/proc/{0}/mem of=/dev/null bs=1 count=1 skip=$((0x$(head -c 12 /proc/{0}/maps))) iflag=skip_bytes",
            "environment": "head -c 1 /proc/{0}/environ | grep -q .", "files": "ls -l /proc/{0}/fd/", "calls": "timeout -s INT 2 strace -qqp {0}; test $? != 1"}
    return {name for name, way in ways.items() if guest.run(way.format(process), session=True).returncode == 0}


class PrivateSession:
    """Started in anna's desktop session by `tacet run`; as a context, it is ended at the end."""

    def __init__(self, guest, tacet, command, *options, name="Kestrel"):
        self.guest, self.tacet, self.name = guest, tacet, name
        known = {item["id"] for item in tacet.json("session", "list")}
        guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--unit=private-{name}", "tacet", "run", "--name", name,
                   *options, "--", *command], session=True, check=True)
        new = guest.wait_for(lambda: {item["id"] for item in tacet.json("session", "list")} - known, 90, "the session")
        (self.id,) = new
        self.main = guest.wait_for(lambda: self._processes("programs"), what="the private program")[0]
        guest.run(f"cp /proc/{self.main}/root/run/user/1000/xauthority /root/key-{self.id}", check=True)
        # The process has the session's environment only after exec; before, it is a copy of its parent.
        self.display = guest.wait_for(lambda: re.search(r"^DISPLAY=(:\d+)$", self._environment(), re.M), what="the display")[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tacet.run("session", "end", self.id, check=False)
        self.guest.run(f"rm /root/key-{self.id}; systemctl --user -M anna@ stop private-{self.name}")

    def _processes(self, group):
        path = f"/sys/fs/cgroup/user.slice/user-1000.slice/tacet-session-{self.id}.service/{group}/cgroup.procs"
        return self.guest.run(["cat", path]).stdout.split()

    def _environment(self):
        return self.guest.run(f"tr '\\0' '\\n' </proc/{self.main}/environ", check=True).stdout

    def helpers(self):
        """The names of the processes that serve the session."""
        return self.guest.run(f"ps -o comm= -p {','.join(self._processes('helpers'))}").stdout.split()

    def brokers(self):
        """The processes that have the display's key: `tacet run`, and the nested server."""
        servers = self.guest.run(f"pgrep -x 'Xephyr|Xwayland' | grep -xF '{chr(10).join(self._processes('helpers'))}'").stdout.split()
        return [self.client()] + servers

    def client(self):
        """The process of `tacet run`."""
        return self.guest.run(f"systemctl --user -M anna@ show --value -p MainPID private-{self.name}", check=True).stdout.strip()

    def is_over(self):
        """Whether the daemon knows it no more."""
        return self.id not in {item["id"] for item in self.tacet.json("session", "list")}

    def inside(self, command, check=True, **more):
        """Runs a shell line on the session's display: as root, with its key."""
        return self.guest.run(command, env={"DISPLAY": self.display, "XAUTHORITY": f"/root/key-{self.id}"}, check=check, **more)

    def run_in(self, command, **more):
        """Runs a shell line among the session's programs, as anna, where the session's network, files and limits are hers."""
        variables = " ".join(shlex.quote(line) for line in self._environment().splitlines() if line)
        line = f"nsenter -t {self.main} -m -p -i setpriv --reuid 1000 --regid 1000 --init-groups env -i {variables} bash -c"
        return self.guest.run(f"{line} {shlex.quote(command)}", **more)

    def root_size(self):
        """Width and height of the display."""
        return geometry(self.inside("xwininfo -root").stdout)[2:]

    def window(self, name):
        """(x, y, width, height) of the window with this title on the display, or None."""
        found = self.inside(["xwininfo", "-name", name], check=False)
        return geometry(found.stdout) if found.returncode == 0 else None

    def windows(self, kind):
        """The visible windows of this class on the display."""
        return self.inside(f"xdotool search --onlyvisible --class {kind}", check=False).stdout.split()

    def first_window(self, kind):
        """(x, y, width, height) of the first visible window of this class on the display, or None."""
        found = self.windows(kind)
        return geometry(self.inside(["xwininfo", "-id", found[0]]).stdout) if found else None


def geometry(text):
    """(x, y, width, height) in what xwininfo printed."""
    keys = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
    return tuple(int(re.search(rf"{key}: +(-?\d+)", text)[1]) for key in keys)
