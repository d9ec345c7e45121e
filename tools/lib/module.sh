# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The kernel module is built incrementally and outside the tree, for each kernel series.

# build_module [SERIES...]: leaves $build/kernel-SERIES/tacet.ko.
build_module() {
    local series
    [[ -f $tree/kernel/Kbuild ]] || die 'kernel/Kbuild is missing: there is no module to build'
    for series in "${@:-${kernel_series[@]}}"; do
        with_lock "module-$(basename "$build")-$series" build_module_for "$series"
    done
}

build_module_for() {
    local series=$1 version started=$SECONDS
    version=$(kernel_version "$series")
    [[ -n $version ]] || die "no kernel $1; this project knows: ${kernel_series[*]}"
    in_chroot "$tools/lib/make-module" "$version" "$build/kernel-$series" >&2 || die "the module does not build for $version"
    say "kernel $version: $build/kernel-$series/tacet.ko, $((SECONDS - started)) s"
}
