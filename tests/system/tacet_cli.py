# SPDX-License-Identifier: GPL-3.0-or-later
"""The `tacet` command in the guest: labels, questions, answers, rules, the log."""

import json
import shlex

from guest import SLOWEST
from machine import MachineError

# One connection for the whole wait: each would cost more than the poll.
WAIT = """for i in $(seq {tries}); do
    q=$(tacet breach list --json) && [ "$q" != '[]' ] && printf %s "$q" && exit
    sleep 0.1
done; exit 1"""


class Tacet:
    """Runs `tacet` as root, who sees everybody's, unless `person` is True: then as anna in her session."""

    def __init__(self, guest):
        self._guest = guest

    def run(self, *words, person=False, check=True, timeout=120):
        """Runs one command and returns the CompletedProcess."""
        return self._guest.run(["tacet", *map(str, words)], session=person, cwd="/home/anna" if person else None, check=check,
                               timeout=timeout)

    def json(self, *words, person=False, check=True):
        """Runs one command with --json and returns what it printed."""
        return json.loads(self.run(*words, "--json", person=person, check=check).stdout)

    def label(self, *paths, category="finance"):
        """Marks files as anna does, in her session."""
        self.run("label", "add", "--category", category, *paths, person=True)

    def categories(self, path):
        """The categories of a file; empty when it has no label."""
        return self.json("label", "show", path, check=False).get("categories", [])

    def questions(self):
        """The open questions."""
        return self.json("breach", "list")

    def wait_question(self, timeout=30):
        """Waits for a question and returns it; there must be one only."""
        done = self._guest.run(WAIT.format(tries=timeout * 4 * SLOWEST), timeout=timeout + 60)
        if done.returncode:
            raise MachineError(f"no question was asked within {timeout * SLOWEST} s")
        questions = json.loads(done.stdout)
        assert len(questions) == 1, questions
        return questions[0]

    def answer(self, question, verdict, *scope, person=False):
        """Answers a question; `scope` are further words of `tacet breach answer`."""
        return self.json("breach", "answer", question["id"], verdict, *scope, person=person)

    def extend(self, question):
        """Lets the program wait longer for the answer, as the prompt does while somebody reads it."""
        self._guest.run(["busctl", "call", "org.tacet.Tacet1", "/org/tacet/Tacet1", "org.tacet.Tacet1.Breaches", "Extend", "t", question["id"]],
                        check=True)

    def last_log(self):
        """The id of the newest entry, 0 without any."""
        entries = self.json("log", "--limit", 1)
        return entries[-1]["id"] if entries else 0

    def log(self, after):
        """The entries that are newer than the one with the id `after`."""
        if after:
            return self.json("log", "--after", after, "--limit", 1000)
        return self.json("log", "--limit", 1000)

    def rules(self):
        """The rules in force."""
        return self.json("rule", "list")

    def remove_rules(self):
        """Removes every rule."""
        for rule in self.rules():
            self.run("rule", "remove", rule["id"])

    def sh(self, *words):
        """The shell words of a `tacet` command, for scripts that run in the guest."""
        return shlex.join(["tacet", *map(str, words)])
