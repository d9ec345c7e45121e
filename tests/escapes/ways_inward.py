# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways into a session: what other programs, the person's and another user's, can learn of or do to a private one."""

from tests.escapes.way import Way, polling, python

HOLDS = python("""
page = mmap.mmap(-1, 4096)
page[:len(STAMP)] = STAMP.encode()
time.sleep(4)""")
# The pids of private programs as the outside sees them, in the witness. timeout(1), which starts `tacet run`, is none.
THEIRS = "for pid in $(cat /sys/fs/cgroup/user.slice/user-1000.slice/*/programs/cgroup.procs $(dirname $(find /sys/fs/cgroup -name cgroup.procs -path '*run-*') 2>/dev/null)/cgroup.procs 2>/dev/null) $(pgrep python3) $(pgrep -x tacet) $(pgrep -f '^bash.*escape-script'); do "


def enters(name, script, command, **more):
    """A witness of anna's tries a command with the pid of each process that may be the program."""
    return Way(name, script, witness=f"echo ready; for i in {{1..25}}; do sleep 0.1; {THEIRS} {command}; done; done 2>/dev/null", **more)


def own_socket(name, address):
    """The private program listens there, and the witness connects again and again."""
    return Way(name, python(f"""
sock = socket.socket(socket.AF_UNIX)
sock.bind({address})
sock.listen()
sock.settimeout(4)
sock.accept()[0].send(STAMP.encode())"""), witness=polling(python(f"""
try:
    sock = socket.socket(socket.AF_UNIX)
    sock.connect({address})
    print(sock.recv(100).decode(), flush=True)
except OSError:
    pass""")))


READS_MEMORY = python("""
import re
pid = sys.argv[1]
for line in open(f"/proc/{pid}/maps"):
    if " rw-s " in line or "zero" in line:
        first, last = (int(text, 16) for text in line.split()[0].split("-"))
        memory = open(f"/proc/{pid}/mem", "rb", 0)
        memory.seek(first)
        found = re.search(rb"Kestrel[0-9a-f]{8}", memory.read(64))
        if found:
            print(found[0].decode(), flush=True)""").replace("STAMP=$STAMP ", "STAMP=none ")
NO_YAMA = {"setup": "sysctl -qw kernel.yama.ptrace_scope=0"}

INWARD = [
    enters("memory is read", HOLDS, READS_MEMORY + " $pid", **NO_YAMA),
    enters("program is traced", HOLDS, "timeout -s INT 1 strace -qq -p $pid -o /dev/null && echo $STAMP; test $? = 124 && echo $STAMP", **NO_YAMA),
    enters("environment is read", "export SECRET=$STAMP; " + HOLDS, "tr '\\0' '\\n' </proc/$pid/environ | sed -n 's/^SECRET=//p'", **NO_YAMA),
    enters("folder is entered", "echo $STAMP >new; " + HOLDS, "cat /proc/$pid/cwd/new", **NO_YAMA),
    enters("root is entered", "echo $STAMP >/tmp/new; " + HOLDS, "cat /proc/$pid/root/tmp/new", **NO_YAMA),
    enters("file is opened again", "exec 7<>new8; echo $STAMP >&7; " + HOLDS, "cat /proc/$pid/fd/7", **NO_YAMA),
    enters("pipe is opened again", "exec 7<> <(:); echo $STAMP >&7; " + HOLDS, "timeout 1 cat /proc/$pid/fd/7", **NO_YAMA),
    enters("descriptor is taken", "echo $STAMP >new; exec 7<new; " + HOLDS, python("print(os.pread(libc.syscall(438, os.pidfd_open(int(sys.argv[1])), 7, 0), 20, 0).decode(), flush=True)") + " $pid", **NO_YAMA),
    enters("namespaces are entered", "echo $STAMP >/tmp/new; " + HOLDS, "nsenter -t $pid -U -m cat /tmp/new || nsenter -t $pid -m cat /tmp/new", **NO_YAMA, control="none: only root enters a public one's"),
    enters("place of execution", HOLDS, "cat /proc/$pid/syscall /proc/$pid/stack /proc/$pid/auxv >/dev/null && echo $STAMP", **NO_YAMA, control="none: the stack is root's"),
    enters("counters of the processor", HOLDS, python("""
attributes = struct.pack("IIQ", 1, 112, 9) + bytes(96)
if libc.syscall(298, attributes, int(sys.argv[1]), -1, -1, 0) >= 0:
    print(STAMP, flush=True)""") + " $pid", setup="sysctl -qw kernel.yama.ptrace_scope=0 kernel.perf_event_paranoid=1"),
    enters("limits are changed", "for i in {1..30}; do sleep 0.1; test $(ulimit -n) = 471 && echo through; done", "prlimit --pid $pid --nofile=471:471", inside=True),
    own_socket("socket of its own", "'own'"),
    own_socket("abstract socket of its own", r"'\0escape-own'"),
    Way("FIFO of its own", "mkfifo fifo; timeout 4 bash -c 'echo $STAMP >fifo'".replace("'echo $STAMP >fifo'", "\"echo $STAMP >fifo\""), witness=polling("test -p fifo && timeout 2 cat fifo")),
    Way("memory of its own, System V", python("""
libc.shmat.restype = ctypes.c_void_p
at = libc.shmat(libc.shmget(47110, 4096, 0o1666), None, 0)
ctypes.memmove(at, STAMP.encode(), len(STAMP))
time.sleep(3)"""), witness=polling(python("""
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(47110, 4096, 0)
if segment >= 0:
    print(ctypes.string_at(libc.shmat(segment, None, 0), 20).decode(errors="replace"), flush=True)""")), undo="ipcrm -M 47110"),
    Way("memory of its own, POSIX", "echo $STAMP >/dev/shm/escape; sleep 3", witness=polling("cat /dev/shm/escape")),
    Way("terminal of its own", "script -qc 'tty >tty; sleep 3' /dev/null & sleep 1; cat tty; wait", witness=polling("for t in /dev/pts/[0-9]*; do echo x >$t; done; cat tty 2>/dev/null && echo $STAMP"),
        control="none: what is looked for is a file of the session"),
]
