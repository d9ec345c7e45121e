# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways by the network: closed with `--net off`; and the families of sockets that are no network."""

from tests.escapes.way import Way, python, server

OFF = ("--net", "off")
ADDRESS = "hostname -I | cut -d' ' -f1 >address"
LISTENS = """
sock = socket.socket(socket.{family}, socket.{kind})
sock.bind(({address}, 4711))
{more}
print("ready", flush=True)
{read}"""


def listener(family, kind, address):
    """A witness that prints what comes to its socket."""
    stream = kind == "SOCK_STREAM"
    return python(LISTENS.format(family=family, kind=kind, address=address, more="sock.listen()" if stream else "",
                                 read=f"print(sock{'.accept()[0]' if stream else ''}.recv(100).decode(), flush=True)"))


def off(name, family, kind, address):
    """A way to a server on this machine."""
    return Way(f"network off: {name}", python(f"sock = socket.socket(socket.{family}, socket.{kind}); sock.settimeout(3); sock.connect(({address}, 4711)); sock.send(STAMP.encode())"),
               witness=listener(family, kind, address), options=OFF)


NETWORK = [
    off("TCP to this machine", "AF_INET", "SOCK_STREAM", "'127.0.0.1'"),
    off("UDP to this machine", "AF_INET", "SOCK_DGRAM", "'127.0.0.1'"),
    off("TCP by IPv6", "AF_INET6", "SOCK_STREAM", "'::1'"),
    off("UDP by IPv6", "AF_INET6", "SOCK_DGRAM", "'::1'"),
    Way("network off: ICMP", "ping -c 1 -W 1 -p $(printf %s $STAMP | xxd -p | head -c 32) $(cat address) && echo through", options=OFF, inside=True,
        setup="sysctl -qw net.ipv4.ping_group_range='0 2147483647'; " + ADDRESS, undo="sysctl -qw net.ipv4.ping_group_range='1 0'"),
    Way("network off: address of the machine", "curl -sm 3 http://$(cat address):4711/$STAMP", options=OFF, setup=ADDRESS,
        witness=server()),
    Way("network off: abstract socket", python(r"socket.socket(socket.AF_UNIX).connect('\0escape'); print('through')"), options=OFF, inside=True, witness=python(r"""
sock = socket.socket(socket.AF_UNIX)
sock.bind("\0escape")
sock.listen()
print("ready", flush=True)
time.sleep(20)""")),
    Way("network off: namespace of PID 1", "nsenter -t 1 -n true && echo through", options=OFF, inside=True, control="root"),
    Way("network: this machine's servers", python("socket.create_connection(('127.0.0.1', 4711)).send(STAMP.encode())"), expected="the network is open, as it is to programs that are not private",
        witness=server()),
    Way("virtual machine's socket", python("""
sock = socket.socket(socket.AF_VSOCK)
sock.connect((1, 4711))
sock.send(STAMP.encode())"""), setup="modprobe vsock_loopback", witness=listener("AF_VSOCK", "SOCK_STREAM", "socket.VMADDR_CID_ANY")),
    Way("netlink between programs", python("""
sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 2)
sock.bind((0, 0))
sock.sendto(struct.pack("IHHII", 16 + len(STAMP), 16, 0, 0, 0) + STAMP.encode(), (int(open("port").read()), 0))"""), witness=python("""
sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 2)
sock.bind((0, 0))
open("port", "w").write(str(sock.getsockname()[0]))
print("ready", flush=True)
print(sock.recv(100)[16:].decode(), flush=True)""")),
    Way("netlink of routes, to a program", python("""
sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
sock.bind((0, 0))
sock.sendto(struct.pack("IHHII", 16 + len(STAMP), 16, 0, 0, 0) + STAMP.encode(), (int(open("port").read()), 0))"""), control="root", witness=python("""
sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
sock.bind((0, 0))
open("port", "w").write(str(sock.getsockname()[0]))
print("ready", flush=True)
print(sock.recv(100)[16:].decode(), flush=True)""")),
    *(Way(f"socket of family {name}", python(f"socket.socket({family}, {kind}, {protocol}); print('through')"), inside=True, control=control, setup=f"modprobe {module}")
      for name, family, kind, protocol, control, module in (("packets", 17, 3, 768, "root", "af_packet"), ("the kernel's ciphers", 38, 5, 0, "anna", "af_alg"), ("audit", 16, 3, 9, "anna", "af_packet"),
                                                            ("the kernel's keys", 15, 3, 2, "root", "af_key"), ("Bluetooth", 31, 3, 1, "root", "bluetooth"), ("TIPC", 30, 5, 0, "anna", "tipc"),
                                                            ("CAN", 29, 3, 1, "anna", "can_raw"), ("RDS", 21, 5, 0, "anna", "rds"))),
]
