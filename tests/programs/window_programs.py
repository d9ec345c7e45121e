# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of programs with windows, and what is done with some of them."""

import shlex
import time

from tests.programs.documents import PASSWORD
from tests.programs.programs import ASKED, FOLDER, Window
from tests.programs.window import ENOUGH

WORD = "Pluteus"
SEARCH = "xdotool search --onlyvisible --name {} windowactivate --sync "


def edit(*keys):
    """Types a word at the end of the notes and saves by these keys: it is in the session's file and not in anna's."""
    def write(window):
        window.inside(SEARCH.format(shlex.quote(window.program.title)) + f"key ctrl+End type --delay 60 {WORD}", check=False)
        window.inside("xdotool key --delay 300 " + " ".join(keys))

    def act(window):
        file = f"{FOLDER}/notes.txt"

        def written():
            # A window may be there before its program takes keys.
            write(window)
            time.sleep(5)
            return window.run_in(f"grep -c {WORD} {file}").stdout == "1\n"

        window.guest.wait_for(written, 120, "the changed file")
        assert WORD not in window.guest.read(file)
    return act


def close_welcome(window):
    """Closes the window that covers the picture at the first start; then the picture is there."""
    def seen():
        window.inside(SEARCH.format(shlex.quote("^Welcome to GIMP")) + "key Escape", check=False)
        return window.shown() > ENOUGH

    window.guest.wait_for(seen, 240, "the document's colour on the screen")


def unlock(window):
    """Opens the locked passwords."""
    def opened():
        window.inside(SEARCH.format("KeePassXC") + f"type --delay 60 {PASSWORD}", check=False)
        window.inside("xdotool key Return")
        time.sleep(5)
        return any("kestrel" in title and "Locked" not in title for title in window.titles())

    window.guest.wait_for(opened, 120, "the opened passwords")


def make_folder(window):
    """Makes a folder that is in the session and not in anna's home."""
    def made():
        # By the keyboard: keys that are sent to a window come without Shift.
        window.inside(SEARCH.format("Thunar"), check=False)
        window.inside("xdotool key shift+ctrl+n")
        time.sleep(5)
        window.inside(f"xdotool type --delay 60 {WORD}")
        window.inside("xdotool key Return")
        time.sleep(5)
        return window.run_in(f"test -d {FOLDER}/{WORD}").returncode == 0

    window.guest.wait_for(made, 120, "the new folder")
    assert window.guest.run(["test", "-e", f"{FOLDER}/{WORD}"]).returncode == 1


def sandboxed(word):
    """The processes that run pages are in namespaces of users of their own, behind further filters for system calls."""
    def act(window):
        outer, = confinement(window, window.main, "")
        pages = window.guest.wait_for(lambda: confinement(window, " ".join(window.processes()), word), what="processes for pages")
        for space, filters in pages:
            assert space != outer[0] and filters > outer[1], (outer, pages)
    return act


def confinement(window, processes, word):
    """(namespace of users, number of filters) of those processes whose command line has the word."""
    script = f"""for p in {processes}; do tr '\\0' ' ' <$p/cmdline | grep -q -- {shlex.quote(word)} &&
        echo $(readlink $p/ns/user) $(sed -n 's/^Seccomp_filters:\\t//p' $p/status); done"""
    lines = window.guest.run(script, cwd="/proc").stdout.splitlines()
    return [(line.split()[0], int(line.split()[1])) for line in lines]


def asked(what):
    """The second host has been asked this."""
    def act(window):
        window.guest.wait_for(lambda: what in window.guest.read(ASKED), 90, f"{what} at the second host")
    return act


def pages_of(browser, word):
    """The page came over the network, a script ran in it, and its process is in the browser's sandbox."""
    def act(window):
        asked(browser)(window)
        sandboxed(word)(window)
    return act


PIDGIN = """mkdir -p ~/.purple && echo "<?xml version='1.0'?><account version='1.0'><account><protocol>prpl-irc</protocol>\
<name>kestrel@remote</name><password>x</password><settings><setting name='ssl' type='bool'>0</setting>\
<setting name='port' type='int'>6667</setting></settings>\
<settings ui='gtk-gaim'><setting name='auto-login' type='bool'>1</setting></settings></account></account>" >~/.purple/accounts.xml
exec pidgin"""

