# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to other programs: sockets, pipes, System V's and POSIX's channels, keys, buses, services, signals, devices, programs of root's."""

from tests.escapes.way import Way, polling, python, server

READS_SOCKET = """
sock = socket.socket(socket.AF_UNIX, socket.{kind})
sock.bind({name})
{more}
print("ready", flush=True)
{read}
"""
STREAM = {"kind": "SOCK_STREAM", "more": "sock.listen()", "read": "print(sock.accept()[0].recv(100).decode(), flush=True)"}
DATAGRAM = {"kind": "SOCK_DGRAM", "more": "", "read": "print(sock.recv(100).decode(), flush=True)"}
SENDS = "sock = socket.socket(socket.AF_UNIX, socket.{kind}); sock.connect({name}); sock.send(STAMP.encode())"


def sockets(name, address, *, who="anna", datagram=False, setup="", prepare=""):
    """A way to a socket that `who` listens on."""
    kind = DATAGRAM if datagram else STREAM
    more = kind["more"] + prepare
    return Way(name, python(SENDS.format(kind=kind["kind"], name=address)), who=who, setup=setup,
               witness=python(READS_SOCKET.format(**{**kind, "name": address, "more": more})))


SOCKETS = [
    sockets("socket", "'listening'"),
    sockets("datagram socket", "'listening'", datagram=True),
    sockets("abstract socket", r"'\0escape'"),
    sockets("abstract datagram socket", r"'\0escape'", datagram=True),
    sockets("another user's socket", "'/tmp/escape-socket'", who="bela", setup="rm -f /tmp/escape-socket", prepare="; os.chmod('/tmp/escape-socket', 0o777)"),
    sockets("root's socket", "'/run/escape-socket'", who="root", setup="rm -f /run/escape-socket", prepare="; os.chmod('/run/escape-socket', 0o777)"),
    sockets("socket on another mount", "'/mnt/sockets/listening'", setup="mkdir -p /mnt/sockets; mount -t tmpfs -o mode=777 t /mnt/sockets"),
    sockets("socket in a read-only mount", "'/run/escape/socket'", who="root", setup="mkdir -p /run/escape; rm -f /run/escape/socket", prepare="; os.chmod('/run/escape/socket', 0o777)"),
    Way("sequenced socket", python(r"sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); sock.connect('\0escape'); sock.send(STAMP.encode())"),
        witness=python(READS_SOCKET.format(**{**STREAM, "kind": "SOCK_SEQPACKET", "name": r"'\0escape'"}))),
    Way("datagram without connecting", python("socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(STAMP.encode(), 'listening')"),
        witness=python(READS_SOCKET.format(**DATAGRAM, name="'listening'"))),
    Way("socket by a user namespace", "STAMP=$STAMP unshare -Ur env " + python(SENDS.format(kind="SOCK_STREAM", name=r"'\0escape'")),
        witness=python(READS_SOCKET.format(**STREAM, name=r"'\0escape'"))),
    Way("socket from outside, descriptor", python("socket.socket(fileno=7).send(STAMP.encode())"), around="7<>/dev/tcp/127.0.0.1/4711",
        witness=server()),
    # But for the buses, of which the session has its own at these places.
    Way("every socket that is there", python("""
for line in open("sockets"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            socket.socket(socket.AF_UNIX, kind).connect(line.strip().replace("@", "\\0", 1) if line.startswith("@") else line.strip())
            print(line.strip(), "through", flush=True)
        except OSError:
            pass"""), setup="ss -xlH | awk '{print $5}' | grep -v '^\\*' | sort -u >sockets; ss -xaH | awk '{print $5}' | grep ^/ | sort -u >>sockets; "
        "sed -i '/bus$/d; /system_bus_socket$/d' sockets", inside=True),
]

