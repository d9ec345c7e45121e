# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The .deb packages in out/, built again only when their sources changed.

package_sources=(kernel backend app dbus polkit resources packaging docs/man tests/unit tests/bus tests/app meson.build meson_options.txt)

# sources_key PATH...: a key over the content of all files below the paths of the tree.
sources_key() {
    local existing=() path
    for path in "$@"; do [[ ! -e $tree/$path ]] || existing+=("$path"); done
    (cd "$tree" && find "${existing[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -c1-12
}

prepare_packages() {
    with_lock "packages-$(basename "$build")" build_packages
}

build_packages() {
    local key
    key=$(content_key "$chroot_root" "$tools/lib/make-packages" "$(sources_key "${package_sources[@]}")")
    if [[ $(cat "$build/packages.key" 2>/dev/null) != "$key" ]] || ! compgen -G "$tree/out/*.deb" >/dev/null; then
        rm -f "$build/packages.key"
        step 'building the Debian packages' in_chroot "$tools/lib/make-packages" "$tree/out"
        echo "$key" >"$build/packages.key"
    fi
}

# prepare_tacet_image PACKAGE...: the image with Tacet as the tree has it now, and the named Debian packages.
prepare_tacet_image() {
    begin_base_image
    prepare_chroot
    prepare_packages
    prepare_image "$@"
}
