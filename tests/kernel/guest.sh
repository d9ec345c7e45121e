# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Runs in the guest: functions of the script that guest_run.py makes of the cases to run. What it prints between the marks
# is the case's; the runner itself never reads what could be derived from a secret.

question_ms=5000 barrier_ms=2000

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

# serve ACTION [SCOPE]: the daemon's stand-in answers so from now on.
serve() {
    stop_serving
    agent_pid=$(agent serve "$1" /run/agent.log "${@:2}")
}

stop_serving() {
    [[ -z ${agent_pid:-} ]] || kill "$agent_pid"
    agent_pid=
    [[ ! -s /run/agent.log ]] || cat /run/agent.log >>/run/agent.all
    : >/run/agent.log
}

fresh_directory() {
    rm -rf /mnt/case
    mkdir /mnt/case
    cd /mnt/case || exit
    cp /run/plain secret
    [[ $1 != yes ]] || agent label secret
}

# Until the last task has gone, at most a second.
watched_tasks() {
    local i count
    for ((i = 0; i < 50; i++)); do
        count=$(agent info | sed -n 's/^watched_tasks //p')
        [[ $count != 0 ]] || break
        sleep 0.02
    done
    echo "$count"
}

# run_case NAME ACTION TIMEOUT LABELLED: runs /run/case.
run_case() {
    local status case_pid agent_pid=
    printf '\n@begin %s\n' "$1"
    echo "<5>case $1" >/dev/kmsg
    fresh_directory "$4"
    agent policy "$question_ms" "$barrier_ms"
    : >/run/agent.all
    [[ $2 == none ]] || serve "$2"
    timeout -k 1 "$3" bash /run/case </dev/null 2>&1 &
    case_pid=$!
    wait "$case_pid"
    status=$?
    # The group of a case that left nothing behind is gone already.
    kill -9 -- "-$case_pid" 2>/dev/null
    stop_serving
    cd /
    printf '\n@status %s\n@watched %s\n@received %s\n' "$status" "$(watched_tasks)" "$(received)"
    sed 's/^/@event /' /run/agent.all
    printf '@end %s\n' "$1"
}
