# SPDX-License-Identifier: GPL-3.0-or-later
"""A guest that hangs, or whose QEMU ends itself, before it runs a program is started once more; one that does anything else is not."""

import types

import pytest

import kernel_guest


@pytest.fixture
def boots(tmp_path, monkeypatch):
    """What the machines do, one after the other: the text on their third serial line. Each runs until it is killed, or aborts at once."""
    said = []

    class FakeMachine:
        def __init__(self, **_):
            self.directory = tmp_path
            text, self.aborts, _ = said.pop(0).partition("abort")
            self.serial(2).write_text(text)

        def serial(self, number):
            return tmp_path / f"serial{number}"

        def running(self):
            return not self.aborts and "exit" not in self.serial(2).read_text()

        def is_aborted(self):
            return bool(self.aborts)

        def console(self):
            return ""

        qemu_log = console

        def kill(self):
            pass

        remove = kill

    options = types.SimpleNamespace(memory="1G", count_instructions=False, timeout=0.2, quiet=True, allow_faults=False)
    monkeypatch.setattr(kernel_guest, "SILENT_SECONDS", 0.1)
    monkeypatch.setattr(kernel_guest, "Machine", FakeMachine)
    monkeypatch.setattr(kernel_guest, "parse_arguments", lambda: options)
    monkeypatch.setattr(kernel_guest, "start", lambda *_: None)
    monkeypatch.setattr(kernel_guest, "show_tasks", lambda *_: None)
    return said


@pytest.mark.parametrize("said, status, left", [
    (["up\nexit 3\n", "up\nexit 0\n"], 3, 1),
    (["", "up\nexit 0\n"], 0, 0),
    (["", "", "up\nexit 0\n"], kernel_guest.STATUS_TIMEOUT, 1),
    (["up\n", "up\nexit 0\n"], kernel_guest.STATUS_TIMEOUT, 1),
    (["abort", "up\nexit 0\n"], 0, 0),
    (["abort", "abort", "up\nexit 0\n"], kernel_guest.STATUS_DIED, 1),
    (["up\nabort", "up\nexit 0\n"], kernel_guest.STATUS_DIED, 1),
])
def test_starts_once_more(boots, capsys, said, status, left):
    boots[:] = said
    assert kernel_guest.main() == status
    assert len(boots) == left
    assert ("started once more" in capsys.readouterr().err) == ("up" not in said[0])
