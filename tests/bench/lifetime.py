#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows how long data lives on the heaps of real programs: table 1 of "Shredding Your Garbage", natively in the build chroot.

Each program runs under the Valgrind tool of `tacet memory lifetime`. A row is the process of that name that wrote most. The paper's
means stand beside the means of today. Its runs took 23 to 61 minutes, with programs and computers of 2005. So the relations between
the three times compare, and the times do not.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.request

TREE = pathlib.Path(__file__).resolve().parents[2]
TOOL = "backend/lifetime"
FIELDS = ("pid", "ran", "allocated", "unwritten", "ideal", "ideal mean", "ideal deviation", "secure", "secure mean", "secure deviation",
          "natural", "natural mean", "natural deviation", "in use", "given back", "left")
# Means in seconds: ideal, secure, natural. Firefox has those of Mozilla.
PAPER = {"ssh": (0, 0, 7), "sshd": (0, 0, 5), "python": (24, 23, 59), "apache": (0, 0, 0), "xterm": (1, 1, 3), "ls": (1, 2, 65),
         "firefox": (11, 21, 40)}
# Both are large, so that the build chroot does not have them.
PACKAGES = "firefox-esr mutt"
# Firefox's test for user namespaces kills Valgrind. The sandbox of its parts forbids system calls that Valgrind needs.
BROWSER = {"MOZ_ASSUME_USER_NS": "0"} | {f"MOZ_DISABLE_{part}_SANDBOX": "1" for part in ("CONTENT", "GMP", "SOCKET_PROCESS", "RDD", "UTILITY")}
PRIMES = "n = [p for p in range(2, 6000) if all(p % d for d in range(2, int(p ** .5) + 1))]; print(sum(n) * 10 ** 4000 % 97)"
PERL = "my %h; $h{$_ % 900} .= \"value $_,\" for 1..30000; my $n = 0; $n += () = split /,/, $h{$_} for sort keys %h; print $n"
APACHE = """ServerRoot {folder}
PidFile {folder}/pid
ErrorLog {folder}/log
Listen 127.0.0.1:8099
ServerName localhost
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
DocumentRoot /usr/share/common-licenses
"""
SSHD = """ListenAddress 127.0.0.1
Port 2299
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
StrictModes no
PidFile none
UsePAM no
"""


class Tool:
    """The tool, as Valgrind looks for it."""

    def __init__(self, objects, folder):
        self.folder, self.lines = folder, folder / "lines"
        library = folder / "valgrind"
        library.mkdir()
        for path in (objects / TOOL).glob("*-amd64-linux*"):
            if path.is_file():
                (library / path.name).symlink_to(path)
        core = "vgpreload_core-amd64-linux.so"
        (library / core).symlink_to(f"/usr/libexec/valgrind/{core}")
        self.environment = os.environ | {"VALGRIND_LIB": str(library)}

    def line(self, command):
        """The command under Valgrind. sshd's part for authentication allows itself no more system calls than it needs."""
        return ["valgrind", "-q", "--tool=lifetime", "--trace-children=yes", "--trace-children-skip=*sshd-auth*",
                f"--lifetime-file={self.lines}", *command]

    def run(self, command, plain=False, **variables):
        """Runs a command to its end."""
        subprocess.run(command if plain else self.line(command), env=self.environment | variables, stdout=subprocess.DEVNULL, check=True, timeout=900)

    @contextlib.contextmanager
    def server(self, command, port):
        """Runs a server until the context ends."""
        with subprocess.Popen(self.line(command), env=self.environment) as server:
            try:
                for _ in range(300):
                    if subprocess.run(["sh", "-c", f"ss -ltn | grep -q :{port}"], check=False).returncode == 0:
                        break
                    time.sleep(0.2)
                yield
            finally:
                # Apache misses a signal that comes just before it waits for the next client.
                while server.poll() is None:
                    server.terminate()
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        server.wait(5)

    def process(self, name):
        """The process of that name that wrote most, as field -> number."""
        found = []
        for line in self.lines.read_text().splitlines():
            program, *numbers = line.split("\t")
            if pathlib.Path(program).name == name:
                found.append(dict(zip(FIELDS, map(int, numbers), strict=True)))
        return max(found, key=lambda process: process["ideal"])


def browse_apache(tool):
    """Serves small files to a client."""
    (tool.folder / "apache.conf").write_text(APACHE.format(folder=tool.folder))
    with tool.server(["apache2", "-X", "-f", str(tool.folder / "apache.conf")], 8099):
        for _ in range(100):
            urllib.request.urlopen("http://127.0.0.1:8099/GPL-3", timeout=60).read()


def log_in(tool):
    """Runs commands by ssh, under the tool at both ends."""
    key = tool.folder / "key"
    tool.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], plain=True)
    (tool.folder / "sshd.conf").write_text(SSHD.format(folder=tool.folder))
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    with tool.server(["/usr/sbin/sshd", "-D", "-f", str(tool.folder / "sshd.conf")], 2299):
        tool.run(["ssh", "-i", str(key), "-p", "2299", "-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={tool.folder}/known",
                  "127.0.0.1", "for i in $(seq 20); do ls -l /usr/bin; sleep 0.2; done"])


