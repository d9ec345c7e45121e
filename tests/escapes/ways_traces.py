# SPDX-License-Identifier: GPL-3.0-or-later
"""What tells of a private program: lists of processes, units, sockets and mounts; the kernel's log; accounting."""

from tests.escapes.way import Way, polling, python

CALLED = "cp $(readlink -f /usr/bin/python3) $STAMP; "
NAMED_SLEEP = "cp /usr/bin/sleep $STAMP; ./$STAMP 3"


def looks(name, script, command, *, users=("anna", "bela"), **more):
    """A program of each of these users looks again and again."""
    return [Way(f"{name}, {user} looks", script, witness=polling(command), who=user, **more) for user in users]


LISTED = [
    *looks("name", NAMED_SLEEP, "ps -eo comm"),
    *looks("arguments", python("time.sleep(3)") + " $STAMP", "ps -eo args"),
    *looks("name of a thread", python("""
import threading
def named():
    libc.prctl(15, STAMP.encode(), 0, 0, 0)
    time.sleep(3)
thread = threading.Thread(target=named)
thread.start()
thread.join()"""), "cat /proc/[0-9]*/task/*/comm /proc/[0-9]*/task/*/stat"),
    *looks("status", NAMED_SLEEP, "cat /proc/[0-9]*/status /proc/[0-9]*/sched /proc/[0-9]*/stat"),
    *looks("unit", NAMED_SLEEP, "systemctl status --no-pager --lines=0"),
    *looks("mounts of its own", "STAMP=$STAMP unshare -Urm bash -c 'mkdir /tmp/$STAMP; mount -t tmpfs $STAMP /tmp/$STAMP; sleep 3'", "cat /proc/[0-9]*/mountinfo /proc/[0-9]*/mounts /proc/[0-9]*/mountstats"),
    *looks("interfaces of its own", "STAMP=$STAMP unshare -Urn bash -c 'ip link add ${STAMP:0:15} type dummy; sleep 3'", "cat /proc/[0-9]*/net/dev", setup="modprobe dummy"),
    *looks("sockets of its own network", "STAMP=$STAMP unshare -Urn env " + python(r"""
sock = socket.socket(socket.AF_UNIX)
sock.bind("\0" + STAMP)
time.sleep(3)"""), "cat /proc/[0-9]*/net/unix"),
    *looks("sockets", python(r"""
sock = socket.socket(socket.AF_UNIX)
sock.bind("\0" + STAMP)
sock.listen()
time.sleep(3)"""), "ss -xa; cat /proc/net/unix"),
    *looks("map of users", "unshare -Ur sleep 3", "grep -l ' 0 *1000 ' /proc/[0-9]*/uid_map | grep -q . && echo $STAMP", expected="others see that a program has a user namespace of its own"),
    *looks("values of its timers", python("""
event = struct.pack("@Qii48x", 0x47114711, 10, 1)
libc.syscall(222, 1, event, ctypes.create_string_buffer(8))
time.sleep(3)"""), "cat /proc/[0-9]*/timers | grep -q 47114711 && echo $STAMP"),
    *looks("offsets of its clocks", "unshare -UrT --boottime 4711471 sleep 3", "cat /proc/[0-9]*/timens_offsets | grep -q 4711471 && echo $STAMP"),
    *looks("environment", "ESCAPE=$STAMP sleep 3", "cat /proc/[0-9]*/environ", users=("anna",)),
    *looks("program's file", NAMED_SLEEP, "ls -l /proc/[0-9]*/exe /proc/[0-9]*/cwd /proc/[0-9]*/fd", users=("anna",)),
    *looks("map of memory", NAMED_SLEEP, "cat /proc/[0-9]*/maps /proc/[0-9]*/smaps /proc/[0-9]*/numa_maps", users=("anna",)),
    *looks("confinement", NAMED_SLEEP, "cat /proc/[0-9]*/attr/current /proc/[0-9]*/cgroup", users=("anna",), control="none: a public one's name no program"),
    *looks("inner files by /proc", "echo $STAMP >new; sleep 3", "cat /proc/[0-9]*/cwd/new /proc/[0-9]*/root$PWD/new", users=("anna",)),
    *looks("files of its descriptors", python("file = os.open('new', os.O_RDWR | os.O_CREAT); os.write(file, STAMP.encode()); time.sleep(3)"), "cat /proc/[0-9]*/fd/?", users=("anna",)),
    *looks("nameless memory", python("file = os.memfd_create(STAMP); os.write(file, STAMP.encode()); time.sleep(3)"), "cat /proc/[0-9]*/fd/?; ls -l /proc/[0-9]*/fd", users=("anna",)),
    *looks("list of sessions", NAMED_SLEEP, "loginctl; systemctl list-units --all --no-pager; systemd-cgls --no-pager"),
    *looks("arguments of tacet run", "sleep 3", "ps -eo args; systemctl status --no-pager --lines=0; systemctl --user status --no-pager --lines=0", words="$STAMP"),
    *looks("name of a session", "sleep 3", "ps -eo args; systemctl status --no-pager --lines=0", users=("bela",), options=("--name", "$STAMP"), control="none: only a session has one"),
    *looks("titles that tacet tells", NAMED_SLEEP, "tacet session list", users=("bela",), control="none: only a session has one"),
    Way("accounting", CALLED + "./$STAMP -c 1; sleep 1", trace="strings -a /run/accounting 2>/dev/null || cat /run/accounting",
        setup="touch /run/accounting; " + python("libc.acct(b'/run/accounting')"), undo=python("libc.acct(None)") + "; rm -f /run/accounting"),
]

