# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# ruff, the Python linter, from the machine's own package index: Debian 13 has none.

# prepare_ruff: sets $ruff to the program.
prepare_ruff() {
    local list=$tools/packages/ruff.list entry
    prepare_entry ruff "$(content_key "$list")" 'installing ruff' install_ruff
    ruff=$entry/packages/bin/ruff
}

install_ruff() {
    /usr/bin/python3 -m pip install --quiet --require-hashes --no-deps --target "$1/packages" --requirement "$tools/packages/ruff.list"
}
