# SPDX-License-Identifier: GPL-3.0-or-later
"""How much the services could do if they were taken over, as systemd counts it: 0 is nothing, 100 everything."""
import pathlib
import subprocess

import pytest

UNITS = pathlib.Path(__file__).parents[2] / "backend/data"


@pytest.mark.parametrize("unit, most", [("tacetd", 32), ("tacet-swap", 33), ("tacet-names", 20)])
def test_exposure(tmp_path, unit, most):
    text = (UNITS / f"{unit}.service.in").read_text().replace("@libexecdir@", "/bin")
    copy = tmp_path / f"{unit}.service"
    copy.write_text(text)
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={most}", str(copy)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout.splitlines()[-1]
