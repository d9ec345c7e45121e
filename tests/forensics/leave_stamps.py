# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the guest, privately or not: leaves stamps wherever a program can, says so, and waits to be ended.

usage: leave_stamps.py SEED READY-FILE. A stamp is made from the seed, so that it is nowhere but where this program put it.
Tools that a machine does not have leave none: the public run is the control that each kind was left at all.
"""

import ctypes
import hashlib
import mmap
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

COPIES = 200
SWAPPED = 48 << 20
HOME = pathlib.Path.home()


def stamp(seed, kind):
    """A stamp: 24 characters that tell the run and the kind."""
    return f"{hashlib.sha256(seed.encode()).hexdigest()[:16]}-{kind:-<9}"


class Leaver:
    """Each method leaves stamps of one kind; what must stay alive is kept."""

    def __init__(self, seed):
        self.seed, self.kept = seed, []

    def text(self, kind):
        """The bytes to leave."""
        return (stamp(self.seed, kind) * COPIES).encode()

    def file(self):
        """Contents, where programs write."""
        places = [HOME / "Documents/notes", HOME / ".cache/tacet-notes", HOME / ".local/share/recently-used.xbel.new",
                  HOME / ".cache/thumbnails/normal/notes.png", pathlib.Path("/tmp/notes"), pathlib.Path("/var/tmp/notes")]
        for place in places:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.text("file"))
        os.sync()

    def name(self):
        """Names, short and long, of files and directories."""
        for number in range(COPIES):
            (HOME / f"{stamp(self.seed, 'name')}{number}{'x' * (number % 60)}").touch()

    def xattr(self):
        """Extended attributes."""
        path = HOME / "with-attribute"
        path.touch()
        os.setxattr(path, "user.note", self.text("xattr")[:1500])

    def deleted(self):
        """A file that was written and deleted."""
        path = HOME / "deleted"
        with open(path, "wb") as file:
            file.write(self.text("deleted"))
            os.fsync(file.fileno())
        path.unlink()

    def link(self):
        """A symbolic link's target."""
        (HOME / f"link{os.getpid()}").symlink_to(stamp(self.seed, "link") * 20)

    def heap(self):
        """Memory that is held, and memory that was freed."""
        self.kept.append(bytearray(self.text("heap") * 50))
        for size in (1, 3, 10, 40):
            bytearray(self.text("heap") * size)

    def stack(self):
        """Arguments and environment lie on a process's stack."""
        word = stamp(self.seed, "stack") * 20
        self.kept.append(subprocess.Popen(["sleep", "1000"], env={"NOTE": word}))

    def swap(self):
        """Much, which whoever tests this squeezes out of memory."""
        area = mmap.mmap(-1, SWAPPED)
        word = self.text("swap")
        for offset in range(0, SWAPPED - len(word), 4096):
            area[offset:offset + 240] = word[:240]
        self.kept.append(area)

    def shm(self):
        """POSIX and System V shared memory."""
        pathlib.Path("/dev/shm/notes").write_bytes(self.text("shm"))
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        address = libc.shmat(libc.shmget(0x5A5A, 8192, 0o1600), None, 0)
        ctypes.memmove(address, self.text("shm"), 4800)

    def pipe(self):
        """Stamps that wait in pipes and sockets, and stamps that went through."""
        for near, far in (os.pipe(), os.pipe()):
            os.write(far, self.text("pipe"))
            self.kept += [near, far]
        os.read(near, 4096)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            near, far = socket.socketpair(socket.AF_UNIX, kind)
            near.send(self.text("pipe"))
            far.recv(100)
            self.kept += [near, far]

    def loopback(self):
        """Stamps that went over the loopback device."""
        server = socket.create_server(("127.0.0.1", 0))
        near = socket.create_connection(server.getsockname())
        far, _ = server.accept()
        near.sendall(self.text("loopback"))
        far.recv(100)
        self.kept += [server, near, far]

    def bus(self):
        """A message on the session bus."""
        run(["gdbus", "emit", "--session", "--object-path", "/a", "--signal", "a.b.c", "'" + stamp(self.seed, "bus") * 20 + "'"])

    def syslog(self):
        """A line for the journal."""
        run(["logger", stamp(self.seed, "syslog")])

    def x(self):
        """A property of the root window."""
        run(["xprop", "-root", "-f", "NOTE", "8s", "-set", "NOTE", stamp(self.seed, "x") * 20])

    def clipboard(self):
        """The clipboard, taken and asked for."""
        subprocess.run(["xclip", "-selection", "clipboard"], input=self.text("clipboard"), check=False)
        run(["xclip", "-selection", "clipboard", "-o"])


def run(words):
    """A tool that may be refused what it wants."""
    if shutil.which(words[0]):
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=20)


KINDS = [name for name, method in vars(Leaver).items() if callable(method) and name not in ("__init__", "text")]


def main():
    """Leaves all stamps, writes the READY-FILE, and waits."""
    leaver = Leaver(sys.argv[1])
    for kind in KINDS:
        try:
            getattr(leaver, kind)()
        except (OSError, subprocess.SubprocessError) as error:
            print(kind, error, file=sys.stderr, flush=True)
    print("stamps left", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
