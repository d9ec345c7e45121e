# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The sanitized kernel: Debian's source with KASAN, lockdep, kmemleak and fault injection, built once per source and config.

sanitized_series=6.12-sanitized

# use_sanitized_kernel: from here on, for this process and those it starts, it is the only kernel series. What has a time limit
# multiplies it by TACET_SLOWNESS.
use_sanitized_kernel() {
    [[ -z ${TACET_KERNEL_ROOT:-} ]] || return 0
    local list=$tools/packages/sanitized-kernel.list entry
    prepare_entry sanitized-kernel \
        "$(content_key "$list" "$tools"/lib/{sanitized.config,make-sanitized-kernel,mirror.sh} "$(kernel_version "${sanitized_series%-*}")")" \
        'building the sanitized kernel (the first time: half an hour)' make_sanitized_kernel
    export TACET_KERNEL_ROOT=$entry/root TACET_SLOWNESS=5
    kernel_series=("$sanitized_series")
}

make_sanitized_kernel() {
    local chroot_root=$1/builder
    bootstrap_trixie "$chroot_root" "$tools/packages/sanitized-kernel.list"
    in_chroot "$tools/lib/make-sanitized-kernel" "$tools/lib/sanitized.config" "$sanitized_series"
    mv "$chroot_root/result" "$1/root"
    rm -rf --one-file-system "$chroot_root"
}
