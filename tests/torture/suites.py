# SPDX-License-Identifier: GPL-3.0-or-later
"""Other projects' tests, and what each of their cases runs. Run as a program, it prints the Debian packages, for tools/lib/print-image."""

import dataclasses

# Where in_guest/ and the sources are there.
PLACE = "/srv/tacet-torture"


@dataclasses.dataclass(frozen=True)
class Suite:
    """`listing`: a shell command that prints the names of the cases; `command`: what runs the case {case}; it fails by its exit status.

    source: the Debian source package that it needs, unpacked at PLACE/NAME; packages: Debian packages in the guest.
    seconds: a case may take.
    """

    name: str
    listing: str
    command: str
    source: str = ""
    packages: tuple[str, ...] = ()
    seconds: int = 60


# Those that look at memory's size, at the machine or at time alone, or need other hosts, are left out.
PYTHON = """asyncgen array binascii builtin bytes bz2 capi codecs collections compileall contextlib copy csv datetime dbm descr dict
dynamicclassattribute enum epoll errno fcntl file file_eintr fileio filecmp fileinput fork1 format functools gc generators genericpath
getopt glob gzip hash hashlib heapq htmlparser httpservers io ioctl itertools json kqueue largefile linecache list locale logging long
lzma mailbox marshal memoryio mmap netrc openpty opcodes operator os pathlib pickle pipes poll popen posix posixpath pty pwd py_compile
queue random re regrtest repl resource runpy sched select selectors shelve shlex shutil signal smtplib socket socketserver sort sqlite3
stat statistics string struct subprocess sys syslog tarfile tempfile termios textwrap thread threadedtempfile threading
threading_local threadsignals time timeout tty unicodedata urllib uuid wait3 wait4 warnings wave weakref zipapp zipfile zipimport zlib"""

SUITES = [
    Suite("bash", "cd bash/tests && ls | grep '^run-' | grep -vxE 'run-(all|minimal|gprof)'",
          f"cd {PLACE}/bash/tests && BASH_TSTOUT=$TMPDIR/out BUILD_DIR=.. THIS_SH=/bin/bash PATH={PLACE}:$PWD:$PATH bash ./{{case}}", source="bash"),
    # Those that need root, or what only a build has, say that they are left out.
    Suite("coreutils", "cd coreutils/tests && ls {cat,chmod,cp,dd,env,install,ln,ls,misc,mkdir,mv,rm,rmdir,sort,split,tail,tee,timeout,touch}/*.sh | "
          "grep -vE '(big|long|expensive|root|ulimit|oom)'",
          f"ln -s {PLACE}/coreutils/init.cfg {PLACE}/coreutils/tests . && mkdir src && export srcdir=. abs_srcdir={PLACE}/coreutils "
          f"abs_top_srcdir={PLACE}/coreutils abs_top_builddir={PLACE}/coreutils top_srcdir=. built_programs=\"$(ls /usr/bin | tr '\\n' ' ')\" "
          "CONFIG_HEADER=/dev/null LC_ALL=C SHELL=/bin/bash PERL=perl AWK=awk VERSION=1 host_triplet=x86_64-pc-linux-gnu "
          "host_os=linux-gnu && bash tests/{case} 9>&2", source="coreutils"),
    Suite("perl", "cd perl/t && ls base/*.t cmd/*.t io/*.t op/*.t | grep -vE '(sleep|bigfastmem|taint)'",
          f"cd {PLACE}/perl/t && perl {{case}} | awk '/^not ok/ && !/# TODO/ {{{{ bad = 1 }}}} END {{{{ exit bad }}}}'; "
          "exit $(( PIPESTATUS[0] + PIPESTATUS[1] ? 1 : 0 ))", source="perl"),
    Suite("python", "for name in " + PYTHON.replace("\n", " ") + "; do ls -d /usr/lib/python3.13/test/test_$name* | xargs -rn1 basename -s .py; done "
          "2>/dev/null | sort -u", "python3 -m test -q --fail-env-changed --timeout 100 {case}", packages=("libpython3.13-testsuite",), seconds=120),
    # Each by itself, a second.
    Suite("stress-ng", "stress-ng --stressors | tr ' ' '\\n' | grep . | grep -vE '^(cpu.*|matrix.*|vecfp|vecmath|vecshuf|vecwide|vector|"
          "stream|memcpy|sparsematrix|bsearch|hsearch|lsearch|qsort|radixsort|heapsort|mergesort|bitonicsort|insertionsort|tsearch|"
          "tree|trig|expmath|logmath|powmath|hyperbolic|fractal|prime|primes|factor|fibsearch|jpeg|zlib|nop|rdrand|rapl|rtc|smi|crypt)$'",
          "stress-ng --{case} 1 --timeout 1 --oom-avoid --quiet --temp-path .", packages=("stress-ng",), seconds=30),
]

if __name__ == "__main__":
    print(*sorted({package for suite in SUITES for package in suite.packages}), "perl")
