# SPDX-License-Identifier: GPL-3.0-or-later
"""The second host's name server: UDP on port 53, answers for the names that it is given, and says of all others that they do not exist.

usage: dns_server.py NAME=ADDRESS-OR-NAME...; a name of another name is an alias of it
"""

import ipaddress
import socket
import struct
import sys

A, CNAME, AAAA = 1, 5, 28
INTERNET = 1
ANSWER, NO_SUCH_NAME = 0x8180, 0x8183
SECONDS_TO_LIVE = 5


def encode_name(name):
    """A name in the DNS's form."""
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def decode_name(message, start):
    """The name at an offset of a question, and the offset behind it; questions are not compressed."""
    labels = []
    while message[start]:
        labels.append(message[start + 1:start + 1 + message[start]].decode("ascii", "replace"))
        start += 1 + message[start]
    return ".".join(labels).lower(), start + 1


def record(owner, kind, data):
    """One resource record."""
    return encode_name(owner) + struct.pack("!HHIH", kind, INTERNET, SECONDS_TO_LIVE, len(data)) + data


def records_for(names, name, kind):
    """The records that answer a question, along the aliases."""
    records = []
    while name in names:
        value = names[name]
        try:
            address = ipaddress.ip_address(value)
        except ValueError:
            records.append(record(name, CNAME, encode_name(value)))
            name = value
            continue
        if kind == (A if address.version == 4 else AAAA):
            records.append(record(name, kind, address.packed))
        break
    return records


def answer(names, question):
    """The message that answers one that asks."""
    number = question[:2]
    name, end = decode_name(question, 12)
    kind, _ = struct.unpack_from("!HH", question, end)
    records = records_for(names, name, kind)
    flags = ANSWER if name in names else NO_SUCH_NAME
    return number + struct.pack("!HHHHH", flags, 1, len(records), 0, 0) + question[12:end + 4] + b"".join(records)


def main():
    """Answers until it is ended."""
    names = dict(word.split("=", 1) for word in sys.argv[1:])
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("10.77.0.2", 53))
    while True:
        question, peer = server.recvfrom(4096)
        server.sendto(answer(names, question), peer)


if __name__ == "__main__":
    main()
