# SPDX-License-Identifier: GPL-3.0-or-later
# bash completes the words of tacet by what tacet says.
_tacet() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :files) compopt -o default ;;
            :folders) compopt -o dirnames ;;
            :programs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -A command -- "$2") ;;
            *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <(tacet __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tacet tacet
