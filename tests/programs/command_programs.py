# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of programs without windows."""

import inspect

from tests.programs.documents import TOOLS
from tests.programs.programs import STAMP, Command


def script(text):
    """A shell script as it stands in the table, without the table's indentation."""
    return inspect.cleandoc(text)


TYPE = f"python3 {TOOLS}/type_into.py"

COMMANDS = [
    # In /usr there is one file with the stamp; documents.py puts it there.
    Command("grep", ("grep",), f"grep -rlF {STAMP} /usr/include /usr/lib/python3 /usr/share/perl /usr/share/kestrel", "/usr/share/kestrel/stamp\n"),
    Command("wget", ("wget",), "wget -q http://remote/page.html && grep -o '<title>.*</title>' page.html",
            "<title>Kestrel page</title>\n"),
    Command("curl", ("curl",), "curl -sS --data-binary @notes.txt http://remote/upload", "5 lines received\n"),
    Command("ffmpeg", ("ffmpeg",), script("""
        ffmpeg -v error -i kestrel.mkv -vf scale=160:120 -c:v mpeg4 -c:a flac small.mkv
        ffprobe -v error -count_frames -show_entries stream=codec_name,width,nb_read_frames -of csv=p=0 small.mkv"""),
            r"mpeg4,160,\d\d+\nflac,\d+\n"),
    Command("imagemagick", ("imagemagick",), script("""
        magick kestrel.png -resize 50% -rotate 90 small.jpg
        identify -format '%m %wx%h\\n' small.jpg"""), "JPEG 150x200\n"),
    Command("git", ("git",), script("""
        git init -q -b main tree && cd tree
        git config user.email anna@example.org && git config user.name Anna
        cp ../notes.txt . && git add . && git commit -q -m 'Take notes'
        git clone -q . ../clone && git -C ../clone fsck --strict && git -C ../clone log --format='%an: %s'"""),
            "Anna: Take notes\n"),
    Command("gcc", ("gcc", "libc6-dev"), script("""
        printf '#include <stdio.h>\\n#include <math.h>\\nint main(int c, char **v) { printf("%%.4f\\\\n", sqrt(c)); }\\n' >root.c
        gcc -O2 -Wall -o root root.c -lm && ./root 2"""), r"1\.4142\n"),
    Command("python", ("python3",), script("""
        python3 -c '
        import hashlib, multiprocessing, socket, tempfile, urllib.request
        if __name__ == "__main__":
            lock = multiprocessing.Lock()
            queue = multiprocessing.Queue()
            worker = multiprocessing.Process(target=queue.put, args=(hashlib.sha256(b"Kestrel").hexdigest()[:8],))
            worker.start()
            page = urllib.request.urlopen("http://remote/page.html").read()
            print(queue.get(), len(page) > 100, tempfile.TemporaryDirectory().name.startswith("/tmp/"))'"""),
            "b48cde19 True True\n"),
    Command("rsync", ("rsync",), script("""
        rsync -a --stats ./ ~/copy/ | grep -c 'files transferred: [1-9]'
        diff -r . ~/copy && rsync -ani ./ ~/copy/ | wc -l"""), "1\n0\n"),
    Command("tar", ("tar",), script("""
        tar -cJf ~/all.tar.xz . && mkdir ~/out && tar -xf ~/all.tar.xz -C ~/out && diff -r . ~/out && echo same"""), "same\n"),
    Command("zip", ("zip",), "zip -qr ~/all.zip . && unzip -tq ~/all.zip && unzip -p ~/all.zip notes.txt | head -n 1",
            f"No errors detected in compressed data of /home/anna/all.zip.\n{STAMP}\n"),
    Command("sqlite3", ("sqlite3",), script("""
        sqlite3 all.db 'pragma journal_mode=wal; create table t (n, s); insert into t select value, value*value
                        from generate_series(1,1000); create index i on t(s);'
        sqlite3 all.db 'select sum(s) from t; pragma integrity_check'"""), "wal\n333833500\nok\n"),
    # Its agent has its socket in the session's own runtime directory, and ends with the session.
    Command("gnupg", ("gnupg",), script("""
        gpg -q --batch --passphrase '' --quick-generate-key anna@example.org ed25519/cert,sign 2>/dev/null
        gpg -q --batch --sign --output notes.gpg notes.txt 2>/dev/null
        gpg --batch --status-fd 1 --decrypt notes.gpg 2>/dev/null | grep -oE 'GOODSIG|Kestrel55Umber' | sort"""),
            f"GOODSIG\n{STAMP}\n"),
    Command("ssh-keygen", ("openssh-client",), script("""
        ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -Y sign -f key -n file notes.txt 2>/dev/null
        echo "anna $(cat key.pub)" >signers
        ssh-keygen -Y verify -f signers -I anna -n file -s notes.txt.sig <notes.txt | cut -d ' ' -f 1,2,5"""), 'Good "file" anna\n'),
    Command("perl", ("perl",), script("""
        perl -MDigest::SHA=sha1_hex -MFile::Temp=tempfile -ne '
            $lines++ if /Kestrel/;
            END { my ($file) = tempfile; print $file "x"; print "$lines ", length sha1_hex("a"), " ", ref $file, "\\n" }' notes.txt"""),
            "1 40 GLOB\n"),
    # Programs of one session may trace each other.
    Command("strace", ("strace",), script("""
        strace -f -e trace=openat -o trace sh -c 'cat notes.txt >/dev/null' && grep -o 'notes.txt' trace"""), "notes.txt\n"),
    Command("vim", ("vim",), f"{TYPE} vim notes.txt -- 'GoPluteus' '\\033' ':wq\\r' && tail -n 1 notes.txt", "Pluteus\n"),
    Command("nano", ("nano",), f"{TYPE} nano notes.txt -- 'Pluteus' '\\017' '\\r' '\\030' && head -n 1 notes.txt",
            f"Pluteus{STAMP}\n"),
    # Flatpak needs namespaces of users, mounts, processes and the network inside a session.
    Command("bubblewrap", ("bubblewrap",), script("""
        bwrap --unshare-all --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin \\
            --proc /proc --dev /dev --tmpfs /tmp --bind . /folder --chdir /folder --die-with-parent --new-session \\
            sh -c 'ls -d /home /etc; ls /proc | grep -c "^[0-9]*$"; tail -n +3 /proc/net/dev | cut -d: -f1; head -n 1 notes.txt' 2>&1"""),
            rf"(ls: cannot access '/(home|etc)': No such file or directory\n){{2}}\d\n +lo\n{STAMP}\n"),
    Command("flatpak", ("flatpak",), f"{TOOLS}/flatpak_application.sh $PWD/notes.txt",
            f"runtime and application installed\n{STAMP} from org.example.Kestrel\n", 300),
    Command("node", ("nodejs",), script("""
        node -e '
        const { Worker } = require("worker_threads");
        new Worker("require(\\"worker_threads\\").parentPort.postMessage(2 ** 16)", { eval: true }).on("message", async (number) =>
            console.log(number, /<title>(.*)<.title>/.exec(await (await fetch("http://remote/page.html")).text())[1]));'"""),
            "65536 Kestrel page\n"),
    # The compiler and the program, each with the threads of its garbage collector.
    Command("java", ("openjdk-21-jdk-headless",), script("""
        echo 'class Sum { public static void main(String[] files) throws Exception {
            System.out.println(java.util.stream.LongStream.range(0, 1000).parallel().sum());
            System.out.println(java.nio.file.Files.readAllLines(java.nio.file.Path.of(files[0])).get(0)); } }' >Sum.java
        java Sum.java notes.txt"""), f"499500\n{STAMP}\n", 300),
    Command("ruby", ("ruby",), script("""
        ruby -rdigest -rtempfile -e '
        text = Thread.new { File.read("notes.txt") }.value
        Tempfile.create { |file| puts text.lines.size, Digest::SHA256.hexdigest("Kestrel")[0, 8], file.path.start_with?("/tmp/") }'"""),
            "5\nb48cde19\ntrue\n"),
    Command("tmux", ("tmux",), script("""
        tmux new-session -d 'cat notes.txt; sleep 600' && tmux has-session && echo runs
        until tmux capture-pane -p | grep -m 1 Kestrel; do sleep 0.5; done
        tmux kill-server"""), f"runs\n{STAMP}\n"),
    Command("ghostscript", ("ghostscript",), script("""
        gs -q -sDEVICE=png16m -r36 -o page.png kestrel.pdf && identify -format '%m %wx%h %[pixel:p{9,9}]\\n' page.png"""),
            r"PNG 200x150 srgb\(216,56,136\)\n"),
    Command("w3m", ("w3m",), "w3m -dump_source http://remote/page.html | grep -o '<title>.*</title>'", "<title>Kestrel page</title>\n"),
    Command("restic", ("restic",), script("""
        export RESTIC_PASSWORD=umber RESTIC_REPOSITORY=$HOME/backup
        restic -q init && restic -q backup "$PWD" && restic -q check --read-data && restic -q restore latest --target ~/out >/dev/null
        diff -r . ~/out"$PWD" && echo same"""), "same\n", 240),
]
