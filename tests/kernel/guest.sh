# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Functions for the scripts that run in the guest.

start_receiver() {
    remote-exec true
    mkfifo /run/ask /run/answer
    remote-exec receiver /run/ask /run/answer >/run/receiver.log &
    until grep -q ready /run/receiver.log; do sleep 0.02; done
}

# What the other host has got since the last time, as hexadecimal.
received() {
    echo >/run/ask
    cat /run/answer
}

# Until the last watched task has gone, at most a second.
watched_tasks() {
    local i count
    for ((i = 0; i < 50; i++)); do
        count=$(agent info | sed -n 's/^watched_tasks //p')
        [[ $count != 0 ]] || break
        sleep 0.02
    done
    echo "$count"
}

# Tasks that have just ended hold the module for a moment.
unload() {
    local i
    for ((i = 0; i < 60; i++)); do
        rmmod tacet 2>/run/rmmod && return
        sleep 0.05
    done
    cat /run/rmmod
    return 1
}
