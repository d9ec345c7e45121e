# SPDX-License-Identifier: GPL-3.0-or-later
"""A private program in a terminal: it has one of its own, which works as the person's does, and the person's is left as it was."""

import json

import pytest

NEWEST_KERNEL_ONLY = True
# Plays a person at a terminal: argv[1] is the command line, argv[2] a list of [what to type, regular expression to wait for]; "WAIT
# SECONDS" and "SIZE ROWS COLUMNS" are not typed. Writes
# what was shown, and whether the terminal's settings are as before.
PERSON = r"""
import fcntl, json, os, pty, re, select, struct, sys, termios, time
pid, master = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "--norc", "-c", sys.argv[1]])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
shown, place = b"", 0
def wait(pattern, limit):
    global shown, place
    end = time.monotonic() + limit
    while not (found := re.search(pattern.encode(), shown[place:])):
        if not select.select([master], [], [], max(0, end - time.monotonic()))[0]:
            return False
        try:
            shown += os.read(master, 65536)
        except OSError:
            return bool(re.search(pattern.encode(), shown[place:]))
    place += found.end()
    return True
missed = None
before = termios.tcgetattr(master)
for keys, pattern in json.loads(sys.argv[2]):
    if keys.startswith("WAIT"):
        time.sleep(float(keys.split()[1]))
    elif keys.startswith("SIZE"):
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", *map(int, keys.split()[1:]), 0, 0))
    else:
        os.write(master, keys.encode())
    if not wait(pattern, 40):
        missed = pattern
        break
same = termios.tcgetattr(master) == before
os.close(master)
print(json.dumps({"shown": shown.decode(errors="replace"), "missed": missed, "same": same}))
"""

SHELL = "tacet run --display none -- bash --norc -i"


@pytest.fixture
def person(scene):
    """Runs a command line in a terminal and types; returns what was shown, after all that was waited for has come."""
    def sit(command, *steps):
        done = scene.guest.run(["env", "TERM=dumb", "python3", "-c", PERSON, command, json.dumps(steps)], session=True, cwd=scene.folder)
        seen = json.loads(done.stdout)
        assert seen["missed"] is None, seen["shown"]
        return seen

    yield sit
    scene.guest.run("tacet session end --all", session=True)


def test_interactive_shell(person):
    """A shell has job control: Ctrl-C, Ctrl-Z, fg; the size follows; at the end the terminal is as before."""
    seen = person(SHELL + "; echo left=$?; read", ["", r"[>#$] $"], ["echo $((40 + 2)) $(tty)\n", r"\n42 /dev/pts/0"],
                  ["stty size\n", r"\n33 101\r"], ["SIZE 20 60", ""], ["until stty size | grep 20; do sleep 0.1; done\n", r"\n20 60\r"],
                  ["sleep 1000\n", r"1000\r\n"], ["WAIT 1", ""], ["\x03", r"\^C"], ["echo code=$?\n", r"code=130"], ["cat\n", r"cat\r\n"],
                  ["WAIT 1", ""], ["\x1a", r"Stopped"], ["jobs\n", r"Stopped +cat"], ["fg\n", r"cat"], ["y\n\x04", r"y"], ["exit 5\n", r"left=5"])
    assert "no job control" not in seen["shown"] and seen["same"]


def test_stopped_by_the_person(person):
    """Ctrl-Z stops a private program that is no shell, as a job of the shell outside; fg goes on with it."""
    person("set -m; PS1='out> ' bash --norc -i", ["", r"out> $"], ["tacet run --display none -- sh -c 'echo re''ady; exec cat'\n", r"\nready"],
           ["hello\n", r"hello\r\nhello"], ["\x1a", r"Stopped"], ["echo here\n", r"\nhere"], ["fg\n", r"tacet run"],
           ["again\n", r"again\r\nagain"], ["\x04", r"out> $"])


def test_outer_terminal_is_out_of_reach(person):
    """The person's terminal is no file of the session's: what it can open is its own."""
    seen = person("tacet run --display none -- bash -c 'ls -1 /dev/pts; tty; ls -l /proc/$$/fd | grep -c pts/; : </dev/tty && echo own'; tty",
                  ["", r"own(.|\n)*/dev/pts/"])
    assert seen["shown"].startswith("0\r\nptmx\r\n/dev/pts/0\r\n3\r\nown")


def test_last_words(person):
    """All that a program wrote is shown, also when it ends at once; a pipe stays a pipe."""
    seen = person("tacet run --display none -- seq 20000 | tail -n 1; tacet run --display none -- seq 3000; echo done",
                  ["", r"20000\r\n1\r\n(.|\n)*\n3000\r\ndone"])
    assert seen["shown"].count("\n") == 3002


def test_program_killed(person):
    """A session that is killed leaves the terminal as it was."""
    seen = person(SHELL + "; echo left=$?; read", ["", r"[>#$] $"],
                  ["", ""], ["kill -9 $$\n", r"left=137"])
    assert seen["same"]
