# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The VM image, in three cached layers: Debian with desktop; more packages when asked (--with); Tacet's packages.

image_size=8G

# prepare_base_image: sets $base_image to a directory with root.raw and the ssh key.
prepare_base_image() {
    local entry files
    prepare_host
    mapfile -t files < <(find "$tools/guest/base" -type f | LC_ALL=C sort)
    prepare_entry base-image "$(content_key "$tools/packages/image.list" "$tools/lib/install-kernels" \
        "$tools/lib/mirror.sh" "${kernel_series[*]}" "$image_size" "${files[@]}")" \
        'preparing the Debian 13 VM image' make_base_image
    base_image=$entry
}

# begin_base_image: makes it beside the caller's next steps, as it needs nothing of theirs; prepare_image waits for it. Without
# the terminal it writes whole lines of progress.
begin_base_image() {
    prepare_host
    prepare_base_image 2> >(cat >&2) &
}

# with_mounted IMAGE FUNCTION...: runs one of these functions with the image's root mounted at $mounted, in a mount namespace
# of its own, so that nothing stays mounted whatever happens.
with_mounted() {
    unshare --mount --propagation private bash -euo pipefail -c '
        source "$1/load.sh"
        mounted=$(mktemp -d)
        mount -o loop,noatime,nobarrier "$2" "$mounted"
        "${@:3}"
        cd /
        umount --recursive "$mounted"
        rmdir "$mounted"' with-mounted "$tools/lib" "$@"
}

make_base_image() {
    local directory=$1
    ssh-keygen -q -t ed25519 -N '' -C tacet-vm -f "$directory/key"
    truncate -s "$image_size" "$directory/root.raw"
    mke2fs -q -F -t ext4 -L root -E lazy_itable_init=0,lazy_journal_init=0 "$directory/root.raw"
    with_mounted "$directory/root.raw" fill_base_image
}

fill_base_image() {
    bootstrap_trixie "$mounted" "$tools/packages/image.list" \
        --customize-hook="copy-in $tools/lib/install-kernels /root" \
        --customize-hook="INITRD=No chroot \"\$1\" /root/install-kernels ${kernel_series[*]}" \
        --customize-hook="cp -r --no-preserve=ownership $tools/guest/base/. \"\$1\"/" \
        --customize-hook='chroot "$1" update-initramfs -c -k all'
}

# prepare_extended_image PACKAGE...: sets $base_image to the base image with more Debian packages.
prepare_extended_image() {
    local entry
    prepare_base_image
    (($#)) || return 0
    # Read by make_extended_image, which prepare_entry calls with the new entry's directory only.
    extra_packages=("$@")
    prepare_entry extended-image "$(content_key "$base_image" "$@")" "adding to the VM image: $*" make_extended_image
    base_image=$entry
}

make_extended_image() {
    cp --sparse=always "$base_image"/{root.raw,key,key.pub} "$1/"
    with_mounted "$1/root.raw" install_in_image "${extra_packages[@]}"
}

# install_in_image PACKAGE-OR-FILE...: apt-get inside $mounted, natively; services are not started.
install_in_image() {
    mount --bind /dev "$mounted/dev"
    mount -t tmpfs tmpfs "$mounted/tmp"
    mount -t tmpfs tmpfs "$mounted/run"
    # Java's packages have links there and stop without it; the image has no manual pages.
    mkdir -p "$mounted/run/debs" "$mounted/usr/share/man/man1"
    printf '#!/bin/sh\nexit 101\n' >"$mounted/usr/sbin/policy-rc.d"
    chmod +x "$mounted/usr/sbin/policy-rc.d"
    touch "$mounted/etc/resolv.conf"
    mount --bind /etc/resolv.conf "$mounted/etc/resolv.conf"
    apt_options "$mounted/run/apt.conf"
    local item names=()
    for item in "$@"; do
        if [[ -f $item ]]; then
            cp "$item" "$mounted/run/debs/"
            names+=("/run/debs/${item##*/}")
        else
            names+=("$item")
        fi
    done
    # A process namespace of its own ends what a package's scripts leave running, which would keep the image mounted.
    unshare --pid --fork --kill-child --mount-proc="$mounted/proc" chroot "$mounted" /usr/bin/env APT_CONFIG=/run/apt.conf DEBIAN_FRONTEND=noninteractive sh -ec '
        apt-get update
        apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "$@"
        apt-get clean' install "${names[@]}"
    rm "$mounted/usr/sbin/policy-rc.d"
    umount "$mounted/etc/resolv.conf"
}

# prepare_image PACKAGE...: sets $image to the image with Tacet's .deb files from out/ and the named Debian packages.
prepare_image() {
    local entry files
    prepare_extended_image "$@"
    mapfile -t tacet_debs < <(find "$tree/out" -maxdepth 1 -name '*.deb' 2>/dev/null | LC_ALL=C sort)
    mapfile -t files < <(find "$tools/guest/root" "$tools/guest/setup-image" -type f | LC_ALL=C sort)
    prepare_entry tacet-image "$(content_key "$base_image" "$tools/lib/image.sh" "${files[@]}" "${tacet_debs[@]}")" \
        "installing Tacet in the VM image" make_image
    image=$entry
}

make_image() {
    cp --sparse=always "$base_image"/{root.raw,key,key.pub} "$1/"
    with_mounted "$1/root.raw" finish_image "$1" "${tacet_debs[@]}"
}

# finish_image DIRECTORY DEB...: people, services and Tacet; then takes out the kernels, which QEMU loads directly.
finish_image() {
    local series version
    cp -r --no-preserve=ownership "$tools/guest/root/." "$mounted/"
    install -D -m 600 "$1/key.pub" "$mounted/root/.ssh/authorized_keys"
    chroot "$mounted" /bin/bash -s <"$tools/guest/setup-image"
    (($# == 1)) || install_in_image "${@:2}"
    while read -r series version; do
        cp "$mounted/boot/vmlinuz-$version" "$1/vmlinuz-$series"
        cp "$mounted/boot/initrd.img-$version" "$1/initrd-$series"
    done <"$mounted/etc/tacet-kernels"
}
