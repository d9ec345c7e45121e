# SPDX-License-Identifier: GPL-3.0-or-later
"""The second host's server: HTTP on port 80, raw TCP on port 9; appends every byte that it receives to a file.

usage: remote_server.py FILE
"""

import selectors
import socket
import sys

HTTP, DISCARD = 80, 9
ANSWER = b"HTTP/1.1 %s\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n"


class Connection:
    """One peer. HTTP requests are answered when their body is complete; what comes is kept in any case."""

    def __init__(self, peer, port):
        self.peer, self.port = peer, port
        self.seen = b""
        self.encouraged = False

    def take(self, data):
        """Handles received bytes; True when the connection is done."""
        if self.port != HTTP:
            return False
        self.seen += data
        head, found, body = self.seen.partition(b"\r\n\r\n")
        if not found:
            return False
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        if b"100-continue" in fields.get(b"expect", b"") and not self.encouraged:
            self.encouraged = True
            self.peer.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if b"chunked" in fields.get(b"transfer-encoding", b""):
            done = body.endswith(b"0\r\n\r\n")
        else:
            done = len(body) >= int(fields.get(b"content-length", b"0"))
        if done:
            self.peer.sendall(ANSWER % b"201 Created")
        return done


def listen(selector, port):
    """Accepts connections on a port of every address."""
    server = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=64)
    selector.register(server, selectors.EVENT_READ, port)


def receive(selector, key, output):
    """Takes what a connection has, and ends it when it is done."""
    try:
        data = key.fileobj.recv(65536)
        output.write(data)
        done = not data or key.data.take(data)
    except OSError:
        done = True
    if done:
        selector.unregister(key.fileobj)
        key.fileobj.close()


def main():
    """Serves until it is ended."""
    selector = selectors.DefaultSelector()
    for port in (HTTP, DISCARD):
        listen(selector, port)
    with open(sys.argv[1], "ab", buffering=0) as output:
        while True:
            for key, _ in selector.select():
                if isinstance(key.data, int):
                    peer, _ = key.fileobj.accept()
                    selector.register(peer, selectors.EVENT_READ, Connection(peer, key.data))
                else:
                    receive(selector, key, output)


if __name__ == "__main__":
    main()
