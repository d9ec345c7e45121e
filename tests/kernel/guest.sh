# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Functions for the scripts that run in the guest.

start_receiver() {
    remote-exec true
    mkfifo /run/ask /run/answer
    remote-exec receiver /run/ask /run/answer >/run/receiver.log &
    until grep -q ready /run/receiver.log; do sleep 0.02; done
}

# received: prints the bytes that the other host has got since the last call, in hexadecimal.
received() {
    echo >/run/ask
    cat /run/answer
}

# watched_tasks: waits until the last watched task has gone, at most a second; prints how many are left.
watched_tasks() {
    local i count
    for ((i = 0; i < 50 * ${TACET_SLOWNESS:-1}; i++)); do
        count=$(agent info | sed -n 's/^watched_tasks //p')
        [[ $count != 0 ]] || break
        sleep 0.02
    done
    echo "$count"
}

# unload: tries for a while, because tasks that have just ended hold the module for a moment.
unload() {
    local i
    for ((i = 0; i < 60 * ${TACET_SLOWNESS:-1}; i++)); do
        rmmod tacet 2>/run/rmmod && return
        sleep 0.05
    done
    cat /run/rmmod
    return 1
}

# slab: prints the kernel's own memory in KiB, without caches, and without memory that KASAN keeps to see uses after a free.
slab() {
    local cache
    echo 3 >/proc/sys/vm/drop_caches
    for cache in /sys/kernel/slab/*/shrink; do echo 1 >"$cache"; done
    sed -n 's/^SUnreclaim: *\([0-9]*\).*/\1/p' /proc/meminfo
}
