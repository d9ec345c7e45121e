# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's pytest plugin: each test that takes `kernel` runs on every kernel series; a skipped test fails; slow and
failed ones say so as they end, so that a log which was cut off tells where the time went, and why they failed."""

import functools
import os
import time

import pytest

SLOW_SECONDS = 15
# Characters shown of a failed test's message, at its beginning and at its end.
SHOWN = 1000


@functools.cache
def all_kernels():
    """The supported kernel series, as the driver passes them: always the same objects, as pytest makes a session's fixtures
    anew for a parameter that is not identical."""
    return os.environ["TACET_KERNELS"].split()


def pytest_addoption(parser):
    """--kernel SERIES, repeatable: only these."""
    parser.addoption("--kernel", action="append", choices=all_kernels(), help="only on this kernel series (repeatable)")


@pytest.fixture(scope="session")
def kernel(request):
    """The kernel series that a test runs on."""
    return request.param


def pytest_generate_tests(metafunc):
    """Indirect, so that pytest groups the tests by kernel and each kernel's guest is started once. A module whose tests ask little of
    the kernel says NEWEST_KERNEL_ONLY, and a test has the mark newest_kernel; TACET_EVERY_KERNEL runs them on all, as ./dev nightly does."""
    if "kernel" not in metafunc.fixturenames:
        return
    newest_only = getattr(metafunc.module, "NEWEST_KERNEL_ONLY", False) or metafunc.definition.get_closest_marker("newest_kernel")
    kernels = all_kernels()[-1:] if newest_only and "TACET_EVERY_KERNEL" not in os.environ else all_kernels()
    metafunc.parametrize("kernel", metafunc.config.getoption("kernel") or kernels, indirect=True, scope="session")


def _fail_when_skipped(report):
    if report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which counts as a failure: {report.longrepr}"


def _reason(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]}\n...\n{text[-SHOWN:]}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """Turns a skip into a failure, and tells why a test fails."""
    outcome = yield
    report = outcome.get_result()
    _fail_when_skipped(report)
    if report.failed:
        item.config.get_terminal_writer().line(f"\n{item.name}: failed: {_reason(report)}", flush=True)


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report():
    """Turns the skip of a whole module into a failure."""
    outcome = yield
    _fail_when_skipped(outcome.get_result())


def pytest_sessionstart(session):
    """Remembers when it all began."""
    session.config.tacet_started = time.monotonic()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Prints what a slow test took, with its fixtures, and the time since the start."""
    began = time.monotonic()
    yield
    now = time.monotonic()
    if now - began > SLOW_SECONDS:
        item.config.get_terminal_writer().line(f" {item.name}: {now - began:.0f} s ({now - item.config.tacet_started:.0f} s)",
                                               flush=True)
