# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The host's own needs: Debian packages, installed only when missing.

# command or file that proves the package : package
host_needs=(
    mmdebstrap:mmdebstrap
    mke2fs:e2fsprogs
    ssh:openssh-client
    unshare:util-linux
    rsync:rsync
    xz:xz-utils
    /usr/share/keyrings/debian-archive-keyring.gpg:debian-archive-keyring
    /usr/bin/python3:python3
    /usr/lib/python3/dist-packages/pytest:python3-pytest
    /usr/lib/python3/dist-packages/pip:python3-pip
)

prepare_host() {
    local need missing=()
    for need in "${host_needs[@]}"; do
        if [[ ${need%%:*} == /* ]]; then
            [[ -e ${need%%:*} ]] || missing+=("${need##*:}")
        else
            PATH=$PATH:/usr/sbin:/sbin command -v "${need%%:*}" >/dev/null || missing+=("${need##*:}")
        fi
    done
    export PATH=$PATH:/usr/sbin:/sbin
    ((${#missing[@]} == 0)) && return
    [[ $EUID == 0 ]] || die "run as root once, or install: ${missing[*]}"
    with_lock host step "installing on the host: ${missing[*]}" install_on_host "${missing[@]}"
}

install_on_host() {
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}
