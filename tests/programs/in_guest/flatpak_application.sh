#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds a runtime of this system's shell and an application for it, installs both for the person, and runs the application.
set -euo pipefail
name=org.example.Kestrel platform=org.example.Platform/x86_64/stable
work=$(mktemp -d)
cd "$work"

mkdir -p runtime/usr/{bin,etc,lib,share} runtime/files
for program in bash cat head; do
    cp "/usr/bin/$program" runtime/usr/bin/
    while read -r library; do
        install -D -m 755 "$library" "runtime/usr/${library#/usr}"
    done < <(ldd "/usr/bin/$program" | grep -oE '/[^ ]+' | sed 's,^/lib,/usr/lib,' | sort -u)
done
ln -s bash runtime/usr/bin/sh
printf '[Runtime]\nname=%s\nruntime=%s\nsdk=%s\n' "${platform%%/*}" "$platform" "$platform" >runtime/metadata

mkdir -p application/{files/bin,export}
cat >application/files/bin/kestrel <<'SCRIPT'
#!/bin/sh
test ! -e /usr/bin/python3 && echo "$(head -n 1 "$1") from $FLATPAK_ID"
SCRIPT
chmod +x application/files/bin/kestrel
printf '[Application]\nname=%s\nruntime=%s\nsdk=%s\ncommand=kestrel\n[Context]\nfilesystems=~/Documents:ro;\n' \
    "$name" "$platform" "$platform" >application/metadata

{
    flatpak build-export --runtime repository runtime stable
    flatpak build-export repository application stable
    flatpak --user remote-add --no-gpg-verify here repository
    flatpak --user install -y --noninteractive here "$name"
} >log 2>&1 || { cat log; exit 1; }
[[ $(flatpak --user list --columns=ref | grep -c "stable$") == 2 ]] && echo runtime and application installed
flatpak run "$name" "$1"