# It would ask whether it is to be the default browser.
EPIPHANY = "bash -c 'gsettings set org.gnome.Epiphany ask-for-default false; exec epiphany http://remote/epiphany'"

WINDOWS = [
    Window("firefox", ("firefox-esr",), "firefox-esr http://remote/firefox", "^Kestrel page .+ Mozilla Firefox", True,
           pages_of("Firefox/", " tab $")),
    Window("chromium", ("chromium",), "chromium --no-first-run http://remote/chromium", "^Kestrel page - Chromium", True,
           pages_of("Chrome/", "--type=renderer")),
    Window("thunderbird", ("thunderbird",), "thunderbird letter.eml", "Kestrel letter", True),
    Window("libreoffice", ("libreoffice-writer", "libreoffice-gtk3"), "libreoffice --norestore --nologo notes.fodt",
           "^notes.fodt .+ LibreOffice Writer", True),
    Window("gimp", ("gimp",), "gimp --no-splash kestrel.png", r"\[?kestrel\]?.* GIMP", does=close_welcome),
    Window("inkscape", ("inkscape",), "inkscape kestrel.svg", "kestrel.svg.*Inkscape", True),
    Window("audacious", ("audacious",), "audacious tone.wav", "tone.*Audacious"),
    Window("feh", ("feh",), "feh kestrel.png", r"feh \[1 of 1\]", True),
    Window("mpv", ("mpv",), "mpv --force-window --loop kestrel.mkv", "^kestrel.mkv - mpv$", True),
    Window("pidgin", ("pidgin",), f"bash -c {shlex.quote(PIDGIN)}", "^Buddy List$", does=asked("Irc NICK kestrel")),
    Window("filezilla", ("filezilla",), "filezilla ftp://remote/", "remote.* - FileZilla$", does=asked("Ftp AUTH TLS")),
    Window("emacs", ("emacs-gtk",), "emacs -q --no-splash notes.txt", "^notes.txt - GNU Emacs", does=edit("ctrl+x", "ctrl+s")),
    Window("geany", ("geany",), "geany notes.txt", "^notes.txt .* Geany$", does=edit("ctrl+s")),
    Window("evince", ("evince",), "evince kestrel.pdf", "^kestrel.pdf", True),
    Window("okular", ("okular",), "okular kestrel.pdf", "^kestrel.pdf", True),
    Window("vlc", ("vlc",), "vlc --no-qt-privacy-ask --loop kestrel.mkv", "^kestrel.mkv - VLC", True),
    Window("featherpad", ("featherpad",), "featherpad notes.txt", "notes.txt", does=edit("ctrl+s")),
    Window("mousepad", ("mousepad",), "mousepad notes.txt", "notes.txt - Mousepad$", does=edit("ctrl+s")),
    Window("xournalpp", ("xournalpp",), "xournalpp kestrel.pdf", "kestrel.*Xournal", True),
    Window("xterm", ("xterm",), """xterm -T Kestrel -e 'read line; echo "$line" >>notes.txt; sleep 600'""", "^Kestrel$", does=edit("Return")),
    Window("thunar", ("thunar",), "thunar .", "^kestrel - Thunar$", does=make_folder),
    Window("keepassxc", ("keepassxc",), "keepassxc kestrel.kdbx", "^kestrel.kdbx .+ KeePassXC$", does=unlock),
    Window("gnumeric", ("gnumeric",), "gnumeric numbers.csv", "^numbers.csv - Gnumeric$"),
    Window("zathura", ("zathura",), "zathura kestrel.pdf", "kestrel.pdf", True),
    Window("ristretto", ("ristretto",), "ristretto kestrel.png", "^kestrel.png - ", True),
    Window("pluma", ("pluma",), "pluma notes.txt", "^notes.txt .+ Pluma$", does=edit("ctrl+s")),
    Window("gedit", ("gedit",), "gedit notes.txt", "^notes.txt .+ gedit$", does=edit("ctrl+s")),
    Window("epiphany", ("epiphany-browser", "libglib2.0-bin"), EPIPHANY, "^Kestrel page", True,
           pages_of("GET /epiphany", "^[^ ]*/WebKitWebProcess")),
    Window("audacity", ("audacity",), "audacity tone.wav", "^tone$"),
]
