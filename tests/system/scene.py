# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene of a scenario's test: anna's folder with a secret file, programs that send it, and the bytes that arrived."""

import contextlib
import secrets as randomness
import subprocess

from guest import SLOWEST

ADDRESS = "http://remote/"
LOG_LINES = 25
# The log's kinds for what was decided: by a person, by a rule, without an answer, while Tacet was paused.
DECISIONS = {"answered", "rule", "missed", "paused"}


class Attempt:
    """A program of anna's that runs and may be waiting for a verdict."""

    def __init__(self, process):
        self._process = process

    def finish(self, timeout=60):
        """Waits until the program ends, at most `timeout` seconds times SLOWEST; returns a CompletedProcess."""
        output, errors = self._process.communicate(timeout=timeout * SLOWEST)
        return subprocess.CompletedProcess(self._process.args, self._process.returncode, output, errors)

    def running(self):
        """Whether it has not ended yet."""
        return self._process.poll() is None


class Scene:
    """One test's stage. `folder` and `file` are paths in the guest; `secret` is what the file holds."""

    def __init__(self, guest, remote, tacet, prompt, screen, secret):
        self.guest, self.remote, self.tacet = guest, remote, tacet
        self.prompt, self.screen, self.secret = prompt, screen, secret
        self.folder = f"/home/anna/Documents/{randomness.token_hex(4)}"
        self.file = f"{self.folder}/salaries.csv"
        self.log_start = 0
        self._attempts = []

    def open(self):
        """Writes the secret file, unmarked, and forgets what earlier tests left."""
        self.tacet.remove_rules()
        self.prompt.forget_duration()
        self.guest.write(self.file, self.secret.content, user="anna")
        self.remote.forget()
        self.log_start = self.tacet.last_log()

    def close(self):
        """Blocks what still waits, so that the next test starts with a quiet machine."""
        for question in self.tacet.questions():
            self.tacet.run("breach", "answer", question["id"], "block", check=False)
        for attempt in self._attempts:
            with contextlib.suppress(subprocess.TimeoutExpired):
                attempt.finish()
        self.tacet.remove_rules()

    # --- acting ---

    def label(self, *paths):
        """Marks the secret file (or the named ones) as anna."""
        self.tacet.label(*(paths or [self.file]))

    def start(self, command):
        """Starts a shell command of anna's in her session, in the folder."""
        attempt = Attempt(self.guest.popen(command, session=True, cwd=self.folder))
        self._attempts.append(attempt)
        return attempt

    def run(self, command, timeout=60):
        """Runs a shell command of anna's in her session, in the folder, to its end."""
        return self.start(command).finish(timeout)

    def start_app(self):
        """Starts tacet-app in anna's session and waits until it may be asked."""
        self.guest.run(["systemd-run", "--user", "--quiet", "--collect", "tacet-app", "--background"], session=True, check=True)
        self.guest.wait_for(self.app_is_agent, what="the app to register")

    def stop_app(self):
        """Ends tacet-app."""
        self.guest.run("pkill -x tacet-app", check=True)
        self.guest.wait_for(lambda: not self.app_is_agent(), what="the app to go")

    def app_is_agent(self):
        """Whether somebody can be asked, as `tacet doctor` says."""
        protections = self.tacet.json("doctor", check=False)["protections"]
        return any(item["name"] == "questions" and item["detail"] != "no-agent" and item["by"] != "tacetd is not running"
                   for item in protections)

    def send_and_answer(self, command, verdict):
        """Starts a command, answers the one question that it raises; returns the question and how the command ended."""
        self.secret.allowed |= verdict == "allow"
        attempt = self.start(command)
        question = self.tacet.wait_question()
        self.tacet.answer(question, verdict)
        return question, attempt.finish()

    def send_and_click(self, command, verdict):
        """As send_and_answer, on the prompt; returns the prompt's sentence and how the command ended."""
        self.secret.allowed |= verdict == "allow"
        attempt = self.start(command)
        sentence = self.prompt.wait()
        self.prompt.answer(verdict)
        return sentence, attempt.finish()

    # --- judging ---

    def log(self):
        """The log entries since the scene opened."""
        return self.tacet.log(self.log_start)

    def decisions(self):
        """(kind, verdict) of what was decided since the scene opened, without marking and the like."""
        return [(entry["kind"], entry["verdict"]) for entry in self.log() if entry["kind"] in DECISIONS]

    def assert_nothing_leaked(self):
        """The remote host received no byte of the secret."""
        received = self.remote.received
        assert self.secret.leaked(received) == 0, f"LEAK {received[-2000:]!r}"

    def assert_scrubbed_arrived(self):
        """The remote host received the scrubbed copy, of the same length, and no byte of the secret."""
        self.assert_nothing_leaked()
        received = self.remote.received
        assert self.secret.scrubbed.encode() in received, f"no scrubbed copy in {received[-2000:]!r}"

    def assert_all_arrived(self):
        """The remote host received the whole secret, which was allowed."""
        self.secret.allowed = True
        received = self.remote.received
        assert self.secret.leaked(received) == self.secret.size, f"not all of it arrived: {received[-2000:]!r}"

    def assert_unasked(self):
        """Nobody was asked, nothing was decided."""
        assert self.tacet.questions() == []
        assert self.decisions() == []

    def describe(self, picture):
        """Saves a picture of the screen; returns what the parts of Tacet logged last."""
        self.guest.screenshot(picture)
        commands = [f"journalctl -b -u tacetd -u tacet-names --no-pager -o cat -n {LOG_LINES}", f"tacet log --limit {LOG_LINES}",
                    f"dmesg | tail -n {LOG_LINES}", "tacet breach list", "cat /sys/module/tacet/parameters/* 2>/dev/null",
                    f"ps -eo pid,ppid,etimes,stat,wchan:24,args --sort=start_time --cols 160 | tail -n {LOG_LINES}"]
        parts = [f"$ {command}\n{self.guest.run(command).stdout}" for command in commands]
        return "\n".join([f"the screen: {picture}", *parts])