PIPES = [
    Way("FIFO", "echo $STAMP 1<>fifo >fifo", setup="mkfifo -m 666 fifo", witness="echo ready; cat fifo"),
    Way("FIFO in /tmp", "echo $STAMP 1<>/tmp/escape-fifo >/tmp/escape-fifo", setup="rm -f /tmp/escape-fifo; mkfifo -m 666 /tmp/escape-fifo; chown anna /tmp/escape-fifo",
        witness="echo ready; cat /tmp/escape-fifo"),
    Way("FIFO in /run", "STAMP=$STAMP timeout 5 bash -c 'echo $STAMP >/run/escape-fifo'", setup="rm -f /run/escape-fifo; mkfifo -m 666 /run/escape-fifo", undo="rm /run/escape-fifo",
        witness="echo ready; cat /run/escape-fifo"),
    Way("FIFO on another mount", "STAMP=$STAMP timeout 5 bash -c 'echo $STAMP >/mnt/pipes/fifo'", setup="mkdir -p /mnt/pipes; mount -t tmpfs -o mode=777 t /mnt/pipes; mkfifo -m 666 /mnt/pipes/fifo",
        undo="umount -l /mnt/pipes", witness="echo ready; cat /mnt/pipes/fifo"),
    Way("FIFO on a stick, read-only", "STAMP=$STAMP timeout 5 bash -c 'echo $STAMP >/mnt/pipes/fifo'",
        setup="mkdir -p /mnt/pipes; mount -t tmpfs -o mode=777 t /mnt/pipes; mkfifo -m 666 /mnt/pipes/fifo; mount -o remount,ro /mnt/pipes", undo="umount -l /mnt/pipes",
        witness="echo ready; cat /mnt/pipes/fifo"),
    Way("System V memory", python("""
libc.shmat.restype = ctypes.c_void_p
at = libc.shmat(libc.shmget(4711, 4096, 0), None, 0)
ctypes.memmove(at, STAMP.encode(), len(STAMP))"""), witness=python("""
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(4711, 4096, 0o1666)
at = libc.shmat(segment, None, 0)
print("ready", flush=True)
while True:
    time.sleep(0.1)
    print(ctypes.string_at(at, 20).decode(errors="replace").rstrip("\\0"), flush=True)"""), undo="ipcrm -M 4711"),
    Way("System V queue", python("libc.msgsnd(libc.msgget(4711, 0), struct.pack('l', 1) + STAMP.encode(), len(STAMP), 0)"), witness=python("""
queue = libc.msgget(4711, 0o1666)
print("ready", flush=True)
text = ctypes.create_string_buffer(100)
libc.msgrcv(queue, text, 90, 0, 0)
print(text.raw[8:].decode(errors="replace"), flush=True)"""), undo="ipcrm -Q 4711"),
    Way("System V semaphore", python("libc.semctl(libc.semget(4711, 1, 0), 0, 16, 47)"), witness=python("""
semaphore = libc.semget(4711, 1, 0o1666)
print("ready", flush=True)
while True:
    time.sleep(0.1)
    if libc.semctl(semaphore, 0, 12) == 47:
        print(STAMP, flush=True)"""), undo="ipcrm -S 4711"),
    Way("POSIX memory", python("open('/dev/shm/escape', 'r+b').write(STAMP.encode())"), setup="echo 12345678901234567890 >/dev/shm/escape; chown anna /dev/shm/escape",
        undo="rm /dev/shm/escape", witness=polling("cat /dev/shm/escape")),
    Way("POSIX queue", python("libc.mq_send(libc.mq_open(b'/escape', os.O_WRONLY), STAMP.encode(), len(STAMP), 0)"), witness=python("""
queue = libc.mq_open(b"/escape", os.O_RDWR | os.O_CREAT, 0o600, None)
print("ready", flush=True)
text = ctypes.create_string_buffer(8192)
libc.mq_receive(queue, text, 8192, None)
print(text.value.decode(), flush=True)""")),
    Way("event descriptor of outside", python("os.write(7, struct.pack('Q', 47))"), around="7<>held", setup="install -o anna /dev/null held",
        trace="test -s held && echo $STAMP"),
]

KEYS = [
    Way(f"key in {name}", python(f"print('through' if libc.syscall(248, b'user', STAMP.encode(), STAMP.encode(), len(STAMP), {ring}) >= 0 else ctypes.get_errno())"), inside=True)
    for name, ring in (("the user's ring", -4), ("the session's ring", -3), ("the user's session ring", -5), ("the process's ring", -2))
]
KEYS += [
    Way("key that is asked for", python("print('through' if libc.syscall(249, b'user', b'escape', STAMP.encode(), -2) >= 0 or ctypes.get_errno() != 1 else 'refused')"), inside=True),
    Way("ring that persists", python("print('through' if libc.syscall(250, 22, -1, -2) >= 0 else 'refused')"), inside=True),
]

