# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The small initramfs and the kernel image of each series, for ./dev kernel.

# prepare_initramfs SERIES: sets $initramfs_entry to a directory with vmlinuz, initramfs and disk.
prepare_initramfs() {
    local entry
    series_version=$(kernel_version "$1")
    [[ -n $series_version ]] || die "no kernel $1; this project knows: ${kernel_series[*]}"
    prepare_entry "initramfs-$1" \
        "$(content_key "$chroot_root" "$(kernel_root)" "$series_version" "$tools/lib/make-initramfs" "$tools"/guest/{kernel-init,root/usr/local/bin/remote-exec})" \
        "packing the small initramfs for $series_version" make_initramfs
    initramfs_entry=$entry
}

make_initramfs() {
    local staged
    staged=$build/initramfs-$series_version
    in_chroot "$tools/lib/make-initramfs" "$series_version" "$staged"
    mv "$staged" "$1/initramfs"
    cp "$(kernel_root)/boot/vmlinuz-$series_version" "$1/vmlinuz"
    truncate -s 256M "$1/disk"
    mke2fs -q -F -t ext4 -E lazy_itable_init=0,lazy_journal_init=0 "$1/disk"
}

# prepare_programs: sets $programs_entry to a directory with the archive of Debian's programs.
prepare_programs() {
    local entry
    prepare_entry programs "$(content_key "$chroot_root" "$tools/lib/make-programs")" "packing Debian's programs" make_programs
    programs_entry=$entry
}

make_programs() {
    local staged=$build/programs
    in_chroot "$tools/lib/make-programs" "$staged"
    mv "$staged" "$1/archive"
}
