# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Loads the shared shell code, for the verbs.

library=$(dirname "${BASH_SOURCE[0]}")
for part in common host mirror chroot ruff sanitized module initramfs packages image; do
    # shellcheck source=/dev/null
    source "$library/$part.sh"
done
