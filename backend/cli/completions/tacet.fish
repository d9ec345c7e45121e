# SPDX-License-Identifier: GPL-3.0-or-later
# fish completes the words of tacet by what tacet says.
function __tacet_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (tacet __complete $words[2..] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case :programs
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c tacet -f -a '(__tacet_complete)'
