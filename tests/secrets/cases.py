# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that are given a password, after the case studies of "Shredding Your Garbage", and how often it is in memory afterwards.

The secret is made in the guest, by hand_over.c, and goes straight to the program. All of the guest's memory is searched from outside.
"""

import dataclasses
import mmap
import os
import pathlib
import secrets
import subprocess

from tests.forensics.search import save_memory

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
HAND_OVER = "/usr/local/bin/hand_over"
PACKAGES = ("apache2", "libcgi-pm-perl", "emacs-nox", "gnupg", "keepassxc")
DIGITS = "0123456789abcdef"
SETTLE = 5  # s, the deadline of stacks
LOGIN = """#!/usr/bin/perl
use CGI;
use Digest::SHA 'sha256_hex';
my $query = CGI->new;
print $query->header('text/plain'), sha256_hex($query->param('password')), "\\n";
"""
# Emacs shows what it does in the last line; shell mode reads a password there, too.
EMACS = r"""GNU Emacs
\exshell\r
$
su bob -c 'echo as $LOGNAME'\r
assword:
\S\r
as bob
exit\r
finished
\xx\xc
"""
SU = r"""assword:
\S\r
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """`programs`: chosen, by path. `line`: what anna does, with {seed}. `shows`: what its output must contain. `end`: what root does to end
    programs that go on; the others have ended by themselves. `clears`: the programs clear the secret themselves, so that the control finds
    nothing."""

    name: str
    programs: tuple
    line: str
    shows: str = ""
    end: str = ""
    clears: bool = False


CASES = (
    Case("Apache and a Perl CGI script", ("/usr/sbin/apache2", "/usr/bin/perl"),
         f"{HAND_OVER} {{seed}} post 10.77.0.1 /cgi-bin/login", "200 OK", "systemctl stop apache2"),
    Case("su in Emacs' shell", ("/usr/bin/emacs-nox", "/usr/bin/su", "/usr/sbin/unix_chkpwd", "/usr/bin/bash"),
         f"{HAND_OVER} {{seed}} type \"$(cat /run/emacs-steps)\" emacs -Q -nw"),
    Case("su", ("/usr/bin/su", "/usr/sbin/unix_chkpwd"), f"{HAND_OVER} {{seed}} type \"$(cat /run/su-steps)\" su bob -c true", clears=True),
    Case("GnuPG", ("/usr/bin/gpg", "/usr/bin/gpg-agent"),
         f"{HAND_OVER} {{seed}} pipe gpg --batch --yes --pinentry-mode loopback --passphrase-fd 0 -o /tmp/file.gpg -c /etc/services",
         end="runuser -l anna -c 'gpgconf --kill all'", clears=True),
    Case("KeePassXC", ("/usr/bin/keepassxc-cli",), f"rm -f /tmp/keys.kdbx; {HAND_OVER} {{seed}} pipe keepassxc-cli db-create -p /tmp/keys.kdbx"),
)


def secret_of(seed):
    """The secret that hand_over.c makes of it."""
    return "".join(DIGITS[15 - DIGITS.index(digit)] for digit in seed)


def build_hand_over():
    """Compiles the program in the build chroot when it is older than its source."""
    source, program = HERE / "hand_over.c", pathlib.Path(os.environ["TACET_BUILD"]) / "hand_over"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([TREE / "dev", "shell", "--", "gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return program


def prepare(guest):
    """What the cases need in the guest."""
    guest.put(build_hand_over(), HAND_OVER)
    guest.write("/usr/lib/cgi-bin/login", LOGIN)
    guest.write("/run/emacs-steps", EMACS)
    guest.write("/run/su-steps", SU)
    guest.run("chmod 755 /usr/lib/cgi-bin/login; remote-exec; a2enmod -q cgid cgi; systemctl restart apache2; useradd -m bob", check=True)


def count(guest, secret):
    """How often the secret is in the guest's memory."""
    image = guest.machine.directory / "memory"
    save_memory(guest, image)
    with open(image, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
        found, at, needle = 0, 0, secret.encode()
        while (at := memory.find(needle, at)) >= 0:
            found, at = found + 1, at + 1
    image.unlink()
    return found


def run(guest, case, chosen):
    """Gives a new secret to the case's programs; returns how often it is there 5 s later, and when they have ended."""
    for program in case.programs:
        guest.run(f"tacet memory {'add' if chosen else 'remove'} {program}")
    seed = secrets.token_hex(8)
    secret = secret_of(seed)
    hashed = subprocess.run(["openssl", "passwd", "-6", "-stdin"], input=secret, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    guest.run(["usermod", "-p", hashed, "bob"], check=True)
    if case.end.startswith("systemctl"):
        guest.run("systemctl restart apache2", check=True)
    done = guest.run(["runuser", "-l", "anna", "-c", case.line.format(seed=seed)], timeout=600)
    assert done.returncode == 0 and case.shows in done.stdout, (case.name, done.stdout, done.stderr)
    guest.run(f"sleep {SETTLE}")
    while_it_runs = count(guest, secret)
    guest.run(f"{case.end or 'true'}; sleep 2", check=True)
    return while_it_runs, count(guest, secret)
