# SPDX-License-Identifier: GPL-3.0-or-later
"""A guest in whose session commands start in a directory that anna may enter."""

import shlex

from guest import Guest


class DesktopGuest(Guest):
    """As Guest; a command of anna's session starts in `cwd`, or in her home."""

    def command_line(self, command, user=None, session=False, env=None, remote=False, cwd=None):
        """See Guest."""
        line = super().command_line(command, user, session, env, remote, cwd)
        return f"cd {shlex.quote(cwd or '/home/anna')} && exec {line}" if session else line