BUS = "gdbus call --{which} --dest {dest} --object-path {path} --method {method} {words}"
NOTIFY = BUS.format(which="session", dest="org.freedesktop.Notifications", path="/org/freedesktop/Notifications", method="org.freedesktop.Notifications.Notify",
                    words="$STAMP 0 '' $STAMP body [] {} -- 1000")
BUSES = [
    Way("signal on the session bus", "gdbus emit --session --object-path /a --signal a.b.C \"'$STAMP'\"", witness="echo ready; exec stdbuf -oL dbus-monitor --session"),
    Way("signal on the system bus", "gdbus emit --system --object-path /a --signal a.b.C \"'$STAMP'\"", who="root", witness="echo ready; exec stdbuf -oL dbus-monitor --system"),
    Way("method of the system bus", BUS.format(which="system", dest="org.freedesktop.login1", path="/org/freedesktop/login1", method="org.freedesktop.login1.Manager.GetSession", words="$STAMP"),
        who="root", witness="echo ready; exec stdbuf -oL dbus-monitor --system"),
    Way("property of the system bus", "gdbus call --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1 --method org.freedesktop.DBus.Properties.Get $STAMP $STAMP",
        who="root", witness="echo ready; exec stdbuf -oL dbus-monitor --system"),
    Way("name of the bus itself", "gdbus call --system --dest org.freedesktop.DBus --object-path / --method org.freedesktop.DBus.NameHasOwner org.$STAMP; "
        "gdbus call --system --dest org.freedesktop.DBus --object-path / --method org.freedesktop.DBus.AddMatch \"type='signal',interface='org.$STAMP'\"; "
        "dbus-send --system --dest=org.freedesktop.DBus --type=method_call /$STAMP org.freedesktop.DBus.ListNames string:$STAMP",
        who="root", witness="echo ready; exec stdbuf -oL dbus-monitor --system"),
    Way("notification", NOTIFY, witness="echo ready; exec stdbuf -oL dbus-monitor --session"),
    Way("unit of the person's", "systemd-run --user --wait touch ~/$STAMP"),
    Way("unit of the person's, by its socket", python("""
sock = socket.socket(socket.AF_UNIX)
sock.connect("/run/user/1000/systemd/private")
print("through")"""), inside=True),
    Way("environment of the person's units", "systemctl --user set-environment ESCAPE=$STAMP", trace="systemctl --user -M anna@ show-environment"),
]

LOGGING_MODPROBE = ("printf '#!/bin/sh\necho $* >>/run/escape-modprobe\n' >/usr/local/lib/escape-modprobe; chmod 755 /usr/local/lib/escape-modprobe; rm -f /run/escape-modprobe; "
                "{more}sysctl -qw kernel.modprobe=/usr/local/lib/escape-modprobe")
MODPROBE = {"setup": LOGGING_MODPROBE.format(more=""), "undo": "sysctl -qw kernel.modprobe=/sbin/modprobe; rm -f /usr/local/lib/escape-modprobe /run/escape-modprobe",
            "trace": "cat /run/escape-modprobe"}
