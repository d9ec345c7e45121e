# SPDX-License-Identifier: GPL-3.0-or-later
"""./dev coverage: which files run when a person uses Tacet, in a real desktop. A probe on each function of the daemon, its helpers, the
command line and the app counts its calls, and so does the kernel's tracer for the module's functions. What also runs while nothing
happens is left out."""

import argparse
import collections
import json
import os
import pathlib
import time

from guest import Guest
from tests.system.leak_oracle import Secret
from tests.system.prompt import Prompt
from tests.system.remote import Remote
from tests.system.scene import Scene
from tests.system.tacet_cli import Tacet
from tests.system.widgets import Screen

TRACING = "/sys/kernel/tracing"
PATHS = {"tacet": "/usr/bin/tacet", "tacet-app": "/usr/bin/tacet-app"}
UPLOAD = "curl -sS -m 60 -T salaries.csv http://remote/"


class Probes:
    """Counts calls of functions in a guest. `functions`: as tools/lib/list-functions prints them."""

    def __init__(self, guest, functions):
        self._guest = guest
        self._kernel = dict(functions.pop("kernel"))
        self._source = {}
        lines = []
        for program, places in functions.items():
            path = PATHS.get(program, f"/usr/libexec/tacet/{program}")
            for number, (offset, source) in enumerate(sorted(dict(places).items())):
                name = f"{program.replace('-', '_')}_{number}"
                self._source[name] = (program, source)
                lines.append(f"p:tacet/{name} {path}:{offset:#x}")
        guest.write("/run/probes", "\n".join(lines) + "\n")
        guest.run(f"cat /run/probes >{TRACING}/uprobe_events && echo 1 >{TRACING}/events/tacet/enable", check=True, timeout=900)
        print(f"{len(lines)} functions of programs, {len(self._kernel)} of the module")

    def start(self):
        """Forgets the kernel's functions that ran so far; returns the counts of the programs'."""
        self._guest.run(f"""cd {TRACING}; echo 0 >tracing_on; echo nop >current_tracer; echo '*:mod:tacet' >set_ftrace_filter
            echo 16384 >buffer_size_kb; echo 0 >events/tacet/enable; echo function >current_tracer; echo >trace
            echo 1 >events/tacet/enable; echo 1 >tracing_on""", check=True, timeout=900)
        return self._counts()

    def stop(self, before):
        """(part, file) -> how many of its functions ran since start()."""
        ran = {name for name, count in self._counts().items() if count > before[name]}
        files = collections.Counter(self._source[name] for name in ran if name in self._source)
        names = self._guest.run(f"echo 0 >{TRACING}/tracing_on; sed -nE 's/.*: ([a-zA-Z0-9_.]+) <-.*/\\1/p' {TRACING}/trace | sort -u",
                                timeout=600).stdout.split()
        files.update(("kernel", self._kernel[name]) for name in names if name in self._kernel)
        return files

    def _counts(self):
        rows = [line.split() for line in self._guest.run(f"cat {TRACING}/uprobe_profile", check=True, timeout=300).stdout.splitlines()]
        return collections.Counter({row[-2]: int(row[-1]) for row in rows if len(row) >= 3})


def idle(_scene):
    """Nothing happens."""
    time.sleep(20)


def label(scene):
    """A file is chosen in the window and labelled."""
    scene.guest.run(["tacet-app", "--show", "files"], session=True, check=True)
    scene.screen.click("Mark files…", "mainWindow", 120)
    scene.screen.find("", "Mark files as sensitive", 120)
    scene.guest.type(f"{scene.file}\n")
    scene.screen.click("markAcceptButton", "markDialog", 120)
    scene.guest.wait_for(lambda: scene.tacet.categories(scene.file), 120, "the label")


def question(scene):
    """A program sends the file, the prompt appears, the person blocks it."""
    attempt = scene.start(UPLOAD)
    scene.prompt.wait(120)
    scene.prompt.answer("block")
    attempt.finish(120)


def private(scene):
    """A program with a window runs privately, writes a file, and ends."""
    scene.run("tacet run -- sh -c 'echo a >new; timeout 20 featherpad new'", 300)


def rule(scene):
    """A rule is made, decides, and is removed."""
    made = scene.tacet.json("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "remote")["id"]
    scene.run(UPLOAD, 120)
    scene.tacet.run("rule", "remove", made)


WAYS = {"label": label, "question": question, "private": private, "rule": rule}


def main():
    """Prints a table for each way."""
    parser = argparse.ArgumentParser(prog="./dev coverage")
    parser.add_argument("way", nargs="*", choices=[*WAYS, []], help="only these")
    chosen = parser.parse_args().way or list(WAYS)
    functions = json.loads((pathlib.Path(os.environ["TACET_BUILD"]) / "functions.json").read_text())
    with Guest(os.environ["TACET_KERNELS"].split()[-1], desktop="x11") as guest:
        screen, remote, tacet = Screen(guest), Remote(guest), Tacet(guest)
        remote.start()
        scene = Scene(guest, remote, tacet, Prompt(guest, screen), screen, Secret())
        scene.open()
        if "label" not in chosen:
            scene.label()
        probes = Probes(guest, functions)
        before = probes.start()
        idle(scene)
        always = probes.stop(before)
        for name in chosen:
            before = probes.start()
            WAYS[name](scene)
            files = probes.stop(before)
            print(f"\n{name}: {WAYS[name].__doc__} {len(files)} files; those after a dash also run while nothing happens.")
            for (part, file), count in sorted(files.items()):
                print(f"  {part:<14}{count:>4}  {'- ' if (part, file) in always else '  '}{file}")
        screen.close()


if __name__ == "__main__":
    main()
