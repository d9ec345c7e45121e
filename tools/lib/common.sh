# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Shared by all verbs: the tree's and the cache's place, progress lines, locks, content keys, cache entries.

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tools=$tree/tools
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tacet
# Two checkouts on one machine must not share build results.
build=$cache/build/$(basename "$tree")-$(printf '%s' "$tree" | sha256sum | cut -c1-8)
export TACET_TREE=$tree TACET_CACHE=$cache TACET_BUILD=$build
# The kernel series that the project supports; the newest package of each is taken from the mirror.
kernel_series=(6.12 7.2)
mkdir -p "$cache/locks" "$cache/logs" "$build"

say() { printf '%s\n' "$*" >&2; }

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# content_key WORD-OR-FILE...: 12 hex digits over the words and over the content of those that are files.
content_key() {
    local item
    for item in "$@"; do
        if [[ -f $item ]]; then sha256sum <"$item"; else printf '%s\n' "$item"; fi
    done | sha256sum | cut -c1-12
}

report_progress() {
    local label=$1 log=$2 started=$SECONDS every=15
    [[ -t 2 ]] && every=1
    while sleep "$every"; do
        if [[ -t 2 ]]; then
            printf '\r\033[K%s ... %d s' "$label" $((SECONDS - started)) >&2
        else
            printf '%s ... %d s: %.100s\n' "$label" $((SECONDS - started)) \
                "$(tail -n 1 "$log" | tr -d '\r' | tr -c '[:print:]\n' ' ')" >&2
        fi
    done
}

# step LABEL COMMAND...: runs a long command with its output in a log and a progress line; shows the log when it fails.
step() {
    local label=$1 log started=$SECONDS status=0 reporter
    shift
    log=$(mktemp "$cache/logs/$(date +%Y%m%d-%H%M%S)-XXXXXX.log")
    report_progress "$label" "$log" &
    reporter=$!
    # A subshell of its own keeps `set -e` in force in functions, which a plain `||` would switch off.
    set +e
    (
        set -e
        "$@"
    ) >"$log" 2>&1 </dev/null
    status=$?
    set -e
    kill "$reporter" 2>/dev/null || true
    wait "$reporter" 2>/dev/null || true
    [[ -t 2 ]] && printf '\r\033[K' >&2
    if ((status)); then
        tail -n 40 "$log" >&2
        die "$label failed (status $status) after $((SECONDS - started)) s; the whole log: $log"
    fi
    rm -f "$log"
    say "$label: $((SECONDS - started)) s"
}

# with_lock NAME COMMAND...: one process at a time; a second one waits and says so.
with_lock() {
    local lock=$cache/locks/$1.lock handle status=0
    shift
    exec {handle}>"$lock"
    if ! flock --nonblock "$handle"; then
        say "waiting for another ./dev that is preparing ${lock##*/}"
        flock "$handle"
    fi
    "$@"
    status=$?
    exec {handle}>&-
    return $status
}

# prepare_entry KIND KEY LABEL MAKER: sets $entry to the finished cache entry KIND-KEY. MAKER gets an empty directory to
# fill; only when it succeeds is the directory renamed to its final name, so a broken entry is never seen. The entry stays as
# long as this process, or one that it becomes, runs.
prepare_entry() {
    local kind=$1 key=$2 in_use
    entry=$cache/$kind-$key
    if [[ ! -e $entry/.complete ]]; then
        with_lock "$kind-$key" make_entry "$@"
    fi
    touch "$entry/.complete"
    exec {in_use}<"$entry/.complete"
    flock --shared "$in_use"
}

make_entry() {
    local kind=$1 key=$2 label=$3 maker=$4 target=$cache/$1-$2
    [[ -e $target/.complete ]] && return
    rm -rf "$target" "$target.partial"
    mkdir -p "$target.partial"
    step "$label" "$maker" "$target.partial"
    touch "$target.partial/.complete"
    mv "$target.partial" "$target"
    remove_unused_entries "$kind"
}

# Another checkout may still use older entries: the three used last stay, and those that a run under way uses.
remove_unused_entries() {
    local stamp
    find "$cache" -maxdepth 2 -path "$cache/$1-*/.complete" -printf '%T@ %p\n' | sort -rn | tail -n +4 | cut -d' ' -f2 |
        while read -r stamp; do flock --nonblock "$stamp" rm -rf --one-file-system "${stamp%/.complete}" || true; done
}