# In place of Debian's program for keys, which need not be installed.
DESCRIBES_KEYS = """test -e /sbin/request-key || touch /run/escape-made
cat >/sbin/request-key <<'end'
#!/usr/bin/python3
import ctypes, sys
text = ctypes.create_string_buffer(200)
ctypes.CDLL(None).syscall(250, 6, int(sys.argv[2]), text, 200)
open("/run/escape-key", "ab").write(text.value)
end
chmod 755 /sbin/request-key"""
SERVICES = [
    Way("message to the journal", "logger $STAMP; echo $STAMP | systemd-cat; sleep 1", trace="journalctl -b --no-pager -o cat"),
    Way("message to the journal's socket", python("socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'MESSAGE=' + STAMP.encode() + b'\\n', '/run/systemd/journal/socket')"),
        trace="sleep 1; journalctl -b --no-pager -o cat"),
    Way("message to the kernel's log", "echo $STAMP >/dev/kmsg", trace="dmesg", control="root"),
    Way("message to everybody", "wall $STAMP; echo $STAMP >/dev/console; for terminal in /dev/pts/*; do echo $STAMP >$terminal; done; sleep 1",
        witness="echo ready; timeout 8 script -qc 'cat' /dev/null", expected="held", control="none: script's terminal takes wall's message only in a login"),
    Way("terminal of another program", "for terminal in $(cat terminal); do echo $STAMP >$terminal; done",
        witness="timeout 8 script -qfc 'tty >terminal; echo ready; sleep 5' /dev/null"),
    Way("program of root's: sudo", "sudo -n touch /var/tmp/$STAMP || sudo -n -l", setup="echo 'anna ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/escape",
        undo="rm -f /etc/sudoers.d/escape /var/tmp/Kestrel*", trace="ls /var/tmp; journalctl -b --no-pager -t sudo"),
    Way("program of root's: pkexec", "pkexec --user $STAMP true; sleep 1", trace="journalctl -b --no-pager", control="none: refuses before it logs"),
    Way("program of root's: a mount", "fusermount3 -u $STAMP; mount $STAMP; passwd -S $STAMP; chfn -f $STAMP anna; chsh -s $STAMP anna; sleep 1", trace="journalctl -b --no-pager; cat /etc/passwd",
        control="none: each asks for a password"),
    Way("file with the right of its group", "STAMP=$STAMP ./grouped -c 'import os; os.setgid(os.getegid()); open(\"/var/mail/escape\", \"w\").write(os.environ[\"STAMP\"])'",
        setup="install -g mail -m 2755 $(readlink -f /usr/bin/python3) grouped; install -d -m 2775 -g mail /var/mail", trace="cat /var/mail/escape", undo="rm /var/mail/escape"),
    Way("file with a capability", "./capable -c 'import os; os.chown(\"plain\", 1001, 1001)'", setup="cp $(readlink -f /usr/bin/python3) capable; setcap cap_chown+ep capable",
        trace="test $(stat -c %u plain) = 1001 && echo $STAMP"),
    Way("printer", "lp -t $STAMP plain; lpr -T $STAMP plain; sleep 1", trace="lpstat -W all -o 2>&1; grep -r $STAMP /var/spool/cups /var/log/cups", setup="systemctl start cups",
        control="none: the guest has no printer"),
    Way("module asked for by a mount", "unshare -Urm mount -t fs$STAMP none /mnt", **MODPROBE),
    Way("module asked for by a socket", python("""
for family in range(3, 46):
    try:
        socket.socket(family, socket.SOCK_RAW)
    except OSError:
        pass
try:
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).bind(("hash", STAMP))
except OSError:
    pass"""), **{**MODPROBE, "setup": LOGGING_MODPROBE.format(more="modprobe algif_hash; ")}),
    Way("module asked for by a kind of interface", "STAMP=$STAMP unshare -Urn bash -c 'tc qdisc add dev lo root $STAMP; ip link add type ${STAMP:0:15}'", **MODPROBE),
    Way("program for a key", python("""
for kind in (b"user", b"dns_resolver"):
    libc.syscall(249, kind, STAMP.encode(), b"wanted", -2)"""), setup=DESCRIBES_KEYS, trace="cat /run/escape-key",
        undo="test ! -e /run/escape-made || rm -f /sbin/request-key; rm -f /run/escape-key /run/escape-made"),
]

PID = "pid=$(cat pid); "
TELLS_SIGNAL = "trap 'echo $STAMP' USR1; echo $$ >pid; echo ready; for i in {1..60}; do sleep 0.1; done"
NO_YAMA = "sysctl -qw kernel.yama.ptrace_scope=0"
SHOWS_PAGE = python("""
page = mmap.mmap(-1, 4096)
open("address", "w").write(str(ctypes.addressof(ctypes.c_char.from_buffer(page))))
open("pid", "w").write(str(os.getpid()))
print("ready", flush=True)
for _ in range(60):
    time.sleep(0.1)
    print(page[:20].decode(errors="replace").rstrip("\\0"), flush=True)""")


def changes(test):
    """A witness that tells when something about it is other than before."""
    return f"echo $$ >pid; echo ready; for i in {{1..60}}; do sleep 0.1; {test}; done"


