# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways through files: what a private program does to them is not to be seen outside."""

from tests.escapes.way import FOLDER, Way, polling, python

SECOND_DISK = "modprobe loop; truncate -s 64M /root/disk; mkfs.{kind} /root/disk >/dev/null 2>&1; mkdir -p /mnt/second; mount -o loop{options} /root/disk /mnt/second; "
STRICT = "mount -o remount,strictatime /; "
NOT_STRICT = "mount -o remount,noatime /"
NO_SECOND_DISK = "umount -l /mnt/second; rm /root/disk"
EXT4 = SECOND_DISK.format(kind="ext4 -q -F", options=",strictatime") + "chmod 777 /mnt/second"
FAT = SECOND_DISK.format(kind="vfat", options=",umask=000,strictatime")

PLAIN = {
    "new file": "echo $STAMP >new",
    "file appended to": "echo $STAMP >>plain",
    "file overwritten": "echo $STAMP >plain",
    "file written in place": python("file = os.open('plain', os.O_RDWR); os.pwrite(file, STAMP.encode(), 0)"),
    "file mapped": python("""
with open("plain", "r+b") as file:
    file.truncate(4096)
    page = mmap.mmap(file.fileno(), 4096)
    page[:len(STAMP)] = STAMP.encode()
    page.flush()"""),
    "direct writing": python("""
page = mmap.mmap(-1, 4096)
page[:len(STAMP)] = STAMP.encode()
os.write(os.open("plain", os.O_WRONLY | os.O_DIRECT), page)"""),
    "copy_file_range": "echo $STAMP >/dev/shm/from; " + python("os.copy_file_range(os.open('/dev/shm/from', 0), os.open('plain', 1), 100)"),
    "sendfile": "echo $STAMP >from; " + python("os.sendfile(os.open('plain', 1), os.open('from', 0), 0, 100)"),
    "splice": python("""
reader, writer = os.pipe()
os.write(writer, STAMP.encode())
os.splice(reader, os.open("plain", os.O_WRONLY), 100)"""),
    "file in /tmp": "echo $STAMP >/tmp/escape",
    "file in /var/tmp": "echo $STAMP >/var/tmp/escape",
    "file in /dev/shm": "echo $STAMP >/dev/shm/escape",
    "file in /run/lock": "echo $STAMP >/run/lock/escape",
    "file in the home folder": "echo $STAMP >~/escape",
    "hidden file": "mkdir -p ~/.config/escape; echo $STAMP >~/.config/escape/plain",
    "folder": "mkdir $STAMP",
    "file renamed": "mv plain $STAMP",
    "hard link": "ln plain $STAMP",
    "symbolic link": "ln -s plain $STAMP",
    "FIFO's name": "mkfifo $STAMP",
    "socket's name": python("socket.socket(socket.AF_UNIX).bind(STAMP)"),
    "nameless file that gets a name": python("""
file = os.open(".", os.O_TMPFILE | os.O_RDWR)
os.write(file, STAMP.encode())
libc.linkat(-100, f"/proc/self/fd/{file}".encode(), -100, b"named", 0x400)"""),
    "root of the process": "echo $STAMP >/proc/self/root/home/anna/Documents/escape/new",
    "working folder of the process": "echo $STAMP >/proc/self/cwd/new",
    "folder of a descriptor": f"exec 7<{FOLDER}; echo $STAMP >/proc/self/fd/7/new",
    "folder above": "cd ..; echo $STAMP >escape/new",
    "trash": "echo $STAMP >$STAMP; gio trash $STAMP",
    "settings": "gsettings set org.gnome.desktop.interface font-name $STAMP 2>/dev/null; dconf write /escape \"'$STAMP'\" 2>/dev/null; echo $STAMP >>~/.profile",
    "history of the shell": "HISTFILE=~/.bash_history bash -ic 'history -s '$STAMP'; history -a'",
}

