# SPDX-License-Identifier: GPL-3.0-or-later
"""A way out of a private session or into one, as a row; how it is tried, and where its stamp is looked for."""

import dataclasses
import secrets
import shlex

HELD = "held"
FOLDER = "/home/anna/Documents/escape"
WITNESS = "escape-witness"
LOG = f"/run/user/1000/{WITNESS}"
SECONDS = 30
# Where a person's programs may write; the witness's log is elsewhere.
WRITABLE = f"{FOLDER} /home/anna /tmp /var/tmp /dev/shm /run/lock"


@dataclasses.dataclass(frozen=True)
class Way:
    """One way. All scripts are bash's and know $STAMP, which nobody else knows.

    script: what the program does, as anna, in a fresh folder with a file `plain`.
    witness: a program of `who` outside that tries to get the stamp and prints it. It prints `ready` when it may begin.
    trace: root's look outside afterwards, which prints the stamp where it is found. Files are always looked through.
    setup, undo: root's, before and after.
    inside: the program itself prints `through`, when only it can tell.
    options: of `tacet run`; words: the program's; around: redirections of its shell, from outside.
    control: who runs the script for the control, which must get through: `anna`, `root`, or why there is none.
    expected: `held`, or why it is not.
    """

    name: str
    script: str
    witness: str = ""
    who: str = "anna"
    trace: str = ""
    setup: str = ""
    undo: str = ""
    inside: bool = False
    options: tuple[str, ...] = ()
    words: str = ""
    around: str = ""
    control: str = "anna"
    expected: str = HELD

    @property
    def has_control(self):
        """Whether a program that is not private can try it, too."""
        return self.control in ("anna", "root")

    def __str__(self):
        return self.name.replace(" ", "-")


def python(text):
    """The shell line that runs a program in Python, which has STAMP, libc and the modules of the first line at hand."""
    head = "import ctypes, fcntl, mmap, os, signal, socket, struct, sys, time\nlibc = ctypes.CDLL(None, use_errno=True)\nSTAMP = os.environ['STAMP']\n"
    return "STAMP=$STAMP python3 -c " + shlex.quote(head + text.strip("\n"))


def server(port=4711):
    """A witness that prints what the first TCP connection brings."""
    return python(f"""
sock = socket.create_server(("0.0.0.0", {port}))
print("ready", flush=True)
print(sock.accept()[0].recv(300).decode(), flush=True)""")


def polling(command, seconds=8):
    """A witness that runs a command again and again."""
    return f"echo ready; end=$((SECONDS + {seconds})); while [ $SECONDS -lt $end ]; do {command}; sleep 0.1; done"


class Attempt:
    """Tries ways in a guest, each as the program of a session or, for the control, without one.

    Scripts stand in files, so that no command line outside has the stamp, and it is in no environment."""

    def __init__(self, guest, display="none"):
        self.guest, self.display = guest, display

    def try_way(self, way, private):
        """Where the stamp was found: `witness`, `trace`, `files`, `program`; and what the program printed."""
        stamp = "Kestrel" + secrets.token_hex(4)
        self._root(stamp, f"rm -rf {FOLDER}; install -d -o anna -g anna {FOLDER}; cd {FOLDER}; echo plain | install -o anna -g anna /dev/stdin plain; {way.setup}")
        try:
            self._start_witness(way, stamp)
            done = self._run(way, stamp, private)
            found = self._find(way, stamp)
            if way.inside and "through" in done.stdout.split():
                found.add("program")
            return found, f"{done.returncode}: {done.stdout[-600:]}{done.stderr[-1200:]}"
        finally:
            self._root(stamp, f"systemctl --user -M anna@ stop {WITNESS}; systemctl stop {WITNESS}; rm -f {LOG}; cd {FOLDER}; {way.undo}\n"
                       f"find {WRITABLE} -xdev -user anna -name '*{stamp}*' -delete; rm -rf {FOLDER} /tmp/escape* /var/tmp/escape /dev/shm/escape /run/lock/escape /home/anna/escape")

    def _write(self, name, stamp, script):
        """Returns the name of a file with this script."""
        path = f"/usr/local/lib/{name}"
        self.guest.write(path, f"STAMP={stamp}\n{script}\n")
        return path

    def _root(self, stamp, script):
        return self.guest.run(["bash", self._write("escape-root", stamp, script)]).stdout

    def _start_witness(self, way, stamp):
        if not way.witness:
            return
        words = ["--quiet", "--collect", f"--unit={WITNESS}", "-p", f"StandardOutput=truncate:{LOG}", "-p", f"WorkingDirectory={'/' if way.who == 'bela' else FOLDER}",
                 "bash", self._write("escape-witness", stamp, way.witness)]
        if way.who == "anna":
            self.guest.run(["systemd-run", "--user", *words], session=True, check=True)
        else:
            self.guest.run(["systemd-run", f"--uid={way.who}", *words], check=True)
        self.guest.wait_for(lambda: "ready" in self.guest.run(["cat", LOG]).stdout, what="the witness")

    def _run(self, way, stamp, private):
        line = f"bash {self._write('escape-script', stamp, way.script)} {way.words}"
        if private:
            line = f"tacet run --display {self.display} {' '.join(way.options)} -- {line}"
        # Everybody sees the arguments of timeout(1).
        limit = "" if way.words or way.options else f"timeout -k 5 {SECONDS} "
        start = ["bash", self._write("escape-start", stamp, f"exec {limit}{line} {way.around}")]
        return self.guest.run(start, session=private or way.control == "anna", cwd=FOLDER)

    def _find(self, way, stamp):
        looks = {"witness": f"sleep 0.3; cat {LOG}" if way.witness else "", "trace": way.trace,
                 "files": f"find {WRITABLE} -xdev -name '*{stamp}*'; grep -arsF {stamp} {WRITABLE} --exclude-dir=.cache"}
        return {place for place, look in looks.items() if look and stamp in self._root(stamp, f"cd {FOLDER}; {look}")}
