# SPDX-License-Identifier: GPL-3.0-or-later
"""A kernel that hangs before it runs a program is told from a system that does not come up, and is started once more."""

import pytest

import saved_state
from machine import MachineError


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine that runs and never says that it is up."""
    monkeypatch.setattr(saved_state, "SILENT_SECONDS", 0.2)
    silent = saved_state.GuestMachine.__new__(saved_state.GuestMachine)
    silent.directory = tmp_path
    silent.running, silent.is_aborted = lambda: True, lambda: False
    return silent


@pytest.mark.parametrize("said, error", [
    ("[    2.8] mtrr: inconsistent", saved_state.SilentKernel),
    ("", saved_state.SilentKernel),
    ("[   11.2] systemd[1]: Starting", MachineError),
])
def test_silence_before_systemd(machine, said, error):
    (machine.directory / "serial0").write_text(said)
    with pytest.raises(MachineError) as raised:
        machine.wait_ready(None, 0.6)
    assert type(raised.value) is error


def test_abort_before_systemd(machine):
    (machine.directory / "serial0").write_text("[    0.4] pci")
    (machine.directory / "qemu.log").write_text("Assertion failed")
    machine.running, machine.is_aborted = lambda: False, lambda: True
    with pytest.raises(saved_state.SilentKernel, match="Assertion failed"):
        machine.wait_ready(None, 0.6)


def test_is_started_once_more(monkeypatch):
    """A second hang is a failure, and so is any other error the first time."""
    outcomes = []

    def boot_once(*_, **__):
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(saved_state, "boot_once", boot_once)
    outcomes[:] = [saved_state.SilentKernel("silent"), "up"]
    assert saved_state.boot(None, "7.2", None, 1) == "up"
    for outcomes[:] in ([saved_state.SilentKernel("silent")] * 2, [MachineError("ended"), "up"]):
        with pytest.raises(MachineError):
            saved_state.boot(None, "7.2", None, 1)