PROCESSES = [
    Way("signal", PID + "kill -USR1 $pid", witness=TELLS_SIGNAL),
    Way("signal to all of the user's", "kill -USR1 -1", witness=TELLS_SIGNAL,
        control="none: it would end anna's desktop"),
    Way("signal by a descriptor", python("signal.pidfd_send_signal(os.pidfd_open(int(open('pid').read())), signal.SIGUSR1)"),
        witness=TELLS_SIGNAL),
    Way("signal of a file", python("""
reader, writer = os.pipe()
fcntl.fcntl(reader, 10, signal.SIGUSR1)
fcntl.fcntl(reader, fcntl.F_SETOWN, int(open("pid").read()))
fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
os.write(writer, b"x")"""), witness=TELLS_SIGNAL),
    Way("memory of another program", python("""
memory = open(f"/proc/{open('pid').read().strip()}/mem", "r+b", 0)
memory.seek(int(open("address").read()))
memory.write(STAMP.encode())"""), setup=NO_YAMA, witness=SHOWS_PAGE),
    Way("memory by process_vm_writev", python("""
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
text = ctypes.create_string_buffer(STAMP.encode())
libc.process_vm_writev(int(open("pid").read()), ctypes.byref(Vector(ctypes.addressof(text), len(STAMP))), 1, ctypes.byref(Vector(int(open("address").read()), len(STAMP))), 1, 0)"""),
        setup=NO_YAMA, witness=SHOWS_PAGE),
    Way("limits of another program", PID + "prlimit --pid $pid --nofile=471:471", witness=changes("test $(ulimit -n) = 471 && echo $STAMP")),
    Way("priority of another program", PID + "renice -n 7 -p $pid; renice -n 7 -u anna", witness=changes("test $(nice) -ge 7 && echo $STAMP"),
        undo="renice -n 0 -u anna >/dev/null"),
    Way("input and output priority", PID + "ionice -c 3 -p $pid; ionice -c 3 -u 1000", witness=changes("ionice -p $$ | grep -q idle && echo $STAMP"),
        undo="ionice -c 0 -u 1000"),
    Way("processors of another program", PID + "taskset -p 1 $pid", witness=changes("taskset -p $$ | grep -q ': 1$' && echo $STAMP")),
    Way("readiness to be killed", PID + "echo 471 >/proc/$pid/oom_score_adj", witness=changes("grep -q 471 /proc/$$/oom_score_adj && echo $STAMP")),
    Way("descriptor of another program", python("""
pid = int(open("pid").read())
got = libc.syscall(438, os.pidfd_open(pid), 1, 0)
os.write(got, STAMP.encode())"""), setup=NO_YAMA, witness=changes("true")),
    Way("files of another program", PID + "echo $STAMP >/proc/$pid/fd/1", witness=changes("true")),
    Way("control group", "mkdir -p /sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/$STAMP",
        trace="ls /sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service", undo="rmdir /sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/Kestrel*"),
    Way("control group of its own", "for group in $(find /sys/fs/cgroup -name 'tacet-session*' -type d) /sys/fs/cgroup/; do mkdir $group/$STAMP; done", trace="find /sys/fs/cgroup -name \"*$STAMP*\"",
        control="root", undo="find /sys/fs/cgroup -depth -name 'Kestrel*' -type d -exec rmdir {} +"),
    Way("name of the machine", "hostname $STAMP; echo $STAMP >/proc/sys/kernel/hostname", setup="hostname >/root/hostname", trace="hostname", undo="hostname $(cat /root/hostname)", control="root"),
    Way("setting of the kernel", "echo 47114 >/proc/sys/vm/max_map_count", trace="grep -q 47114 /proc/sys/vm/max_map_count && echo $STAMP", undo="sysctl -qw vm.max_map_count=65530", control="root"),
    Way("clock", "date -s 2001-01-01", trace="date | grep -q 2001 && echo $STAMP", control="none: the guest's clock is others' too"),
]

DEVICES = [
    Way(f"device {name}", python(f"os.open('/dev/{name}', os.O_RDWR | os.O_NONBLOCK); print('through')"), inside=True, control="root", setup=setup)
    for name, setup in (("vda", ""), ("kmsg", ""), ("tty1", ""), ("vcs1", ""), ("input/event0", ""), ("uinput", "modprobe uinput"), ("fuse", "modprobe fuse"), ("net/tun", "modprobe tun"),
                        ("loop-control", "modprobe loop"), ("mapper/control", ""), ("rtc0", ""), ("dri/card0", ""))
]

PROGRAMS = [*SOCKETS, *PIPES, *KEYS, *BUSES, *SERVICES, *PROCESSES, *DEVICES]