CLEAR = "mountpoint -q /sys/kernel/debug || mount -t debugfs d /sys/kernel/debug; echo 1 >/sys/kernel/debug/clear_warn_once; sysctl -qw kernel.printk_ratelimit=0; "
# What all of anna's programs together may take.
SLICE = "systemctl set-property --runtime user-1000.slice MemoryMax={} MemorySwapMax={}"
LOG = "sleep 0.5; dmesg; journalctl -b --no-pager -o cat"


def logs(name, text, **more):
    """A way that makes the kernel log the program's name."""
    return Way(f"kernel's log: {name}", CALLED + python(text).replace("python3", "./$STAMP", 1), setup=CLEAR, trace=LOG, **more)


LOGGED = [
    logs("crash", "ctypes.string_at(0)"),
    logs("illegal instruction", """
code = mmap.mmap(-1, 4096, prot=7)
code[:2] = bytes([0x0f, 0x0b])
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()"""),
    logs("protection fault", """
code = mmap.mmap(-1, 4096, prot=7)
code[:1] = bytes([0xf4])
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()"""),
    logs("frame of a signal", """
code = mmap.mmap(-1, 4096, prot=7)
code[:16] = bytes([0x48, 0x31, 0xe4, 0xb8, 15, 0, 0, 0, 0x0f, 0x05]).ljust(16, bytes(1))
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()"""),
    logs("old system page", "ctypes.CFUNCTYPE(None)(0xffffffffff600008)()"),
    logs("old mapping of pages", """
page = mmap.mmap(-1, 4096)
libc.syscall(216, ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page))), 4096, 0, 0, 0)"""),
    logs("shift of a lock", """
word = ctypes.c_int(0)
libc.syscall(202, ctypes.byref(word), 5, 1, 1, ctypes.byref(word), ctypes.c_uint(0x81000000 | (40 << 12)))"""),
    logs("old name of a setting", "open('/proc/self/oom_adj', 'w').write('15')"),
    logs("limit of data", """
import resource
resource.setrlimit(resource.RLIMIT_DATA, (1 << 20, 1 << 20))
mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)"""),
    logs("large pages", """
import resource
resource.setrlimit(resource.RLIMIT_MEMLOCK, resource.getrlimit(resource.RLIMIT_MEMLOCK))
libc.shmget(0, 2 << 20, 0o5600)"""),
    logs("old rights", "libc.syscall(125, struct.pack('Ii', 0x19980330, 0), ctypes.create_string_buffer(12))"),
    logs("own filter", """
program = struct.pack("HBBI", 0x20, 0, 0, 0) + struct.pack("HBBI", 0x15, 0, 1, 39) + struct.pack("HBBI", 6, 0, 0, 0x80000000) + struct.pack("HBBI", 6, 0, 0, 0x7fff0000)
held = ctypes.create_string_buffer(program)
libc.prctl(38, 1, 0, 0, 0)
libc.prctl(22, 2, struct.pack("HxxxxxxP", 4, ctypes.addressof(held)), 0, 0)
libc.syscall(39)"""),
    logs("stack that runs", """
text = bytearray(open("/usr/bin/true", "rb").read())
offset, size, count = struct.unpack_from("<Q", text, 32)[0], *struct.unpack_from("<HH", text, 54)
for header in range(offset, offset + size * count, size):
    if struct.unpack_from("<I", text, header)[0] == 0x6474e551:
        struct.pack_into("<I", text, header + 4, 7)
os.mkdir("in" + STAMP)
with open("in" + STAMP + "/a", "wb") as file:
    file.write(text)
os.chmod("in" + STAMP + "/a", 0o755)
os.spawnl(os.P_WAIT, "in" + STAMP + "/a", "a")"""),
    logs("instruction that is emulated", """
code = mmap.mmap(-1, 4096, prot=7)
code[:16] = bytes([0x48, 0x83, 0xec, 24, 0x0f, 0x01, 0x04, 0x24, 0x48, 0x83, 0xc4, 24, 0xc3]).ljust(16, bytes(1))
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()""", control="none: the emulated processor may lack UMIP"),
    Way("kernel's log: memory runs out", CALLED + "./$STAMP -c 'held = []\nwhile True: held.append(bytearray(1 << 24))'", trace=LOG,
        setup=CLEAR + SLICE.format("$(($(cat /sys/fs/cgroup/user.slice/user-1000.slice/memory.current) + 400000000))", "0"), undo=SLICE.format("infinity", "infinity")),
]

TRACES = [*LISTED, *LOGGED]