def encrypt(tool):
    """Encrypts a file under a passphrase, and decrypts it."""
    home = ["gpg", "--homedir", str(tool.folder), "--batch", "--yes", "--pinentry-mode", "loopback", "--passphrase", "secret"]
    tool.run([*home, "-o", str(tool.folder / "file.gpg"), "-c", "/usr/share/common-licenses/GPL-3"])
    tool.run([*home, "-o", str(tool.folder / "file"), "-d", str(tool.folder / "file.gpg")])
    tool.run(["gpgconf", "--homedir", str(tool.folder), "--kill", "all"], plain=True)


def browse(tool):
    """Shows a page, and makes a picture of it."""
    (tool.folder / "page.html").write_text("".join(f"<h2>Part {part}</h2><p>{'Text of the page. ' * 40}</p>" for part in range(100)))
    (tool.folder / "profile").mkdir()
    tool.run(["/usr/lib/firefox-esr/firefox-esr", "--headless", "--no-remote", "--profile", str(tool.folder / "profile"), "--screenshot",
              str(tool.folder / "picture.png"), f"file://{tool.folder}/page.html"], HOME=str(tool.folder), **BROWSER)


def read_mail(tool):
    """Opens a box of 500 letters, searches their text, reads one and leaves."""
    letters = (f"From a@b Sat Jan  3 10:00:00 2026\nFrom: a@b\nTo: anna@c\nSubject: letter {number}\nDate: Sat, 3 Jan 2026 10:00:00 +0000\n"
               f"Message-ID: <{number}@c>\n\n{f'The text of letter {number}. ' * 20}\n\n" for number in range(500))
    (tool.folder / "box").write_text("".join(letters))
    keys = "<limit>~B 'letter 77'<enter><display-message><exit><limit>all<enter><exit>"
    mutt = ["mutt", "-n", "-F", "/dev/null", "-f", str(tool.folder / "box"), "-e", f"set folder={tool.folder}", "-e", f'push "{keys}"']
    # A terminal has no size before somebody sets it.
    tool.run(["script", "-qec", f"stty rows 40 columns 120; {shlex.join(tool.line(mutt))}", "/dev/null"],
             plain=True, TERM="xterm", HOME=str(tool.folder))


# name -> (process, work). The server of sshd is the process that serves the session.
WORK = {
    "ssh": ("ssh", log_in),
    "sshd": ("sshd-session", None),
    "apache": ("apache2", browse_apache),
    "python": ("python3", lambda tool: tool.run(["python3", "-c", PRIMES])),
    "firefox": ("firefox-esr", browse),
    "mutt": ("mutt", read_mail),
    "perl": ("perl", lambda tool: tool.run(["perl", "-e", PERL])),
    "gpg": ("gpg", encrypt),
    "xterm": ("xterm", lambda tool: tool.run(["xvfb-run", "-a", *tool.line(["xterm", "-e", "seq 20000"])], plain=True)),
    "ls": ("ls", lambda tool: tool.run(["ls", "-lR", "/usr/share"])),
}


def measure(objects):
    """name -> the process's numbers."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(objects, pathlib.Path(folder))
        for name, (process, work) in WORK.items():
            if work:
                work(tool)
            found[name] = tool.process(process)
    return found


def seconds(microseconds):
    """As text."""
    return f"{microseconds / 1e6:.2f}"


def show(found):
    """Prints the table."""
    print("lifetimes in seconds: mean, and standard deviation; in brackets the paper's mean\n"
          f"{'':<8}{'ran':>7}{'written':>10}{'not written':>12}{'ideal':>18}{'until freed':>18}{'until overwritten':>20}{'never':>7}")
    for name, process in found.items():
        paper = PAPER.get(name)
        cells = "".join(f"{seconds(process[f'{kind} mean'])} ±{seconds(process[f'{kind} deviation'])}"
                        f"{f' ({paper[index]})' if paper else '':<5}".rjust(width)
                        for index, (kind, width) in enumerate((("ideal", 18), ("secure", 18), ("natural", 20))))
        left = process["left"] / process["secure"] if process["secure"] else 0
        print(f"{name:<8}{process['ran'] / 1000:>6.1f}s{process['ideal'] / 1024:>7.0f}KiB"
              f"{process['unwritten'] / process['allocated']:>11.0%} {cells}{left:>7.0%}")


def main():
    """Prints the table, from inside the chroot."""
    parser = argparse.ArgumentParser(prog="./dev bench lifetime")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--objects", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.objects:
        found = measure(pathlib.Path(options.objects))
        if options.json:
            print(json.dumps(found))
        else:
            show(found)
        return 0
    script = (f"source tools/lib/load.sh; prepare_chroot; prepare_packages; "
              f'in_chroot_with "{PACKAGES}" python3 "$tree/tests/bench/lifetime.py" --objects "$build/objects" {"--json" if options.json else ""}')
    return subprocess.run(["bash", "-c", script], cwd=TREE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
