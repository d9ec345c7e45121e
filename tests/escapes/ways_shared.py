# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways through what a session has in common with the outside, although it cannot change it: inodes, pages, and servers of files."""

from tests.escapes.way import Way, python

# What opens an object that both sides can open, in Python.
OBJECTS = {
    "null": "os.open('/dev/null', os.O_RDONLY)",
    "zero": "os.open('/dev/zero', os.O_RDWR)",
    "random": "os.open('/dev/urandom', os.O_RDONLY)",
    "folder of /sys": "os.open('/sys/kernel', os.O_RDONLY)",
    "file of /sys": "os.open('/sys/kernel/uevent_seqnum', os.O_RDONLY)",
    "control group": "os.open('/sys/fs/cgroup', os.O_RDONLY)",
    "top folder": "os.open('/', os.O_RDONLY)",
    "folder /dev": "os.open('/dev', os.O_RDONLY)",
    "folder /run": "os.open('/run', os.O_RDONLY)",
    "file of /proc": "os.open('/proc/version', os.O_RDONLY)",
    "user namespace": "os.open('/proc/self/ns/user', os.O_RDONLY)",
    "network namespace": "os.open('/proc/self/ns/net', os.O_RDONLY)",
    "time namespace": "os.open('/proc/self/ns/time', os.O_RDONLY)",
    "name namespace": "os.open('/proc/self/ns/uts', os.O_RDONLY)",
    "epoll": "libc.epoll_create1(0)",
    "eventfd": "libc.eventfd(0, 0)",
    "timer": "libc.timerfd_create(1, 0)",
    "program of the system": "os.open('/usr/bin/true', os.O_RDONLY)",
}
# What a witness asks again and again, each at an object that it opens anew; an error tells that a private program has it.
TRIED = """
import contextlib
@contextlib.contextmanager
def holding(number):
    try:
        yield number
    finally:
        os.close(number)

print("ready", flush=True)
for _ in range(80):
    try:
        with {opened} as file:
            {act}
    except OSError:
        print(STAMP, flush=True)
    time.sleep(0.1)"""

STICK = ("modprobe loop; truncate -s 64M /root/disk; mkfs.vfat /root/disk >/dev/null; mkdir -p /mnt/second; mount -o loop,uid=anna /root/disk /mnt/second; "
         "echo old >/mnt/second/old; echo old >/mnt/second/shared")
NO_STICK = "umount -l /mnt/second; rm /root/disk"
STICKS = "os.open('/mnt/second/old', os.O_RDONLY)"

# A file system that a program serves. It knows no file, and writes down for which it was asked.
SERVER = r"""
import ctypes, os, struct, sys
served = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={served},rootmode=40000,user_id={sys.argv[2]},group_id={sys.argv[2]}{',allow_other' if sys.argv[2] == '0' else ''}"
if ctypes.CDLL(None).mount(b"shown", sys.argv[1].encode(), b"fuse.shown", 0, options.encode()):
    sys.exit("not mounted")
attributes = struct.pack("<QQQQQQIIIIIIIIII", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0o40755, 2, 1000, 1000, 0, 4096, 0)
while True:
    request = os.read(served, 1 << 17)
    length, operation, unique = struct.unpack("<IIQ", request[:16])
    body, error = b"", 0
    if operation == 26:
        body = struct.pack("<IIIIHHIIHHI28x", 7, 31, 0, 0, 10, 10, 65536, 1, 0, 0, 0)
    elif operation == 3:
        body = struct.pack("<QII", 0, 0, 0) + attributes
    elif operation in (27, 14):
        body = struct.pack("<QII", 1, 0, 0)
    elif operation == 1:
        print(request[40:].split(b"\0")[0].decode(), flush=True)
        error = -2
    elif operation in (2, 36, 42):
        continue
    else:
        error = -38
    os.write(served, struct.pack("<IiQ", 16 + len(body), error, unique) + body)
"""
SERVED = f"""modprobe fuse; install -d /mnt/served; cat >/root/server.py <<'END'
{SERVER}
END
systemd-run --quiet --collect --unit=escape-server -p StandardOutput=truncate:/root/asked python3 /root/server.py /mnt/served %s
for i in {{1..300}}; do grep -q /mnt/served /proc/mounts && break; sleep 0.1; done"""
NOT_SERVED = "umount -l /mnt/served; systemctl stop escape-server; rm -f /root/server.py /root/asked"

