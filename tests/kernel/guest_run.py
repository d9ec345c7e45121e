# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs many cases in one guest of ./dev kernel and tells what came of each."""

import dataclasses
import os
import pathlib
import re
import subprocess
import threading

from kernel_log import faults

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
SECRET = b"Sphinx77Quartz"
CONTENT = b"name,salary\nanna,%s01\nbob,%s02\n" % (SECRET, SECRET)

# Each program of the guest, with the files that it is made of.
PROGRAMS = {
    "agent": ["agent.c", "agent_device.c"],
    "case": ["case.c", "agent_device.c"],
    "receiver": ["receiver.c"],
    "channel": ["channel.c"],
    "interposition": ["../../bench/interposition.c"],
    "swap": ["../../bench/swap.c"],
    "stress": ["stress.c"],
    "takeover": ["takeover.c"],
    "merge": ["merge.c"],
    "apart": ["apart.c"],
    "change": ["change.c"],
    "audit": ["audit.c"],
    "stuck": ["stuck.c"],
    "fuzz": ["fuzz.c", "fuzz_argument.c"],
    "private": ["private.c", "private_swap.c", "private_access.c", "private_key.c", "private_edges.c", "private_shared.c"],
    "innocent": ["innocent.c", "innocent_memory.c", "innocent_signals.c", "innocent_waiting.c", "innocent_processes.c",
                 "innocent_threads.c", "innocent_system.c", "innocent_filters.c"],
    "way": [f"../../leaks/programs/{name}" for name in ("way.c", "way_moments.c", "way_memory.c", "way_others.c", "way_late.c")],
    "memory": ["memory.c", "memory_held.c", "memory_message.c", "memory_passage.c"],
    "leak": ["leak.c", "leak_triggers.c", "leak_outputs.c", "leak_ring.c"],
    "begin": ["begin.c"],
    "shorten": ["shorten.c"],
    "begin32": ["begin32.c"],
    "libtacet-heap.so": ["../../../backend/heap/heap.cpp"],
}
STATIC = "gcc -static -O1 -Wall -Wextra -Werror -pthread"
COMPILERS = {
    "begin": "gcc -O1 -Wall -Wextra -Werror",
    "begin32": "gcc -m32 -static -nostdlib -O1 -fno-pie -no-pie -fcf-protection=none",
    "libtacet-heap.so": f"g++ -I{TREE}/backend -std=c++20 -O2 -shared -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-builtin -nostdlib++",
}
BOOTS = 4
LONG = 60  # s


@dataclasses.dataclass(frozen=True)
class Case:
    """A shell script that runs in the guest beside a file `secret`, and how the questions that it raises are answered."""

    name: str
    script: str
    action: str = "block"
    timeout: int = 30
    labelled: bool = True

    def __str__(self):
        return f"{self.name}-{self.action}" if self.labelled else f"{self.name}-unlabelled"


@dataclasses.dataclass
class Outcome:
    """The results of a case. `output`: its terminal; `followed`: doppelgangers made and files labelled; `received`: bytes at the other host; `events`: lines of agent.c."""

    output: str = ""
    status: int | None = None
    watched: int | None = None
    followed: int | None = None
    received: bytes = b""
    events: list = dataclasses.field(default_factory=list)
    console: str = ""
    trouble: str = ""

    @property
    def questions(self):
        """The events that are questions."""
        return [line for line in self.events if line.startswith("question ")]

    @property
    def tainted(self):
        """The reasons for which doppelgangers were lost."""
        return [line for line in self.events if line.startswith("event type=6 ")]

    def describe(self):
        """For the message of a failed assertion."""
        late = "the case did not end in time" if self.status == 124 else ""
        return (f"{self.trouble}{late}\nstatus {self.status}, {self.watched} watched afterwards, {self.followed} followed, received {self.received!r}\n"
                f"output:\n{self.output}\nevents:\n" + "\n".join(self.events) + f"\nconsole:\n{self.console}")


def build_directory():
    """The directory in which the driver keeps built files."""
    if "TACET_BUILD" not in os.environ:
        os.environ["TACET_BUILD"] = subprocess.run(
            [TREE / "dev", "shell", "--", "printenv", "TACET_BUILD"], check=True, capture_output=True, text=True).stdout.strip()
    directory = pathlib.Path(os.environ["TACET_BUILD"]) / "kernel-tests"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def build_programs():
    """Compiles the guest's programs in the build chroot, most of them statically; returns name -> file."""
    directory, sources = build_directory(), HERE / "programs"
    folders = (sources, HERE.parent / "bench", HERE.parent / "leaks/programs", TREE / "kernel/uapi", TREE / "backend/heap")
    newest = max(path.stat().st_mtime for folder in folders for path in folder.iterdir())
    stale = [name for name in PROGRAMS
             if not (directory / name).exists() or (directory / name).stat().st_mtime < newest]
    if stale:
        lines = [f"{COMPILERS.get(name, STATIC)} -o {directory / name} "
                 + " ".join(str(sources / file) for file in PROGRAMS[name]) for name in stale]
        subprocess.run([TREE / "dev", "shell", "--", "sh", "-ec", "\n".join(lines)], check=True)
    return {name: directory / name for name in PROGRAMS}


