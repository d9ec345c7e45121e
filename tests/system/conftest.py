# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the system tests: one booted desktop per kernel, the second host, the person at the screen, fresh secrets."""

import pathlib

import pytest

from guest import Guest
from tests.system.leak_oracle import Secret
from tests.system.prompt import Prompt
from tests.system.remote import Remote
from tests.system.scene import Scene
from tests.system.tacet_cli import Tacet
from tests.system.widgets import Screen

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "out" / "pictures"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A picture of the screen, and what Tacet's parts logged, for each test that fails in a scene, or when it is set up."""
    outcome = yield
    report = outcome.get_result()
    scene = getattr(item, "funcargs", {}).get("scene")
    if report.failed and call.when != "teardown" and scene:
        report.sections.append(("the guest", scene.describe(PICTURES / "failed" / f"{item.name}.png")))


@pytest.fixture(scope="session")
def guest(kernel):
    """The X11 desktop with anna logged in, shared by all tests of a kernel; its kernel log must stay clean."""
    with Guest(kernel, desktop="x11") as machine:
        yield machine
        machine.check_kernel_log()


@pytest.fixture(scope="session")
def screen(guest):
    """The widgets on the desktop."""
    seen = Screen(guest)
    yield seen
    seen.close()


@pytest.fixture(scope="session")
def remote(guest):
    """The second host with its server running."""
    host = Remote(guest)
    host.start()
    return host


@pytest.fixture(scope="session")
def secrets(remote):
    """Every secret of the session; those that nobody allowed must not have reached the remote host at any time."""
    made = []
    yield made
    remote.forget()
    leaked = [number for number, secret in enumerate(made) if not secret.allowed and secret.leaked(remote.history)]
    assert leaked == [], "secrets that nobody allowed were received at some time"


@pytest.fixture
def scene(guest, remote, screen, secrets):
    """A folder of anna's with a new secret, and all that acts on it; rules are removed before and after."""
    secret = Secret()
    secrets.append(secret)
    stage = Scene(guest, remote, Tacet(guest), Prompt(guest, screen), screen, secret)
    stage.open()
    yield stage
    stage.close()
