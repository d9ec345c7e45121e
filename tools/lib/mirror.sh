# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The Debian mirror, taken at run time from the machine's own apt configuration.

# mirror_uri PATTERN: the first configured Debian archive whose release matches the extended regular expression.
mirror_uri() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v pattern="$1" '$2 ~ pattern && $3 == "main" { print $1; exit }'
}

# trixie_sources: sources.list lines for the guest's release, on standard output.
trixie_sources() {
    local main security
    main=$(mirror_uri '^(bookworm|trixie|stable|oldstable|[0-9.]+)$')
    [[ -n $main ]] || main=$(mirror_uri '^[a-z]+$')
    [[ -n $main ]] || die 'no Debian mirror in this machine'\''s apt sources; add one to /etc/apt/sources.list.d/'
    security=$(mirror_uri '(-security|/updates)$')
    printf 'deb %s %s main\n' "$main" trixie "$main" trixie-updates "$main" trixie-backports
    [[ -z $security ]] || printf 'deb %s trixie-security main\n' "$security"
}

# apt_options FILE: the machine's proxies and download settings, as an apt.conf.
apt_options() {
    apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|Languages)' >"$1" || true
    echo 'Acquire::Languages "none";' >>"$1"
}

# bootstrap_trixie DIRECTORY PACKAGE-LIST [mmdebstrap options]: a Debian 13 root with the packages and the sources in it.
bootstrap_trixie() {
    local root=$1 list=$2 options packages
    shift 2
    options=$(mktemp)
    apt_options "$options"
    packages=$(sed 's/#.*//' "$list" | xargs | tr ' ' ',')
    mmdebstrap --variant=apt --include="$packages" --aptopt="$options" \
        --dpkgopt='force-unsafe-io' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/help/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
        "$@" trixie "$root" - < <(trixie_sources)
    rm -f "$options"
}
