# SPDX-License-Identifier: GPL-3.0-or-later
"""The second host's servers: HTTP on 80, FTP on 21, IRC on 6667. Appends to a file what was asked. usage: services.py FILE"""

import http.server
import socketserver
import sys
import threading

PAGE = (b"<!doctype html><html><head><title>Kestrel page</title></head><body style='background:#d83888'>"
        b"<script>document.write('<h1>written by a script</h1>')</script></body></html>")


def note(text):
    """Keeps what a client did."""
    with open(sys.argv[1], "a", encoding="utf-8") as file:
        file.write(text + "\n")


class Web(http.server.BaseHTTPRequestHandler):
    """One page, and a place to upload to."""

    def answer(self, body, kind):
        """Sends a whole answer."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):  # noqa: N802
        """Any path is the page."""
        note(f"HTTP GET {self.path} {self.headers['User-Agent']}")
        self.answer(PAGE, "text/html")

    def do_POST(self):  # noqa: N802
        """Counts the lines."""
        text = self.rfile.read(int(self.headers["Content-Length"]))
        note(f"HTTP POST {self.path}")
        self.answer(b"%d lines received\n" % text.count(b"\n"), "text/plain")

    def log_message(self, *_):
        """Nothing: note() does."""


class Lines(socketserver.StreamRequestHandler):
    """A protocol of lines."""

    def say(self, line):
        """Sends a line."""
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        """Answers line by line."""
        self.greet()
        for line in self.rfile:
            word, _, rest = line.decode(errors="replace").strip().partition(" ")
            note(f"{type(self).__name__} {word.upper()} {rest}")
            if self.take(word.upper(), rest):
                break

    def greet(self):
        """The first line that the server sends."""


class Ftp(Lines):
    """An anonymous server with one file."""

    replies = {"USER": "331 Password", "PASS": "230 Welcome", "SYST": "215 UNIX Type: L8", "PWD": '257 "/"', "TYPE": "200 Type",
               "CWD": "250 Folder", "OPTS": "200 Option", "FEAT": "211 None", "QUIT": "221 End"}

    def greet(self):
        self.say("220 Kestrel")

    def take(self, word, _):
        """One command; True at the end."""
        if word == "PASV":
            self.data = socketserver.TCPServer(("0.0.0.0", 0), None)
            port = self.data.server_address[1]
            address = self.request.getsockname()[0].replace(".", ",").removeprefix("::ffff:")
            self.say(f"227 Passive ({address},{port // 256},{port % 256})")
        elif word == "LIST":
            self.say("150 Listing")
            peer, _ = self.data.get_request()
            peer.sendall(b"-rw-r--r-- 1 anna anna 42 Jan 01 2026 kestrel-listed.txt\r\n")
            peer.close()
            self.data.server_close()
            self.say("226 Done")
        else:
            self.say(self.replies.get(word, "502 Unknown"))
        return word == "QUIT"


class Irc(Lines):
    """A server with nobody else."""

    nick = "*"

    def take(self, word, rest):
        """One command; True at the end."""
        if word == "NICK":
            self.nick = rest
        elif word == "USER":
            self.say(f":kestrel 001 {self.nick} :Welcome")
            self.say(f":kestrel 376 {self.nick} :End")
        elif word == "PING":
            self.say(f":kestrel PONG kestrel :{rest}")
        return word == "QUIT"


def main():
    """Serves until it is ended."""
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    socketserver.ThreadingTCPServer.daemon_threads = True
    servers = [http.server.ThreadingHTTPServer(("0.0.0.0", 80), Web), socketserver.ThreadingTCPServer(("0.0.0.0", 21), Ftp),
               socketserver.ThreadingTCPServer(("0.0.0.0", 6667), Irc)]
    for server in servers[1:]:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    servers[0].serve_forever()


if __name__ == "__main__":
    main()