class GuestRun:
    """One run of ./dev kernel, whose script and output stay in the build directory under `name`. Results after run().
    `programs`: Debian's own instead of busybox's, and interpreters. `counts_instructions`: its ns are instructions.
    `copies`: file -> where the guest has it."""

    def __init__(self, kernel, name, *, append="", memory="1G", timeout=240, programs=False, counts_instructions=False, copies=()):
        self.counts_instructions = counts_instructions
        self.copies = dict(copies)
        self.kernel, self.name, self.append, self.memory, self.timeout = kernel, name, append, memory, timeout
        self.programs = programs
        self.output = self.console = ""
        self.status = None

    def _copies(self, script):
        file = build_directory() / f"{self.name}-{self.kernel}.sh"
        file.write_text(script)
        copies = {file: "/script.sh", HERE / "guest.sh": "/guest.sh"}
        copies.update({path: f"/usr/bin/{name}" for name, path in build_programs().items()})
        return copies | self.copies

    def told_by(self, script):
        """Runs a script that must end well, on a kernel that has nothing to complain about. Returns what it told by lines `@name rest`, as
        name -> rest, and all of its output as "output"."""
        self.run(script)
        assert self.status == 0, self.describe()
        assert not faults(self.console), self.console
        told = dict(line[1:].split(" ", 1) for line in self.output.splitlines() if line.startswith("@") and " " in line)
        return told | {"output": self.output}

    def run(self, script):
        """Runs a bash script, the terminal being its controlling one."""
        command = [str(TREE / "dev"), "kernel", "--kernel", self.kernel, "--timeout", str(self.timeout), "--allow-faults",
                   "--memory", self.memory, "--append", self.append, *["--programs"] * self.programs,
                   *["--count-instructions"] * self.counts_instructions]
        for source, destination in self._copies(script).items():
            command += ["--copy", f"{source}:{destination}"]
        # When the session's leader ends, the terminal is hung up and loses unsent text. So the leader first waits for it (stty).
        leader = "bash /script.sh; status=$?; stty raw -echo; exit $status"
        command += ["--", f"setsid -c bash -c '{leader}' </dev/ttyS1 >/dev/ttyS1 2>&1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            console = []
            reader = threading.Thread(target=lambda: console.append(process.stderr.read()))
            reader.start()
            self.output = process.stdout.read().decode(errors="replace").replace("\r", "")
            reader.join()
            self.status = process.wait()
        self.console = console[0].decode(errors="replace").replace("\r", "")
        for kind, text in (("output", self.output), ("console", self.console)):
            (build_directory() / f"{self.name}-{self.kernel}.{kind}").write_text(text)
        return self

    def describe(self):
        """For the message of a failed assertion. Its first line is what a summary shows."""
        last = "".join(self.console.splitlines()[-1:])
        return f"status {self.status}, {last}\n{self.output}\nconsole:\n{self.console[-4000:]}"


def script_for(cases):
    """The guest's script that runs these cases, name -> Case, one after the other."""
    lines = ["source /guest.sh", "insmod /tacet.ko || exit", "start_receiver",
             f"printf %s {CONTENT.decode()!r} >/run/plain".replace("printf %s '", "printf '%b' '")]
    for name, case in cases.items():
        lines += ["cat >/run/case <<'END-OF-CASE'", case.script, "END-OF-CASE",
                  f"command case '{name}' {case.action} {case.timeout * 1000} {'yes' if case.labelled else 'no'}"]
    lines += ["echo '<5>case rmmod' >/dev/kmsg", "rm -rf /mnt/case",
              "unload",
              "echo; echo @begin rmmod; cat /run/rmmod; agent info 2>/dev/null; echo @status $(grep -c '^tacet ' /proc/modules); "
              "echo @end rmmod"]
    return "\n".join(lines) + "\n"


MARK = re.compile(r"^@(begin|status|watched|followed|received|event|end) ?(.*)$")


def parse(text):
    """Name -> Outcome of what run_case printed; a case that did not end has no status."""
    outcomes, current = {}, None
    for line in text.splitlines():
        mark = MARK.match(line)
        if not mark:
            if current:
                current.output += line + "\n"
            continue
        kind, value = mark.groups()
        if kind == "begin":
            current = outcomes[value] = Outcome()
        elif kind == "event":
            current.events.append(value)
        elif kind == "received":
            current.received = bytes.fromhex(value)
        elif kind in ("status", "watched", "followed"):
            setattr(current, kind, int(value or -1))
        elif kind == "end":
            current.trouble = "ended"
            current = None
    for outcome in outcomes.values():
        outcome.trouble = "" if outcome.trouble == "ended" else "the guest ended during this case"
    return outcomes


def split_console(text, outcomes):
    """Gives each outcome its part of the kernel's log."""
    parts = re.split(r"^.*?\bcase (\S+)$", text, flags=re.MULTILINE)
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        if name in outcomes:
            outcomes[name].console = "\n".join(part.splitlines()[-60:])
            found = faults(part)
            if found:
                outcomes[name].trouble += "kernel log: " + "; ".join(found)


def run_cases(kernel, cases, name="cases", programs=False):
    """Runs all, name -> Case; a guest that dies is started again for those that are left, a few times. Name -> Outcome.
    `name` and `programs` are the guest's, see GuestRun."""
    outcomes, left = {}, dict(cases)
    for _ in range(BOOTS):
        # Only a few cases take long, and they set their own timeout.
        seconds = sum(case.timeout if case.timeout > LONG else 5 for case in left.values())
        run = GuestRun(kernel, name, timeout=120 + seconds, programs=programs).run(script_for(left))
        found = parse(run.output)
        split_console(run.console, found)
        outcomes.update(found)
        left = {name: case for name, case in left.items() if name not in found}
        if not found:
            outcomes[""] = Outcome(output=run.output, console=run.console[-6000:], trouble="the guest did nothing")
        if not left or not found:
            break
    return outcomes
