# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The Debian 13 build chroot: made once per package list, entered in a private mount and process namespace.

prepare_chroot() {
    local list=$tools/packages/chroot.list entry
    prepare_host
    prepare_entry chroot \
        "$(content_key "$list" "$tools/lib/install-kernels" "$tools/lib/mirror.sh" "${kernel_series[*]}")" \
        'preparing the Debian 13 build chroot' make_chroot
    chroot_root=$entry/root
    export TACET_CHROOT_ROOT=$chroot_root
}

make_chroot() {
    [[ $EUID == 0 ]] || die 'the build chroot is made as root'
    bootstrap_trixie "$1/root" "$tools/packages/chroot.list" \
        --customize-hook="copy-in $tools/lib/install-kernels /root" \
        --customize-hook="INITRD=No chroot \"\$1\" /root/install-kernels ${kernel_series[*]}" \
        --customize-hook="date +%s.%N >\"\$1\"/etc/tacet-chroot"
}

# in_chroot COMMAND...: runs it in the tree, visible in the chroot under its own path, as the build directory is.
in_chroot() {
    unshare --mount --pid --ipc --fork --kill-child --propagation private \
        "$tools/lib/enter-chroot" "$chroot_root" "$tree" "$build" "$@"
}

# in_chroot_with PACKAGES COMMAND...: the same, with these packages, too. They are there for this command only.
in_chroot_with() {
    local packages=$1 layer status=0
    shift
    layer=$(mktemp -d "$build/layer.XXXXXX")
    mkdir "$layer"/{upper,work,root}
    # shellcheck disable=SC2016
    unshare --mount --pid --ipc --fork --kill-child --propagation private \
        sh -ec 'mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"; shift 2; exec "$@"' \
        sh "$chroot_root" "$layer" "$tools/lib/enter-chroot" "$layer/root" "$tree" "$build" \
        sh -ec 'export DEBIAN_FRONTEND=noninteractive; apt-get -qq update; apt-get -qq install --no-install-recommends $1 >/dev/null; shift; exec "$@"' sh "$packages" "$@" ||
        status=$?
    rm -rf "$layer"
    return "$status"
}

# kernel_root: prints the folder with boot/, lib/modules/ and etc/tacet-kernels, of the chroot or of the sanitized kernel.
kernel_root() {
    printf '%s' "${TACET_KERNEL_ROOT:-$chroot_root}"
}

# kernel_version SERIES: the full version of that series there.
kernel_version() {
    awk -v series="$1" '$1 == series { print $2 }' "$(kernel_root)/etc/tacet-kernels"
}
