# SPDX-License-Identifier: GPL-3.0-or-later
"""A private program in a terminal: it has one of its own, which works as the person's does, and the person's is left as it was."""

import functools

import pytest

from tests.system.terminal import sit

NEWEST_KERNEL_ONLY = True
SHELL = "tacet run --display none -- bash --norc -i"


@pytest.fixture
def person(scene):
    """Runs a command line in a terminal and types; returns what was shown, after all that was waited for has come."""
    yield functools.partial(sit, scene)
    scene.guest.run("tacet session end --all", session=True)


@pytest.mark.nightly
def test_interactive_shell(person):
    """A shell has job control: Ctrl-C, Ctrl-Z, fg; the size follows; at the end the terminal is as before."""
    seen = person(SHELL + "; echo left=$?; read", ["", r"[>#$] $"], ["echo $((40 + 2)) $(tty)\n", r"\n42 /dev/pts/0"],
                  ["stty size\n", r"\n33 101\r"], ["SIZE 20 60", ""], ["until stty size | grep 20; do sleep 0.1; done\n", r"\n20 60\r"],
                  ["sleep 1000\n", r"1000\r\n"], ["WAIT 1", ""], ["\x03", r"\^C"], ["echo code=$?\n", r"code=130"], ["cat\n", r"cat\r\n"],
                  ["WAIT 1", ""], ["\x1a", r"Stopped"], ["jobs\n", r"Stopped +cat"], ["fg\n", r"cat"], ["y\n\x04", r"y"], ["exit 5\n", r"left=5"])
    assert "no job control" not in seen["shown"] and seen["same"]


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_last_words(person):
    """All that a program wrote is shown, also when it ends at once; a pipe stays a pipe."""
    seen = person("tacet run --display none -- seq 20000 | tail -n 1; tacet run --display none -- seq 3000; echo done",
                  ["", r"20000\r\n1\r\n(.|\n)*\n3000\r\ndone\r\n"])
    assert seen["shown"].count("\n") == 3002


@pytest.mark.nightly
def test_program_killed(person):
    """A session that is killed leaves the terminal as it was."""
    seen = person(SHELL + "; echo left=$?; read", ["", r"[>#$] $"],
                  ["", ""], ["kill -9 $$\n", r"left=137"])
    assert seen["same"]