MAPPED = """
libc.mmap.restype = ctypes.c_void_p
page = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(4096), 1, {kind}, os.open({path!r}, os.O_RDONLY), ctypes.c_long(0)))
word = ctypes.c_uint.from_address(page.value).value
"""
WAKEN = MAPPED + """
for _ in range(40):
    libc.syscall(202, page, 1, 100)
    time.sleep(0.1)"""
WAITING = MAPPED + """
print("ready", flush=True)
for _ in range(8):
    if libc.syscall(202, page, 0, word, struct.pack("@qq", 1, 0)) == 0:
        print(STAMP, flush=True)"""


def futex(name, kind, path, **more):
    """A sleeper outside is woken through a page that both have mapped."""
    return Way(f"futex in {name}", python(WAKEN.format(kind=kind, path=path)), witness=python(WAITING.format(kind=kind, path=path)), **more)


def tried(opened, act):
    """A witness that does this with `file`."""
    return python(TRIED.format(opened=opened, act=act))


def lock(name, opened, **more):
    """Who locks it too finds it locked."""
    return Way(f"lock of {name}", python(f"fcntl.flock({opened}, fcntl.LOCK_EX); time.sleep(3)"),
               witness=tried(f"holding({opened})", "fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)"), **more)


def posix_lock(name, path, mode, kind, **more):
    """The same by fcntl()."""
    return Way(f"lock of {name}, POSIX", python(f"held = open('{path}', '{mode}'); fcntl.lockf(held, fcntl.{kind}); time.sleep(3)"),
               witness=tried(f"open('{path}', 'r+')", "fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)"), **more)


SHARED = [lock(name, opened) for name, opened in OBJECTS.items()]
SHARED += [
    lock("a stick's file", STICKS, setup=STICK, undo=NO_STICK),
    posix_lock("a stick's file", "/mnt/second/old", "r", "LOCK_SH", setup=STICK, undo=NO_STICK),
    posix_lock("a device", "/dev/null", "r+", "LOCK_EX"),
    Way("lock of a process", python("fcntl.flock(os.pidfd_open(os.getpid()), fcntl.LOCK_EX); time.sleep(4)"), witness=python("""
print("ready", flush=True)
for _ in range(40):
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            held = os.pidfd_open(int(number))
        except OSError:
            continue
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(STAMP, flush=True)
        os.close(held)
    time.sleep(0.1)""")),
    Way("lease of a stick's file", python(f"fcntl.fcntl({STICKS}, fcntl.F_SETLEASE, fcntl.F_RDLCK); time.sleep(4)"), setup=STICK, undo=NO_STICK,
        witness=tried("holding(os.open('/mnt/second/old', os.O_WRONLY | os.O_NONBLOCK))", "pass")),
    Way("attributes of a device", python("os.utime('/dev/null', (4711, 4711))"), trace="test $(stat -c %Y /dev/null) = 4711 && echo $STAMP", control="root"),
    Way("times of the terminal", "script -qc 'sleep 1; echo words >/dev/tty; sleep 1; read -t 1 </dev/tty' /dev/null", setup="touch -d @4711 /dev/tty",
        trace="test $(stat -c %Y /dev/tty) = 4711 || echo $STAMP"),
    futex("a file of one's own, shared", 1, "plain"),
    futex("a file of one's own, copied when written", 2, "plain"),
    futex("a library", 2, "/usr/lib/x86_64-linux-gnu/libc.so.6"),
    futex("a stick's file", 1, "/mnt/second/shared", setup=STICK, undo=NO_STICK),
    Way("abstract name that is taken", python(r"held = socket.socket(socket.AF_UNIX); held.bind('\0' + STAMP); time.sleep(4)"),
        witness=tried("socket.socket(socket.AF_UNIX)", r"file.bind('\0' + STAMP)"), expected="the name of a socket is taken for all, as a port of the network is"),
    Way("program that runs", "./tool 4", setup="install -o anna /usr/bin/sleep tool", witness=tried("holding(os.open('tool', os.O_WRONLY))", "pass")),
    Way("mount that a person's program serves", "ls /mnt/served/$STAMP", setup=SERVED % 1000, undo=NOT_SERVED, trace="cat /root/asked"),
    Way("mount that root's program serves", "ls /mnt/served/$STAMP", setup=SERVED % 0, undo=NOT_SERVED, trace="cat /root/asked",
        expected="the program of an administrator that serves files is told what is looked for"),
    Way("mount that root's program serves, network off", "ls /mnt/served/$STAMP", setup=SERVED % 0, undo=NOT_SERVED, trace="cat /root/asked", options=("--net", "off")),
]
