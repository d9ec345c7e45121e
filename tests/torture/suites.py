# SPDX-License-Identifier: GPL-3.0-or-later
"""Other projects' tests, and what each of their cases runs."""

import dataclasses

# The folder of in_guest/ and the sources in the guest.
PLACE = "/srv/tacet-torture"


@dataclasses.dataclass(frozen=True)
class Suite:
    """`listing`: a shell command that prints the names of the cases; `command`: what runs the case {case}; it fails by its exit status.

    source: the Debian source package that it needs, unpacked at PLACE/NAME; packages: Debian packages in the guest.
    seconds: a case may take. declared: cases that must have another result, and why.
    """

    name: str
    listing: str
    command: str
    source: str = ""
    packages: tuple[str, ...] = ()
    seconds: int = 60
    declared: dict[str, str] = dataclasses.field(default_factory=dict, hash=False)


# Python's tests that are about the system: files, processes, signals, threads, sockets.
PYTHON = """dbm eintr epoll fcntl file file_eintr fileio fileinput fork1 glob ioctl largefile mmap openpty os pathlib poll popen posix pty pwd queue
resource sched select selectors shutil signal socket sqlite3 stat subprocess syslog tarfile tempfile termios thread threadedtempfile
threading threading_local threadsignals time timeout tty wait3 wait4 zipfile"""

SUITES = [
    Suite("bash", "cd bash/tests && ls | grep '^run-' | grep -vxE 'run-(all|minimal|gprof)'",
          f"cd {PLACE}/bash/tests && BASH_TSTOUT=$TMPDIR/out BUILD_DIR=.. THIS_SH=/bin/bash PATH={PLACE}:$PWD:$PATH bash ./{{case}}", source="bash"),
    # Cases that need root, or files of a finished build, report themselves as skipped.
    Suite("coreutils", "cd coreutils/tests && ls {cat,chmod,cp,dd,env,install,ln,ls,misc,mkdir,mv,rm,rmdir,sort,split,tail,tee,timeout,touch}/*.sh | "
          "grep -vE '(big|long|expensive|root|ulimit|oom)'",
          f"ln -s {PLACE}/coreutils/init.cfg {PLACE}/coreutils/tests . && mkdir src && export srcdir=. abs_srcdir={PLACE}/coreutils "
          f"abs_top_srcdir={PLACE}/coreutils abs_top_builddir={PLACE}/coreutils top_srcdir=. built_programs=\"$(ls /usr/bin | tr '\\n' ' ')\" "
          "CONFIG_HEADER=/dev/null LC_ALL=C SHELL=/bin/bash PERL=perl AWK=awk VERSION=1 host_triplet=x86_64-pc-linux-gnu "
          "host_os=linux-gnu && bash tests/{case} 9>&2", source="coreutils", seconds=300),
    Suite("perl", "cd perl/t && ls base/*.t cmd/*.t io/*.t op/{alarm,chdir,chmod,chown,die_exit,exec,fork,getpid,getppid,glob,kill0,mkdir,"
          "print,readline,select,stat,sysio,time,umask,wait,waitpid}.t 2>/dev/null; true",
          f"cd {PLACE}/perl/t && perl {{case}} | awk '/^not ok/ && !/# TODO/ {{{{ bad = 1 }}}} END {{{{ exit bad }}}}'; "
          "exit $(( PIPESTATUS[0] + PIPESTATUS[1] ? 1 : 0 ))", source="perl", seconds=300),
    Suite("python", "for name in " + PYTHON.replace("\n", " ") + "; do ls -d /usr/lib/python3.13/test/test_$name* | xargs -rn1 basename -s .py; done "
          "2>/dev/null | sort -u", "python3 -m test -q --fail-env-changed --timeout 500 {case}", packages=("libpython3.13-testsuite",), seconds=520),
    # Each stressor runs by itself for a second.
    Suite("stress-ng", "stress-ng --class 'os?' 2>&1 | sed -n \"s/.*stressors: //p\" | tr ' ' '\\n' | grep .",
          "stress-ng --{case} 1 --timeout 1 --oom-avoid --quiet --temp-path .", packages=("stress-ng",), seconds=30,
          declared={"aiol": "io_submit() is refused: it would read unseen", "lsm": "lsm_*() are refused: not followed yet",
                    "statmount": "statmount() is refused: not followed yet",
                    "xattr": "stress-ng loses its doppelganger (calls differ), and an attribute cannot be labelled"}),
]


def packages():
    """Debian's, that the guest needs."""
    return ["perl", *sorted({package for suite in SUITES for package in suite.packages})]