FILES = [Way(name, script) for name, script in PLAIN.items()]
FILES += [
    Way("symbolic link's target", "ln -s $STAMP link", trace="readlink link"),
    Way("two files exchanged", "echo other >other; mv --exchange plain other", setup="echo other | install -o anna /dev/stdin other",
        trace="grep -q other plain && echo $STAMP"),
    Way("file removed", "rm plain", trace="test -e plain || echo $STAMP"),
    Way("folder removed", "rmdir empty", setup="install -d -o anna empty", trace="test -d empty || echo $STAMP"),
    Way("mode", "chmod 751 plain", trace="test $(stat -c %a plain) = 751 && echo $STAMP"),
    Way("mode by descriptor", python("os.fchmod(os.open('plain', os.O_RDONLY), 0o751)"), trace="test $(stat -c %a plain) = 751 && echo $STAMP"),
    Way("mode of a folder", "chmod 751 .", trace="test $(stat -c %a .) = 751 && echo $STAMP"),
    Way("group", "chgrp users plain", setup="usermod -aG users anna; chown anna:anna plain", trace="test $(stat -c %G plain) = users && echo $STAMP", control="root"),
    Way("times", "touch -d @4711 plain", trace="test $(stat -c %Y plain) = 4711 && echo $STAMP"),
    Way("times by descriptor", python("os.utime(os.open('plain', os.O_RDONLY), (4711, 4711))"), trace="test $(stat -c %Y plain) = 4711 && echo $STAMP"),
    Way("attribute", "setfattr -n user.escape -v $STAMP plain", trace="getfattr -d plain"),
    Way("attribute by descriptor", python("os.setxattr(os.open('plain', os.O_RDONLY), 'user.escape', STAMP.encode())"), trace="getfattr -d plain"),
    Way("attribute's removal", "setfattr -x user.old plain", setup="setfattr -n user.old -v 1 plain", trace="getfattr -d plain | grep -q old || echo $STAMP"),
    Way("access control list", "setfacl -m u:bela:r plain", trace="getfacl plain | grep -q bela && echo $STAMP"),
    Way("flags of the file system", "chattr +A plain", trace="lsattr plain | cut -d' ' -f1 | grep -q A && echo $STAMP"),
    Way("size", "truncate -s 4711 plain", trace="test $(stat -c %s plain) = 4711 && echo $STAMP"),
    Way("blocks", "fallocate -l 1M plain", trace="test $(stat -c %b plain) -gt 1000 && echo $STAMP"),
    Way("time of a folder", "echo >new; rm new", setup="touch -d @4711 .", trace="test $(stat -c %Y .) = 4711 || echo $STAMP"),
    Way("access time, read", "cat plain", setup=STRICT + "touch -a -d @4711 plain; sync", undo=NOT_STRICT, trace="test $(stat -c %X plain) = 4711 || echo $STAMP"),
    Way("access time, mapped", python("print(mmap.mmap(os.open('plain', os.O_RDONLY), 6, prot=mmap.PROT_READ)[:])"),
        setup=STRICT + "touch -a -d @4711 plain", undo=NOT_STRICT, trace="test $(stat -c %X plain) = 4711 || echo $STAMP"),
    Way("access time, run", "./tool", setup=STRICT + "install -o anna /usr/bin/true tool; touch -a -d @4711 tool", undo=NOT_STRICT, trace="test $(stat -c %X tool) = 4711 || echo $STAMP"),
    Way("access time of a folder", "ls tree", setup=STRICT + "install -d -o anna tree; touch -a -d @4711 tree", undo=NOT_STRICT, trace="test $(stat -c %X tree) = 4711 || echo $STAMP"),
    Way("access time of a link", "readlink link; cat link", setup=STRICT + "ln -s plain link; touch -h -a -d @4711 link", undo=NOT_STRICT, trace="test $(stat -c %X link) = 4711 || echo $STAMP"),
    Way("lock (flock)", "flock -x plain sleep 3", witness="echo ready; for i in {1..80}; do flock -n plain true || echo $STAMP; sleep 0.1; done"),
    Way("lock (POSIX)", python("held = open('plain', 'r+'); fcntl.lockf(held, fcntl.LOCK_EX); time.sleep(3)"), witness=python("""
print("ready", flush=True)
for _ in range(80):
    try:
        file = open("plain", "r+")
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.close()
    except OSError:
        print(STAMP, flush=True)
    time.sleep(0.1)""")),
    Way("lease", python("fcntl.fcntl(os.open('plain', os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK); time.sleep(4)"), witness=python("""
print("ready", flush=True)
for _ in range(60):
    try:
        os.close(os.open("plain", os.O_WRONLY | os.O_NONBLOCK))
    except BlockingIOError:
        print(STAMP, flush=True)
    time.sleep(0.1)""")),
    Way("list of locks", python("held = open('plain', 'r+'); fcntl.lockf(held, fcntl.LOCK_EX, 4711, 47114711); time.sleep(3)"),
        witness=polling("grep -q 47114711 /proc/locks && echo $STAMP"), who="bela"),
    Way("list of locks, the person's", python("held = open('plain', 'r+'); fcntl.lockf(held, fcntl.LOCK_EX, 4711, 47114711); time.sleep(3)"),
        witness=polling("grep -q 47114711 /proc/locks && echo $STAMP")),
    Way("watcher of a folder", "cat plain; echo >new", witness=python("""
watch = libc.inotify_init1(0)
libc.inotify_add_watch(watch, b".", 0xfff)
print("ready", flush=True)
while os.read(watch, 4096):
    print(STAMP, flush=True)""")),
    Way("file that outside watches grow", "echo $STAMP >>plain; sleep 1", witness="echo ready; tail -f -n +1 plain"),
    Way("second disk", "echo $STAMP >/mnt/second/new", setup=EXT4, undo=NO_SECOND_DISK, trace="cat /mnt/second/new"),
    Way("second disk, time of access", "cat /mnt/second/old", setup=EXT4 + "; echo old >/mnt/second/old; touch -a -d @4711 /mnt/second/old", undo=NO_SECOND_DISK,
        trace="test $(stat -c %X /mnt/second/old) = 4711 || echo $STAMP"),
    Way("stick", "echo $STAMP >/mnt/second/new", setup=FAT, undo=NO_SECOND_DISK, trace="cat /mnt/second/new"),
    Way("file that is mounted", "echo $STAMP >/mnt/single", setup="touch /mnt/single /root/single; chmod 666 /root/single; mount --bind /root/single /mnt/single",
        undo="umount /mnt/single", trace="cat /root/single"),
    Way("mount below another", "echo $STAMP >/mnt/above/new", setup="mkdir -p /mnt/above; mount -t tmpfs -o mode=777 t /mnt/above", undo="umount /mnt/above", trace="cat /mnt/above/new"),
    Way("mount made later", "for i in {1..40}; do echo $STAMP 2>/dev/null >/mnt/later/new && break; sleep 0.1; done; sleep 5", setup="mkdir -p /mnt/later; chmod 755 /mnt/later",
        who="root", witness="echo ready; sleep 1.5; mount -t tmpfs -o mode=777 t /mnt/later; sleep 4; cat /mnt/later/new", undo="umount /mnt/later"),
    Way("descriptor of a file", "echo $STAMP >&7", around="7>>plain", expected="held"),
    Way("descriptor of a folder", "echo $STAMP >/proc/self/fd/7/new", around="7<."),
    Way("input, written to", "echo $STAMP >/proc/self/fd/0", around="<plain"),
    Way("input, a folder", "echo $STAMP >/proc/self/fd/0/new", around="<."),
    Way("output, truncated", ": >/proc/self/fd/1", around=">>plain", trace="test -s plain || echo $STAMP"),
    Way("output, marked", "setfattr -n user.escape -v $STAMP /proc/self/fd/1", around=">>plain", trace="getfattr -d plain"),
    Way("what is below the overlay, unmounted", "STAMP=$STAMP unshare -Urm bash -c 'for i in 1 2 3; do umount -l /home/anna /home /; done; cd /home/anna/Documents/escape && echo $STAMP >new'"),
    Way("what is below the overlay, bound again", "STAMP=$STAMP unshare -Urm bash -c 'mkdir /tmp/b; mount --rbind / /tmp/b && echo $STAMP >/tmp/b/home/anna/Documents/escape/new'"),
    Way("what is below the overlay, remounted", "STAMP=$STAMP unshare -Urm bash -c 'mount -o remount,rw,bind /; mount -o remount,rw,bind /usr; echo $STAMP >/home/anna/Documents/escape/new'"),
    Way("root changed", "STAMP=$STAMP unshare -Urm bash -c 'mkdir /tmp/r; mount --rbind / /tmp/r; cd /tmp/r; pivot_root . mnt; echo $STAMP >/mnt/home/anna/Documents/escape/new; "
        "echo $STAMP >/home/anna/Documents/escape/new'"),
    Way("root left by a descriptor", python("""
os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNS)
top = os.open("/", os.O_RDONLY)
os.makedirs("/tmp/jail", exist_ok=True)
os.chroot("/tmp/jail")
os.fchdir(top)
for _ in range(20):
    os.chdir("..")
os.chroot(".")
open("/home/anna/Documents/escape/new", "w").write(STAMP)""")),
    Way("namespaces of PID 1", "STAMP=$STAMP nsenter -t 1 -m bash -c 'echo $STAMP >/home/anna/Documents/escape/new'", control="root"),
    Way("overlay of one's own", "STAMP=$STAMP unshare -Urm bash -c 'mkdir -p /tmp/{u,w,m}; mount -t overlay o -o lowerdir=/usr,upperdir=/tmp/u,workdir=/tmp/w /tmp/m && echo $STAMP >/tmp/m/new'"),
    Way("pages in memory", "cat big >/dev/null", setup="head -c 4M /dev/urandom | install -o anna /dev/stdin big; sync; echo 3 >/proc/sys/vm/drop_caches",
        trace=python("""
page = mmap.mmap(os.open("big", os.O_RDWR), 4 << 20)
kept = ctypes.create_string_buffer(1024)
libc.mincore(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page))), ctypes.c_size_t(4 << 20), kept)
if sum(byte & 1 for byte in kept.raw) > 500:
    print(STAMP)"""),
        expected="a program outside can tell from the cache of pages which files were read lately, by whomever"),
]
